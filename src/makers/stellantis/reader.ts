import { indexOf, valueOf } from '../../reading/find.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import type { Line } from '../../reading/lines.ts';
import { cents } from '../../reading/money.ts';
import { placeOfItems } from '../../reading/places.ts';
import {
  blankLabel,
  note,
  type Read,
  type ReadContext,
  type Reader,
  type Sheet,
} from '../../reading/reader.ts';
import { shipToOf } from '../../reading/ship-to.ts';
import { OPTIONS, readOptions } from './options.ts';
import { readStandard, STANDARD } from './standard.ts';
import { titleOf, yearOf } from './title.ts';

const BASE = /^(?:Base Price|Prix de base)\s*:?\s*/i;
const TOTAL = /^(?:TOTAL PRICE|PRIX TOTAL)\s*:?\s*\*?\s*/i;
const DESTINATION = /^(?:Destination Charge|Frais d.exp[ée]dition)\b/i;
const EXTERIOR = /^(?:Exterior Colou?r|Couleur ext[ée]rieure?)\s*:\s*/i;
const INTERIOR = /^(?:Interior Colou?r|Couleur int[ée]rieure?)\s*:\s*/i;
const SEATS = /^(?:Interior|Int[ée]rieur)\s*:\s*/i;
const ENGINE = /^(?:Engine|Motor|Moteur)\s*:\s*/i;
const TRANSMISSION = /^(?:Transmission|Trans\.?\s*\/\s*Gear\s?Box|Bo[iî]te[^:]*)\s*:\s*/i;
const ASSEMBLY = /^(?:Assembly Point|(?:Point|Lieu|Usine) (?:d.|de l.)(?:assemblage|montage))[^:]*:\s*/i;
const CANADA =
  /FCA Canada|Chrysler Canada|Stellantis Canada|Specific Canadian Requirements|nrcan\.gc\.ca|Prix de base/i;

const MAKES: [RegExp, string][] = [
  [/^ALFA\b/i, 'Alfa Romeo'],
  [/^CHRYSLER\b/i, 'Chrysler'],
  [/^DODGE\b/i, 'Dodge'],
  [/^FIAT\b/i, 'Fiat'],
  [/^(?:JEEP|(?:GRAND )?WAGONEER)\b/i, 'Jeep'],
  [/^RAM\b/i, 'Ram'],
];

export const stellantis: Reader = {
  family: 'stellantis',
  version: 3,
  recognises: ({ words }) =>
    /^(?:Base Price|Prix de base)\s*:/im.test(words) &&
    /^(?:Exterior Color|Couleur ext|TOTAL PRICE|PRIX TOTAL)|FCA US LLC|FCA Canada|Chrysler Group LLC/im.test(
      words,
    ),
  read,
};

function read(sheet: Sheet, context: ReadContext): Read | null {
  const { lines } = sheet;
  const base = indexOf(lines, BASE);
  if (base < 0) return null;
  const head = headOf(lines);
  const french = /^Prix de base/im.test(sheet.words);
  const series = lines[base + 1];
  const make = makeOf(sheet, series, context);
  if (!make) return null;
  const label = blankLabel(make, CANADA.test(sheet.words) ? 'CA' : 'US', french ? 'fr' : 'en');

  label.year = yearOf(sheet.text);
  const title = titleOf(sheet.text);
  label.model = title?.text ?? null;
  if (title) label.places['model'] = placeOfItems(title.items);

  const exterior = valueOf(head, EXTERIOR);
  label.exterior = exterior && { color: exterior.text, code: null };
  note(label, 'exterior', exterior?.line);
  for (const [field, anchor] of [
    ['interior', INTERIOR],
    ['seats', SEATS],
    ['engine', ENGINE],
    ['transmission', TRANSMISSION],
  ] as const) {
    const found = valueOf(head, anchor);
    label[field] = found?.text ?? null;
    note(label, field, found?.line);
  }
  if (series && !/^\S[^:]*:/.test(series.text)) label.series = series.text;

  const assembly = lines.find((line) => ASSEMBLY.test(line.text));
  // The cell after it is a shipping code on the same line.
  label.assembly = assembly?.cells[0]?.text.replace(ASSEMBLY, '').trim() || null;
  note(label, 'assembly', assembly);

  readPrices(label, lines);
  label.standard = readStandard(lines);
  readFederalBoxes(label, sheet);
  label.shipTo = shipToOf(lines, /SHIP TO:/i);
  return { label };
}

/** Engine and transmission are printed again in the parts box: only what stands above the equipment counts. */
function headOf(lines: Line[]): Line[] {
  const end = indexOf(lines, STANDARD);
  const optional = indexOf(lines, OPTIONS);
  const stop = [end, optional].filter((index) => index >= 0);
  return stop.length > 0 ? lines.slice(0, Math.min(...stop)) : lines;
}

function readPrices(label: Read['label'], lines: Line[]): void {
  const { prices } = label;
  const base = lines.findIndex((line) => BASE.test(line.text));
  prices.base = amountBeside(lines, base, BASE);
  note(label, 'prices.base', lines[base]);
  const destination = indexOf(lines, DESTINATION, base);
  prices.destination = amountBeside(lines, destination, DESTINATION);
  note(label, 'prices.destination', lines[destination]);
  const total = indexOf(lines, TOTAL, base);
  prices.total = amountBeside(lines, total, TOTAL);
  note(label, 'prices.total', lines[total]);
  readOptions(label, lines, destination >= 0 ? destination : total);
}

/** The amount after the words, glued to them or not, or on the line that follows where the words stand alone. */
function amountBeside(lines: Line[], at: number, anchor: RegExp): number | null {
  const line = lines[at];
  if (!line) return null;
  const rest = line.text.replace(anchor, '').trim();
  if (!rest) return cents(lines[at + 1]?.text ?? '');
  const cell = line.cells.slice(1).find(({ text }) => cents(text) !== null);
  return cents(rest) ?? cents(cell?.text ?? '');
}

function makeOf(sheet: Sheet, series: Line | undefined, context: ReadContext): string | undefined {
  const printed = MAKES.find(([pattern]) => pattern.test(series?.text ?? ''))?.[1];
  const site = /www\.(alfa|chrysler|dodge|fiat|jeep|ram|wagoneer)/i.exec(sheet.words)?.[1];
  const visited = site && MAKES.find(([pattern]) => pattern.test(site))?.[1];
  return context.make ?? printed ?? visited;
}
