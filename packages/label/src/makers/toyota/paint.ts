import { below, MAX_ANCHORS, rightOf, rowAfter, valueOf } from '../../reading/line-search.ts';
import type { Line } from '../../reading/lines.ts';
import { withoutAmount } from '../../reading/money.ts';
import { recordPlace } from '../../reading/reader.ts';
import type { Label, Paint } from '../../reading/types.ts';

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
export function readColors(label: Label, lines: Line[]): void {
  const row = rowAfter(lines, COLORS);
  if (row) {
    const [, names = '', code, trim] = BOTH_COLORS.exec(row.values.join(' ')) ?? [];
    // With more than names and codes in the row, nothing tells which text belongs to the colors.
    const [, codes = '(', ...others] = row.values;
    if (!code || !codes.startsWith('(') || others.length > 0) return;
    // The name of a paint may have a slash in it, the interior has none.
    const slash = trim ? names.lastIndexOf('/') : -1;
    label.exterior = { color: (slash < 0 ? names : names.slice(0, slash)).trim(), code };
    label.interior = (slash >= 0 && names.slice(slash + 1).trim()) || null;
    recordPlace(label, 'exterior', ...row.lines);
    recordPlace(label, 'interior', ...row.lines);
    return;
  }
  const exterior = exteriorOf(lines);
  label.exterior = exterior?.paint ?? null;
  recordPlace(label, 'exterior', exterior?.line);
  const interior = valueOf(lines, INTERIOR);
  label.interior = interior?.text ?? null;
  recordPlace(label, 'interior', interior?.line);
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
