/** Short descriptions of hostile label texts, from which texts of any size are built. */
import fc from 'fast-check';
import { sources } from '../../src/makers/index.ts';
import type { Source } from '../../src/makers/maker.ts';
import { extractText } from '@monroney/label/pdf/text';
import type { LabelText, TextItem } from '@monroney/label/reading/types';
import { labelOf } from '../simulator/labels.ts';

type Edit =
  | { do: 'drop' | 'double'; at: number }
  | { do: 'move'; at: number; x: number; y: number }
  | { do: 'write'; at: number; text: string };

/** An edited label of a source, with extra text inserted after one of its items. */
export interface Recipe {
  source: string;
  /** Only the extra text. */
  bare: boolean;
  edits: Edit[];
  /** With `each`, every unit is a run of its own, in turn. `size` is that of the item it follows if not given. */
  flood: { units: string[]; from: number; x: number; y: number; gap: number; each?: boolean; size?: number };
}

/** The limits of `pdf/text.ts`. */
const LIMITS = { items: 20_000, characters: 400_000, run: 2000 };

/** Words from every pattern that searches external text: what a match starts with and what it repeats. */
function wordsOf(patterns: readonly RegExp[]): string[] {
  return patterns.flatMap(({ source }) =>
    source
      .split(/\(\?[:=!]|\[[^\]]*\]|\\[bsdwDSW]|[\\^$.*+?(){}|]/)
      .map((word) => word.trim())
      .filter((word) => word.length > 2),
  );
}

const patternsOf = ({ none, refused = [], picture }: Source) => [
  ...none,
  ...refused,
  ...(picture ? [picture.notice] : []),
];
const WORDS = [...new Set(wordsOf(sources.flatMap(patternsOf)))];
const PRINTED = 'VIN |VIN1G1YB2D40N590000|$|1,000.00|TOTAL|MSRP|OPTIONAL EQUIPMENT|-|with,|•| '.split('|');

const sourceId = fc.constantFrom(...sources.map(({ id }) => id));
const unit = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...PRINTED),
  fc.string({ minLength: 1, maxLength: 6 }),
);
const anyUnits = fc.array(unit, { minLength: 1, maxLength: 3 });

/** Half of the time words from the source's own patterns, which random words would rarely match. */
function unitsFor(id: string): fc.Arbitrary<string[]> {
  const own = wordsOf(patternsOf(sources.find((source) => source.id === id)!));
  if (own.length === 0) return anyUnits;
  return fc.oneof(anyUnits, fc.array(fc.constantFrom(...own), { minLength: 1, maxLength: 2 }));
}

const at = fc.nat(400);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ do: fc.constantFrom('drop' as const, 'double' as const), at }),
  fc.record({
    do: fc.constant('move' as const),
    at,
    x: fc.integer({ min: -60, max: 60 }),
    y: fc.integer({ min: -30, max: 30 }),
  }),
  fc.record({ do: fc.constant('write' as const), at, text: fc.oneof(unit, fc.string({ maxLength: 40 })) }),
);

export const recipe: fc.Arbitrary<Recipe> = sourceId.chain((id) =>
  fc.record({
    source: fc.constant(id),
    bare: fc.boolean(),
    edits: fc.array(edit, { maxLength: 12 }),
    flood: fc.record({
      units: unitsFor(id),
      from: at,
      // 0 places the runs next to each other; a tiny step makes a column.
      x: fc.constantFrom(0, 0, 0.001, 1, 30, -30),
      y: fc.constantFrom(0, 0, 0, 1, 12, -12),
      gap: fc.constantFrom(0, 0.1, 0.5, 2),
    }),
  }),
);

/** Where the text is on an empty page. */
const CORNER: TextItem = { text: '', x: 40, y: 40, width: 9, size: 9 };

const drawn = new Map<string, Promise<LabelText>>();

/** The text of a recipe, with `share` of the maximum number of items. */
export async function textOf({ source: id, bare, edits, flood }: Recipe, share: number): Promise<LabelText> {
  const source = sources.find((candidate) => candidate.id === id)!;
  if (!drawn.has(id)) drawn.set(id, extractText(labelOf(source, 'host.example', source.example)));
  const base = await drawn.get(id)!;
  const [first = { width: 1224, height: 792, items: [] }] = base.pages;
  const items = bare ? [] : first.items.map((item) => ({ ...item }));
  for (const change of edits) apply(items, change);
  const anchor = items[flood.from % Math.max(1, items.length)] ?? CORNER;
  const { size = anchor.size } = flood;
  const count = Math.floor((LIMITS.items - items.length) * share);
  const pieces = flood.each ? flood.units : [flood.units.join(' ')];
  let characters = items.reduce((sum, { text }) => sum + text.length, 0);
  for (let i = 0; i < count; i++) {
    const text = pieces[i % pieces.length]!.slice(0, LIMITS.run);
    const width = text.length * size * 0.5;
    // Long pieces make fewer runs, so that both limits are reached.
    if ((characters += text.length) > LIMITS.characters) break;
    const x = anchor.x + i * (flood.x === 0 ? width + flood.gap * size : flood.x);
    items.push({ text, x, y: anchor.y + i * flood.y, width, size });
  }
  return { ...base, pages: [{ ...first, items }] };
}

function apply(items: TextItem[], change: Edit): void {
  const at = change.at % Math.max(1, items.length);
  const item = items[at];
  if (!item) return;
  if (change.do === 'drop') items.splice(at, 1);
  else if (change.do === 'double') items.splice(at, 0, { ...item });
  else if (change.do === 'move') items[at] = { ...item, x: item.x + change.x, y: item.y + change.y };
  else if (change.do === 'write') items[at] = { ...item, text: change.text };
}
