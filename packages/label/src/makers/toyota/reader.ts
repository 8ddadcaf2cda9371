import { readTitle, readModelLine } from '../../reading/vehicles.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import {
  isRival,
  rightOf,
  rowAfter,
  type Row,
  below,
  MAX_ANCHORS,
  valueOf,
  indexOf,
  until,
  fromTop,
} from '../../reading/line-search.ts';
import type { Line, Label, Paint } from '../../reading/types.ts';
import { amountOf, withoutAmount } from '../../reading/money.ts';
import { readDealer } from '../../reading/delivery.ts';
import { readPowertrain, isCapitals } from '../../reading/features.ts';
import { blankLabel, marketOf, recordPlace, setText, type Reader } from '../../reading/reader.ts';
import { BASE, readPrices } from './options.ts';

const DESCRIPTION = /^DESC(?:RIPTION)?\s?\.?\s?:/i;
/** Model year and model code: `2025/7540A`. */
const YEAR_AND_MODEL = /^YR\s?\/\s?MDL\s?:/i;

/** Toyota and Lexus: names of facts at the left, their values in the same row; then equipment and prices, a column each. */
export const reader: Reader = {
  family: 'toyota',
  version: 14,
  printsPaintCode: true,
  recognizes: (sheet) => /\b(?:TOYOTA|LEXUS)\b/i.test(sheet.words),
  read(sheet, context) {
    const { lines } = sheet;
    const lexus = /\bLEXUS\b/i.test(sheet.words) && !/\bTOYOTA\b/.test(sheet.words);
    const label = blankLabel(context.make ?? (lexus ? 'Lexus' : 'Toyota'), marketOf(sheet));
    const equipment = equipmentLines(lines);
    const head = leftOf(lines, [...equipment, ...lines.filter(({ text }) => BASE.test(text))]);
    readModel(label, head);
    readColors(label, head);
    if (!readPrices(label, lines) && !label.exterior) return null;
    label.standard = standardOf(equipment);
    readPowertrain(label, equipment, /^MECHANICAL & PERFORMANCE/i);
    readDelivery(label, lines);
    readFederalBoxes(label, sheet);
    return { label };
  },
};

const DELIVERED = /^Delivered by (\w+(?: \w+)?) to\s*:\s*/i;
const CREATED = /^Created on (20\d{2}-[01]\d-[0-3]\d)\b/;

/** `Delivered by Truck to: 27021` above the dealer's address, and the day the file was made, in large type. */
function readDelivery(label: Label, lines: Line[]): void {
  const created = lines.find(({ text }) => CREATED.test(text));
  setText(label, 'created', CREATED.exec(created?.text ?? '')?.[1], created);
  const heading = lines.find(({ text }) => DELIVERED.test(text));
  if (!heading) return;
  label.delivery.transport = DELIVERED.exec(heading.text)![1]!;
  recordPlace(label, 'delivery.transport', heading);
  const beside = heading.positioned ? rightOf(lines, heading)[0]?.text : undefined;
  const code = heading.text.replace(DELIVERED, '') || beside;
  readDealer(label, lines, heading, /^\d{5}$/.test(code ?? '') ? code! : null);
}

/** The lines to the left of the columns that begin with others. Recorded text has one column. */
function leftOf(lines: Line[], others: Line[]): Line[] {
  const left = others.reduce((edge, { positioned, x }) => (positioned ? Math.min(edge, x) : edge), Infinity);
  return lines.filter(({ x }) => x < left);
}

/** `TACOMA SR5` and `4X4 DOUBLE CAB` are two fields of one row. Another form may have a title with the year instead. */
function readModel(label: Label, lines: Line[]): void {
  const model = rowAfter(lines, DESCRIPTION);
  const year = rowAfter(lines, YEAR_AND_MODEL);
  if (!model && !year) readTitle(label, lines);
  if (!year) return;
  label.year = Number(/^(20\d{2})\s?\//.exec(year.values[0] ?? '')?.[1]) || null;
  if (!model || model.values.length === 0 || fieldsIn(model) > 2) return;
  // An amount in the row is not part of the name, and values begin at one edge.
  if (model.lines.some((line) => amountOf(line) !== null) || !isAligned(model, year)) return;
  readModelLine(label, model.values.join(' '), model.lines);
}

/** A field may be printed as several texts, if they are close together and in one type. */
function fieldsIn({ lines }: Row): number {
  return lines.filter((line, at) => at === 0 || !continues(line, lines[at - 1]!)).length;
}

function continues(line: Line, before: Line): boolean {
  const isSameType = Math.abs(line.size - before.size) <= 0.05 * before.size;
  return isSameType && Math.abs(line.y - before.y) <= 0.1 * before.size && isRival(line, before);
}

function isAligned(one: Row, other: Row): boolean {
  return one.x === null || other.x === null || Math.abs(one.x - other.x) < one.lines[0]!.size / 2;
}

const COLORS = /^(?:CLR|COLOU?RS?)\s?\.?\s?:/i;
const EXTERIOR = /(?:^|\s)(?:EXTERIOR|EXT\.?)(?:(?: COLOU?R| PAINT)\s?:?(?!\S)|\s?:)/i;
const INTERIOR = /(?:^|\s)(?:INTERIOR|INT\.?)(?: COLOU?R)?\s?:/i;
/** Three or four characters, a figure among them: `0040`, `1G3`, `6X3`. */
const CODE = '(?=[A-Z]*\\d)[A-Z0-9]{3,4}';
const BOTH_COLORS = new RegExp(`^([^()]+)\\((${CODE})(?:/([A-Z0-9]{1,4}))?\\)$`);
/** Without brackets, drive types, wheel sizes and years aren't codes. */
const BARE = `(?!(?:[2468]WD|[246]X[246]|\\d+IN|(?:19|20)\\d\\d)\\b)${CODE}`;
const BRACKETS = /[([][^)\]]{0,40}[)\]]/;
const NAME_FIRST = new RegExp(
  `^(\\D.*?)(?<!\\s)(?:\\s*[([]\\s*(${CODE})\\s*[)\\]]|(?:\\s*[-–/]\\s*|\\s+)(${BARE}))$`,
);
const CODE_FIRST = new RegExp(`^(?:[([](${CODE})[)\\]]|(${BARE}))(?:\\s*[-–/:]\\s*|\\s+)(\\D[^]*)`);
const EQUIPMENT =
  /\b(?:WHEELS?|MIRRORS?|HEADLAMPS?|HEADLIGHTS?|LAMPS?|TIRES?|SPOILER|DOORS?|GRILLE|BUMPERS?|WIPERS?|HANDLES?|GLASS|WINDSHIELD)\b/i;

/** Exterior and interior: both in the row `CLR:`, or each after its own word. Without a code it isn't a paint. */
function readColors(label: Label, lines: Line[]): void {
  const row = rowAfter(lines, COLORS);
  if (row) {
    const [, names = '', code, trim] = BOTH_COLORS.exec(row.values.join(' ')) ?? [];
    // With more than names and codes in the row, nothing tells which text belongs to the colors.
    const [, codes = '(', ...others] = row.values;
    if (!code || !codes.startsWith('(') || others.length > 0) return;
    // The name of a paint may have a slash in it, the interior has none.
    const slash = trim ? names.lastIndexOf('/') : -1;
    label.exterior = { color: (slash < 0 ? names : names.slice(0, slash)).trim(), code };
    recordPlace(label, 'exterior', ...row.lines);
    setText(label, 'interior', (slash >= 0 && names.slice(slash + 1).trim()) || null, ...row.lines);
    return;
  }
  const exterior = exteriorOf(lines);
  label.exterior = exterior?.paint ?? null;
  recordPlace(label, 'exterior', exterior?.line);
  const interior = valueOf(lines, INTERIOR);
  setText(label, 'interior', interior?.text, interior?.line);
}

/** The first EXTERIOR that is followed by a paint: the word is also a heading of the equipment. */
function exteriorOf(lines: Line[]): { paint: Paint; line: Line } | null {
  let anchors = 0;
  for (const [index, line] of lines.entries()) {
    const anchor = EXTERIOR.exec(line.text);
    if (!anchor || anchors++ >= MAX_ANCHORS) continue;
    const rest = line.text.slice(anchor.index + anchor[0].length);
    const [beside] = line.positioned && rest.trim() === '' ? rightOf(lines, line) : [];
    const own = (beside?.text ?? rest).replace(new RegExp(`${INTERIOR.source}[^]*`, 'i'), '').trim();
    const next = line.positioned ? below(lines, line) : lines[index + 1];
    // Under its word, only brackets tell a code from equipment such as `200W AUDIO`.
    const isUnder = own === '' && next && BRACKETS.test(next.text) && !INTERIOR.test(next.text);
    const paint = paintOf(isUnder ? next.text : own);
    if (paint) return { paint, line: isUnder ? next : (beside ?? line) };
  }
  return null;
}

/** Name and code as printed; null where either is missing, or both ends could be the code. */
function paintOf(printed: string): Paint | null {
  const text = withoutAmount(printed);
  if (EQUIPMENT.test(text)) return null;
  const after = NAME_FIRST.exec(text);
  if (after) return { color: after[1]!.trim(), code: (after[2] ?? after[3])! };
  const before = CODE_FIRST.exec(text);
  if (!before || NAME_FIRST.test(before[3]!)) return null;
  return { color: before[3]!.trim(), code: (before[1] ?? before[2])! };
}

const TITLE = /^STANDARD EQUIPMENT\b/i;
const PRICES = /^(?:BASE MANUFACTURER|OPTIONAL EQUIPMENT)\b/i;
const ITEM = /^[-–]\s*(?=\S)/;
/** Under the list in text without positions; on a page, the list ends where a line has neither dash nor indent. */
const BELOW = /^(?:For Full|Please Visit|\*)/i;

/** The lines of the standard equipment: on a page, those at the left edge of its items or slightly indented. */
function equipmentLines(lines: Line[]): Line[] {
  const at = indexOf(lines, TITLE);
  const title = lines[at];
  if (!title) return [];
  if (!title.positioned) return until(lines, at + 1, PRICES);
  const under = fromTop(lines.filter(({ page, y }) => page === title.page && y > title.y));
  const first = under.find(({ text, x, right }) => ITEM.test(text) && x < title.right && right > title.x);
  if (!first) return [];
  return under.filter(
    ({ x, size }) => x > first.x - 0.5 * size && x < first.x + 3 * size && size < 1.5 * first.size,
  );
}

/** Items begin with a dash and wrap with an indent. Other lines at the left are headings if an item follows. */
function standardOf(lines: Line[]): Label['standard'] {
  const sections: Label['standard'] = [];
  const left = lines.find(({ text }) => ITEM.test(text))?.x ?? 0;
  const goesOn = (line: Line, above: Line | undefined): boolean =>
    line.positioned
      ? line.x > left + 0.25 * line.size && line.y - (above?.y ?? -Infinity) < 1.5 * line.size
      : !isCapitals(line) && !BELOW.test(line.text);
  let isOpen = false;
  lines.forEach((line, index) => {
    const items = sections.at(-1)?.items;
    if (ITEM.test(line.text)) {
      const item = line.text.replace(ITEM, '');
      if (items) items.push(item);
      else sections.push({ section: null, items: [item] });
      isOpen = true;
    } else if (isOpen && goesOn(line, lines[index - 1])) items!.push(`${items!.pop()} ${line.text}`);
    else {
      isOpen = false;
      if (ITEM.test(lines[index + 1]?.text ?? '')) sections.push({ section: line.text, items: [] });
    }
  });
  return sections;
}
