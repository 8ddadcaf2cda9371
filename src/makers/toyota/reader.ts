import type { Paint } from '../../reading/types.ts';
import { featuresOf, isCapitals } from '../../reading/features.ts';
import {
  below,
  indexOf,
  MAX_ANCHORS,
  rightOf,
  titleLine,
  until,
  valueOf,
} from '../../reading/line-search.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import type { Line } from '../../reading/lines.ts';
import { withoutAmount } from '../../reading/money.ts';
import { readPriceList } from '../../reading/price-list.ts';
import { blankLabel, marketOf, recordPlace, type Reader } from '../../reading/reader.ts';

const EXTERIOR = /(?:^|\s)(?:EXTERIOR|EXT\.?)(?:(?: COLOU?R| PAINT)\s?:?(?!\S)|\s?:)/i;
const INTERIOR = /(?:^|\s)(?:INTERIOR|INT\.?)(?: COLOU?R)?\s?:/i;
/** Three or four characters, a figure among them: `0040`, `1G3`, `6X3`. */
const CODE = '(?=[A-Z]*\\d)[A-Z0-9]{3,4}';
/** Without brackets, drive types, wheel sizes and years aren't codes. */
const BARE = `(?!(?:[2468]WD|[246]X[246]|\\d+IN|(?:19|20)\\d\\d)\\b)${CODE}`;
const BRACKETS = /[([][^)\]]{0,40}[)\]]/;
const NAME_FIRST = new RegExp(
  `^(\\D.*?)(?<!\\s)(?:\\s*[([]\\s*(${CODE})\\s*[)\\]]|(?:\\s*[-–/]\\s*|\\s+)(${BARE}))$`,
);
const CODE_FIRST = new RegExp(`^(?:[([](${CODE})[)\\]]|(${BARE}))(?:\\s*[-–/:]\\s*|\\s+)(\\D[^]*)`);
const EQUIPMENT =
  /\b(?:WHEELS?|MIRRORS?|HEADLAMPS?|HEADLIGHTS?|LAMPS?|TIRES?|SPOILER|DOORS?|GRILLE|BUMPERS?|WIPERS?|HANDLES?|GLASS|WINDSHIELD)\b/i;

/** Toyota and Lexus: name and code of the paint side by side, in either order. Without a code it isn't a paint. */
export const reader: Reader = {
  family: 'toyota',
  version: 10,
  printsPaintCode: true,
  recognizes: (sheet) => /\b(?:TOYOTA|LEXUS)\b/i.test(sheet.words),
  read(sheet, context) {
    const { lines } = sheet;
    const lexus = /\bLEXUS\b/i.test(sheet.words) && !/\bTOYOTA\b/.test(sheet.words);
    const label = blankLabel(context.make ?? (lexus ? 'Lexus' : 'Toyota'), marketOf(sheet));
    const model = titleLine(lines);
    label.model = model?.text ?? null;
    label.year = model ? Number(model.text.slice(0, 4)) : null;
    recordPlace(label, 'model', model);
    const exterior = exteriorOf(lines);
    label.exterior = exterior?.paint ?? null;
    recordPlace(label, 'exterior', exterior?.line);
    const interior = valueOf(lines, INTERIOR);
    label.interior = interior?.text ?? null;
    recordPlace(label, 'interior', interior?.line);
    const hasPrices = readPriceList(label, lines, {
      base: /^(?:Manufacturer.?s Suggested Retail Price|Base (?:MSRP|Price))/i,
      options: /^(?:OPTIONAL|ADDED|ADDITIONAL) (?:EQUIPMENT|FEATURES)/i,
      destination: /^(?:Delivery,? Processing|Destination)/i,
      total: /^Total (?:MSRP|Price|(?:Manufacturer.?s )?Suggested Retail Price|Vehicle Price)\b/i,
    });
    if (!label.exterior && !hasPrices) return null;
    // The parts box prints both words again, for where they were made.
    const head = until(lines, 0, /PARTS CONTENT|^COUNTRY OF ORIGIN/i);
    const engine = valueOf(head, /^ENGINE\s?:/i);
    const transmission = valueOf(head, /^TRANSMISSION\s?:/i);
    label.engine = engine?.text ?? null;
    label.transmission = transmission?.text ?? null;
    recordPlace(label, 'engine', engine?.line);
    recordPlace(label, 'transmission', transmission?.line);
    const standard = indexOf(lines, /^STANDARD (?:EQUIPMENT|FEATURES)/i);
    if (standard >= 0)
      label.standard = featuresOf(
        until(lines, standard + 1, /^(?:OPTIONAL|ADDED|ADDITIONAL) |Suggested Retail|^Base (?:MSRP|Price)/i),
        isCapitals,
      );
    readFederalBoxes(label, sheet);
    return { label };
  },
};

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
