import { below, indexOf, rightOf, valueOf, fromTop } from '../../reading/line-search.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import { splitLine } from '../../reading/lines.ts';
import type { Line, TextItem } from '../../reading/types.ts';
import { cents, isMoney } from '../../reading/money.ts';
import {
  blankLabel,
  recordPlace,
  setPrice,
  setText,
  type Read,
  type ReadContext,
  type Reader,
  type Sheet,
} from '../../reading/reader.ts';
import { shipToOf } from '../../reading/delivery.ts';
import { readModelLine, isNorthAmerican } from '../../reading/vehicles.ts';
import {
  ASSEMBLY,
  columnsOf,
  type Columns,
  BASE,
  DESTINATION,
  TOTAL,
  readOptions,
  readStandard,
} from './equipment.ts';

const EXTERIOR = /^(?:Exterior Colou?r|Couleur ext[ée]rieure?)\s*:\s*/i;
const INTERIOR = /^(?:Interior Colou?r|Couleur int[ée]rieure?)\s*:\s*/i;
const SEATS = /^(?:Interior|Int[ée]rieur)\s*:\s*/i;
const ENGINE = /^(?:Engine|Motor|Moteur)\s*:\s*/i;
const TRANSMISSION = /^(?:Transmission\s*|Trans\.?\s*\/\s*Gear\s?Box\s*|Bo[iî]te[^:]*):\s*/i;
const CANADA =
  /FCA Canada|Chrysler Canada|Stellantis Canada|Specific Canadian Requirements|(?:nrcan|rncan)\.gc\.ca|Prix de base/i;

const MAKES: [RegExp, string][] = [
  [/^ALFA\b/i, 'Alfa Romeo'],
  [/^CHRYSLER\b/i, 'Chrysler'],
  [/^DODGE\b/i, 'Dodge'],
  [/^FIAT\b/i, 'Fiat'],
  [/^(?:JEEP|(?:GRAND )?WAGONEER)\b/i, 'Jeep'],
  [/^RAM\b/i, 'Ram'],
];

export const reader: Reader = {
  family: 'stellantis',
  version: 14,
  recognizes: ({ words }) =>
    /^(?:Base Price|Prix de base)\s*:/im.test(words) &&
    /^(?:Exterior Color|Couleur ext|TOTAL PRICE|PRIX TOTAL)|FCA US LLC|FCA Canada|Chrysler Group LLC/im.test(
      words,
    ),
  read,
};

function read(sheet: Sheet, context: ReadContext): Read | null {
  const lines = withYearApart(sheet.lines);
  const base = indexOf(lines, BASE);
  if (base < 0) return null;
  const columns = columnsOf(lines);
  const { head } = columns;
  const french = /^Prix de base/im.test(sheet.words);
  const series = seriesOf(lines, base, head);
  const make = makeOf(sheet, series, context);
  if (!make) return null;
  const label = blankLabel(make, CANADA.test(sheet.words) ? 'CA' : 'US', french ? 'fr' : 'en');

  label.year = yearOf(lines);
  const title = titleOf(lines);
  const model = title.map((line) => line.text).join(' ');
  // Some programs place each letter separately, so that word breaks are lost.
  if (model && !/^(?:\S ){4,}\S$/.test(model)) readModelLine(label, model, title);

  const exterior = wrapped(head, valueOf(head, EXTERIOR));
  label.exterior = exterior && { color: exterior.text, code: null };
  recordPlace(label, 'exterior', exterior?.line);
  for (const [field, anchor] of [
    ['interior', INTERIOR],
    ['seats', SEATS],
    ['engine', ENGINE],
    ['transmission', TRANSMISSION],
  ] as const) {
    const found = wrapped(head, valueOf(head, anchor));
    setText(label, field, found?.text, found?.line);
  }
  if (series) label.series = series.text;

  const assembly = lines.find((line) => ASSEMBLY.test(line.text));
  // The cell after it is a shipping code on the same line.
  const place = assembly?.cells[0]?.text.replace(ASSEMBLY, '').trim() || null;
  // The line is `Assembly Point/Port of Entry`: the port for cars built outside North America.
  const vin = context.vin ?? sheet.vin;
  const isImport = vin !== null && !isNorthAmerican(vin);
  if (isImport) label.portOfEntry = place;
  else setText(label, 'assembly', place, assembly);

  readPrices(label, lines, columns);
  label.standard = readStandard(columns);
  readFederalBoxes(label, sheet);
  label.shipTo = shipToOf(lines, /SHIP TO:/i);
  return { label };
}

/** The line under the base price, if it names the make: labels without it print an option in its place. */
function seriesOf(lines: Line[], base: number, head: Line[]): Line | undefined {
  const line = lines[base]!.positioned ? head[0] : lines[base + 1];
  if (!line || /^\S[^:]*:/.test(line.text) || isMoney(line.text)) return undefined;
  if (line.positioned && line.x > lines[base]!.right) return undefined;
  return MAKES.some(([pattern]) => pattern.test(line.text)) ? line : undefined;
}

const OPEN = /(?:\bw\/|\b(?:with|and|avec|et)|[&,/])$/i;

/** A value that ends in the middle of a phrase continues on the line below. */
function wrapped(head: Line[], found: ReturnType<typeof valueOf>): ReturnType<typeof valueOf> {
  if (!found || !OPEN.test(found.text)) return found;
  const next = found.line.positioned ? below(head, found.line) : head[head.indexOf(found.line) + 1];
  return !next || /^\S[^:]*:/.test(next.text) ? found : { ...found, text: `${found.text} ${next.text}` };
}

function readPrices(label: Read['label'], lines: Line[], columns: Columns): void {
  const base = indexOf(lines, BASE);
  for (const [field, anchor] of [
    ['base', BASE],
    ['destination', DESTINATION],
    ['total', TOTAL],
  ] as const) {
    const at = indexOf(lines, anchor, base);
    setPrice(label, field, amountBeside(lines, at, anchor), lines[at]);
  }
  readOptions(label, columns);
}

/** The amount after the words, with or without a space, or on the next line if the words are alone. */
function amountBeside(lines: Line[], at: number, anchor: RegExp): number | null {
  const line = lines[at];
  if (!line) return null;
  const rest = line.text.replace(anchor, '').trim();
  if (!rest) {
    const next = line.positioned ? (rightOf(lines, line)[0] ?? below(lines, line)) : lines[at + 1];
    return cents(next?.text ?? '');
  }
  const cell = line.cells.slice(1).find(({ text }) => cents(text) !== null);
  return cents(rest) ?? cents(cell?.text ?? '');
}

function makeOf(sheet: Sheet, series: Line | undefined, context: ReadContext): string | undefined {
  const printed = MAKES.find(([pattern]) => pattern.test(series?.text ?? ''))?.[1];
  const site = /www\.(alfa|chrysler|dodge|fiat|jeep|ram|wagoneer)/i.exec(sheet.words)?.[1];
  const visited = site && MAKES.find(([pattern]) => pattern.test(site))?.[1];
  return context.make ?? printed ?? visited;
}

/** The band above the price column with the year and the model's title, in em of the base price's font. */
const BAND = { above: 3.5, right: 37 };
/** The title is set larger than this; still larger type is a logo set in letters of its own font. */
const SIZE = { from: 0.86, to: 3.2 };

/** The title is the largest print of the band, on one line or two. */
function titleOf(lines: Line[]): Line[] {
  const band = bandOf(lines).filter(
    (line) => line.text.length > 1 && !isYear(line.text) && !isMoney(line.text),
  );
  const size = band.reduce((largest, line) => Math.max(largest, line.size), 0);
  return band.filter((line) => line.size > 0.98 * size);
}

/** Separates a title from a digit of the year beside it, which may be set as large: the digits are one under the other. */
function withYearApart(lines: Line[]): Line[] {
  const digits = lines
    .filter(({ positioned, items }) => positioned && isDigit(items[0]))
    .slice(0, MAX_DIGITS);
  const isOfYear = (line: Line): boolean => {
    const others = digits.filter(
      (other) =>
        other !== line &&
        Math.abs(other.x - line.x) < 0.2 * line.size &&
        Math.abs(other.y - line.y) < 4 * MAX_STEP_EM * line.items[0]!.size,
    );
    // The lines of a list may begin with digits too, but none of them is a digit alone. A title takes one line or two.
    return others.length >= 3 && others.filter(({ items }) => items.length === 1).length >= 2;
  };
  return lines.flatMap((line) =>
    line.items.length > 1 && digits.includes(line) && isOfYear(line) ? splitLine(line, 1) : line,
  );
}

/** The distance between two digits of the year, in em. */
const MAX_STEP_EM = 1.5;
/** Lines that begin with a single digit. This bounds the work for a page that has thousands. */
const MAX_DIGITS = 40;

function isDigit(item: TextItem | undefined): boolean {
  return /^\d$/.test(item?.text.trim() ?? '');
}

/** `2026 MODEL YEAR`, or four digits one under the other. */
function yearOf(lines: Line[]): number | null {
  const band = bandOf(lines);
  const printed = band.map((line) => isYear(line.text) && /\b20\d{2}\b/.exec(line.text)?.[0]).find(Boolean);
  const digits = printed || band.flatMap((line) => (/^\d$/.test(line.text) ? [line.text] : [])).join('');
  return /^20\d{2}$/.test(digits) ? Number(digits) : null;
}

function isYear(text: string): boolean {
  return /MODEL YEAR|ANN[ÉE]E|MOD[ÈE]LE|^\s*20\d{2}\s*$/i.test(text);
}

function bandOf(lines: Line[]): Line[] {
  const base = lines.find((line) => line.positioned && BASE.test(line.text));
  if (!base) return [];
  const em = base.size;
  return fromTop(
    lines.filter(
      (line) =>
        line.page === base.page &&
        line.y < base.y - BAND.above * em &&
        line.x < base.x + BAND.right * em &&
        line.size < SIZE.to * em &&
        (line.size > SIZE.from * em || /^\d$/.test(line.text) || isYear(line.text)),
    ),
  );
}
