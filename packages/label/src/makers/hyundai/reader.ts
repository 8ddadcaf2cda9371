import type { Label, Paint, Line } from '../../reading/types.ts';
import { featuresOf, isCapitals, readPowertrain } from '../../reading/features.ts';
import { columnAround, factOf, indexOf, until } from '../../reading/line-search.ts';
import { receiverOf, shipToOf, codeIn, readDealer } from '../../reading/delivery.ts';
import { readTitle } from '../../reading/vehicles.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import { readPriceList } from '../../reading/price-list.ts';
import { blankLabel, marketOf, recordPlace, setText, type Reader } from '../../reading/reader.ts';

/** The words that label a fact; where lines are glued together each of them begins the next fact. */
const FACT =
  /(?:VIN|SOLD TO|SHIPPED TO|MODEL|ENGINE|PORT OF ENTRY|EXTERIOR COLOR|INTERIOR\/SEAT COLOR|INTERIOR COLOR|TRANSPORT|ACCESSORY WEIGHT|EMISSIONS)\s?:/;
const SOLD_TO = /^SOLD TO\s?:/;
/** The price, and not the sentence that says what it includes. */
const BASE = /^\W*Manufacturer.?s Suggested Retail Price(?!\s+[a-z])/i;
/** Names in capitals that aren't headings. */
const EQUIPMENT = /\b(?:HTRAC|[AFR]WD|4WD|LED|USB)\b/;
const PRICE = /\$\s?\d[\d,]*\.\d{2}/;
/** Only in a priced paint line: `*VERBIER WHITE(NA3) Paint $1,500.00`. Other brackets say other things. */
const PAINT = /^(.+?)\s?\(([A-Z0-9]{2,4})\)(?:\s+((?:[A-Z]+ )?Paint):?)?$/i;

/** Hyundai and Genesis: facts with a colon, then the price list under ADDED FEATURES. */
export const reader: Reader = {
  family: 'hyundai',
  version: 13,
  printsPaintCode: true,
  recognizes: (sheet) => /INTERIOR\/SEAT COLOR|Inland Freight & Handling/i.test(sheet.words),
  read(sheet, context) {
    const lines = unglued(sheet.lines);
    const genesis = /\bGENESIS\b/.test(sheet.words) || (context.vin ?? sheet.vin ?? '').startsWith('KMT');
    const label = blankLabel(context.make ?? (genesis ? 'Genesis' : 'Hyundai'), marketOf(sheet));
    readTitle(label, lines);
    const base = lines[indexOf(lines, BASE)];
    const list = base ? columnAround(lines, base) : [];
    const hasPrices = readPriceList(label, list, {
      base: BASE,
      options: /ADDED FEATURES/i,
      destination: /^\W*Inland Freight/i,
      total: /^\W*Total Price/i,
      skip: /^\W*(?:Accessories|Packages)\W*$|^ADDED FEATURES/i,
      mark: /^(?:[·•]\s*)?\*\s*/,
    });
    const color = factOf(lines, /^EXTERIOR COLOR\s?:/, FACT);
    const interior = factOf(lines, /^INTERIOR(?:\/SEAT)? COLOR\s?:/, FACT);
    label.exterior = color && { color: color.text, code: codeOf(label, color.text) };
    recordPlace(label, 'exterior', color?.line);
    setText(label, 'interior', interior?.text, interior?.line);
    if (!color && !hasPrices) return null;
    const standard = indexOf(lines, /STANDARD FEATURES/);
    if (standard >= 0)
      label.standard = featuresOf(
        withWraps(
          until(lines, standard + 1, /Manufacturer.?s Suggested|ADDED FEATURES/i).filter(
            (line) => !isAbove(line, lines[standard]!),
          ),
        ),
        (line) => isCapitals(line) && !EQUIPMENT.test(line.text),
      );
    readPowertrain(label, lines, /^POWERTRAIN(?: TECHNOLOGY)?$/);
    const soldTo = lines.find(({ text }) => SOLD_TO.test(text));
    readDealer(label, lines, soldTo, codeIn(soldTo, SOLD_TO));
    const transport = factOf(lines, /^TRANSPORT\s?:/, FACT);
    if (transport && /^[A-Z][A-Z /-]{1,20}$/i.test(transport.text)) {
      label.delivery.transport = transport.text;
      recordPlace(label, 'delivery.transport', transport.line);
    }
    label.shipTo = shippedTo(lines) ?? receiverOf(lines, SOLD_TO, /^SHIPPED TO\s?:/);
    readFederalBoxes(label, sheet);
    return { label };
  },
};

/** Some extractors run lines together: begin a new one at each fact and after each price. */
function unglued(lines: Line[]): Line[] {
  return lines.flatMap((line) => {
    const joints = new RegExp(`(?<=\\S)\\s*(?=${FACT.source})|(?<=${PRICE.source})\\s*(?=[^\\s\\d])`, 'g');
    const parts = line.text.split(joints).filter((part) => part !== '');
    if (parts.length < 2) return [line];
    return parts.map((text) => {
      const { x, right } = line.cells.find((cell) => cell.text.startsWith(text)) ?? line;
      return { ...line, text, x, right, cells: [{ text, x, right }] };
    });
  });
}

/** The lines of one feature are closer together than features are, by this share. */
const MAX_WRAP_STEP = 0.85;

/** Joins a feature that takes two lines. */
function withWraps(lines: Line[]): Line[] {
  const steps = lines
    .flatMap((line, at) => (at > 0 && isBelow(lines[at - 1]!, line) ? line.y - lines[at - 1]!.y : []))
    .toSorted((one, other) => one - other);
  const usual = steps[steps.length >> 1] ?? 0;
  const joined: Line[] = [];
  let above: Line | undefined;
  for (const line of lines) {
    const first = joined.at(-1);
    if (first && above && isBelow(above, line) && line.y - above.y < MAX_WRAP_STEP * usual) {
      const text = `${first.text} ${line.text}`;
      joined[joined.length - 1] = { ...first, text, cells: [{ text, x: first.x, right: first.right }] };
    } else joined.push(line);
    above = line;
  }
  return joined;
}

/** True for the next line of a list, in the same type. */
function isBelow(above: Line, line: Line): boolean {
  return (
    line.positioned &&
    Math.abs(line.x - above.x) < 0.2 * line.size &&
    Math.abs(line.size - above.size) < 0.1 * line.size &&
    line.y > above.y + 0.5 * line.size
  );
}

/** The features continue in the next column. Lines further up there belong to another box, such as the safety ratings. */
function isAbove(line: Line, heading: Line): boolean {
  return line.positioned && line.y < heading.y - 1.5 * heading.size;
}

/** Two addresses where the buyer is not the receiver: the last is the receiver's. */
function shippedTo(lines: Line[]): string | null {
  const at = indexOf(lines, /^SHIPPED TO\s?:/);
  const block = at < 0 ? [] : until(lines, at + 1, FACT).slice(0, 8);
  return shipToOf(block.toReversed(), /./);
}

/** The code of the priced paint line, when that line names the car's own color. */
function codeOf(label: Label, color: string): Paint['code'] {
  const own = color.toUpperCase();
  for (const option of label.prices.options) {
    const [, name = '', code, isPaint] = PAINT.exec(option.name) ?? [];
    const other = name.trim().toUpperCase();
    const same = other === own || (isPaint && (isPartOf(other, own) || isPartOf(own, other)));
    if (code && option.price && same) return code;
  }
  return null;
}

/** The first or the last words of a name: `GRAY` of `MAKALU GRAY`. */
function isPartOf(part: string, whole: string): boolean {
  return whole.startsWith(`${part} `) || whole.endsWith(` ${part}`);
}
