import { below, indexOf, lastIndexOf, rowFrom, columnsByEdge, fromTop } from '../../reading/line-search.ts';
import { townIn } from '../../reading/parts-content.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import type { Line, Label } from '../../reading/types.ts';
import {
  blankLabel,
  recordPlace,
  setText,
  type Read,
  type ReadContext,
  type Reader,
  type Sheet,
} from '../../reading/reader.ts';
import { shipToOf, readDealer } from '../../reading/delivery.ts';
import { celestiqBlock, isCelestiq, readCelestiq } from './celestiq.ts';
import { readHeader, unitOf, withoutEngine } from './header.ts';
import { OPTIONS, readPrices, smallTypeOf } from './prices.ts';

/** The heading, not the explanation that ends `… STANDARD EQUIPMENT SHOWN)`. */
const STANDARD = /^STANDARD EQUIPMENT\s*(?:\/|$)/i;
/** In the foot. `FINAL ASSEMBLY POINT` in the parts box is read for all makes alike, and both must agree. */
const ASSEMBLY = /^FINAL ASSEMBLY(?:\s*\/\s*USINE D.ORIGINE)?\s*:/i;
const CANADA = /EXTERIOR \/ EXT[EÉ]RIEUR|General Motors of Canada|"GMCANADA"|nrcan\.gc\.ca/i;
const FRENCH = /^Visitez\b.*www|^MOTEUR\b/m;
const PRICED = /^(?:STANDARD VEHICLE PRICE|TOTAL VEHICLE PRICE|PRIX TOTAL)/i;

export const reader: Reader = {
  family: 'gm',
  version: 14,
  recognizes: ({ words }) =>
    /General Motors|GMLBL_|"maker":"|^STANDARD VEHICLE (?:PRICE|MSRP)/im.test(words) &&
    /\bEXTERIOR[^:\n]{0,14}:/.test(words),
  read,
};

function read(sheet: Sheet, context: ReadContext): Read | null {
  const unit = unitOf(sheet.lines);
  const lines = withoutEngine(sheet.lines.filter((line) => !isHidden(line, unit)));
  const small = smallTypeOf(lines, unit);
  const market = CANADA.test(sheet.words) ? 'CA' : 'US';
  const make = makeOf(sheet, context);
  if (!make) return null;
  const label = blankLabel(make, market, market === 'CA' && FRENCH.test(sheet.words) ? 'fr' : 'en');
  readHeader(label, lines);
  const block = sheet.positioned ? blockOf(lines, unit, small) : recordedBlock(lines);
  if (!label.exterior && block.length === 0) return null;

  const options = isCelestiq(block)
    ? readCelestiq(label, block, COLUMN.step * unit)
    : readPrices(label, block, small);
  if (block[0] && STANDARD.test(block[0].text)) label.standard = readStandard(block, unit, small);

  const assembly = lines.find((line) => ASSEMBLY.test(line.text));
  const place = assembly?.positioned ? below(lines, assembly) : lines[lines.indexOf(assembly!) + 1];
  const town = place && rowFrom(lines, place);
  if (assembly && town && !/[:\d]/.test(town) && (!sheet.positioned || isPlant(town)))
    setText(label, 'assembly', town, place);
  readFederalBoxes(label, sheet);
  readDelivery(label, lines);
  readHiddenText(label, sheet);
  label.shipTo = shipToOf(lines, /^(?:DEALER TO WHOM DELIVERED|DELIVERED TO)/i);
  return options ? { label, options } : { label };
}

/** `LANSING, MI U.S.A.`, `YANTAI ETDZ,P.R., CHINA`: a town, perhaps its state, and the country, which may be printed at a distance. */
function isPlant(place: string): boolean {
  return /^[A-Z][A-Z .'-]*(?:, ?[A-Z][A-Z .]{1,15})?$/i.test(townIn(place) ?? '');
}

/** What follows below the block: the boxes required by law, and the footer. */
const BELOW =
  /Fuel Economy and Environment|GOVERNMENT 5.STAR|PARTS CONTENT INFORMATION|^EPA$|^DOT$|^Annual fuel|^L ?\/ ?100 ?km$|EnerGuide|FINAL ASSEMBLY|^ORD(?:ER NO|\/COMM)|^VIN\b/i;
/** The height of the block's columns and the minimum distance between their left edges, in the label's own points. */
const COLUMN = { height: 290, step: 60 };

/** Equipment and prices: some columns side by side under one line, read one after the other. */
function blockOf(lines: Line[], unit: number, small: number): Line[] {
  if (isCelestiq(lines)) return celestiqBlock(lines);
  const heading =
    lines.find((line) => STANDARD.test(line.text)) ?? lines.find((line) => BEGINS.test(line.text));
  if (!heading) return [];
  const top = heading.y - 0.8 * heading.size;
  const left = heading.x - 20 * unit;
  const under = lines.filter((line) => line.page === heading.page && line.y > top && line.x > left);
  const bottom = under
    .filter((line) => BELOW.test(line.text) && line.y > heading.y)
    .reduce((y, line) => Math.min(y, line.y - line.size), heading.y + COLUMN.height * unit);
  const block = under.filter((line) => line.y < bottom && !/^Visit(?:ez)?\b.*www\./i.test(line.text));
  return columnsByEdge(
    block.filter((line) => line.size > small),
    COLUMN.step * unit,
  ).flat();
}

const BEGINS = /^(?:OPTIONS (?:&|ET) PRI|STANDARD VEHICLE PRICE)/i;

/** The block of equipment and prices as recorded: from its last heading, as it may be recorded more than once. */
function recordedBlock(lines: Line[]): Line[] {
  const standard = lastIndexOf(lines, STANDARD);
  const priced = standard >= 0 && indexOf(lines, PRICED, standard) >= 0;
  const options = lastIndexOf(lines, OPTIONS);
  const from = priced || options < 0 ? standard : options;
  return from < 0 ? (isCelestiq(lines) ? lines : []) : lines.slice(from);
}

function makeOf(sheet: Sheet, context: ReadContext): string | undefined {
  const site = /www\.(buick|cadillac|chevrolet|chevy|gmc)/i.exec(sheet.words)?.[1]?.toLowerCase();
  const written: Record<string, string> = {
    buick: 'Buick',
    cadillac: 'Cadillac',
    chevrolet: 'Chevrolet',
    chevy: 'Chevrolet',
    gmc: 'GMC',
  };
  return context.make ?? (site ? written[site] : undefined);
}

const BULLET = /^[•·]\s*/;
const END = /^(?:MANUFACTURER.S SUGGESTED|STANDARD VEHICLE|OPTIONS (?:&|ET|INSTALLED)|PERSONAL SELECTIONS)/i;
const SECTION =
  /^(?:OWNER BENEFITS|PERFORMANCE(?: & MECHANICAL)?|MECHANICAL|LUXURY & CONVENIENCE|SAFETY & SECURITY|INTERIOR|EXTERIOR|CONNECTIVITY & TECHNOLOGY|ENTERTAINMENT|CAPABILITY|TECHNOLOGY)$/;
/** In the label's own points: section headings keep their size while the items under them shrink from 10 until all fit. */
const HEADING = 10.5;
/** The sentence under the heading, which is told by its words where its type is no smaller than the list's. */
const INTRODUCTION = /^(?:ITEMS FEATURED|THE STANDARD|INDIQU[ÉE]S CI|PARTIE DU PRIX)/i;

/** Standard equipment by section. A line without a bullet continues the item above, whatever its indent. */
export function readStandard(block: Line[], unit: number, small: number): Label['standard'] {
  const sections: Label['standard'] = [];
  for (const line of block.slice(1)) {
    if (END.test(line.text)) break;
    if ((line.positioned && line.size < small) || INTRODUCTION.test(line.text)) continue;
    const bullet = BULLET.test(line.text);
    const text = line.text.replace(BULLET, '');
    const heading = line.positioned ? line.size > HEADING * unit : SECTION.test(text);
    const section = sections.at(-1);
    if (heading && !bullet) sections.push({ section: text, items: [] });
    else if (!section) sections.push({ section: null, items: [text] });
    else if (bullet || section.items.length === 0) section.items.push(text);
    else section.items.push(`${section.items.pop()} ${text}`);
  }
  return sections;
}

const DEALER = /^(?:DEALER TO WHOM DELIVERED|DELIVERED TO|CLIENT SELECTED DEALER)/i;
const DEALER_NUMBER = /^(?:DEALER NO|DLR\/CONCESS)\.?:? ?(\d{5})$/;
const ORDER_NUMBER = /^(?:ORDER NO|ORD\/COMM)\.?:? ?([A-Z0-9]{6})$/;

/** The box in the foot: order number, dealer's number, and the dealer's address. */
function readDelivery(label: Label, lines: Line[]): void {
  const find = (anchor: RegExp) => lines.find(({ text }) => anchor.test(text));
  const order = find(ORDER_NUMBER);
  label.delivery.orderNumber = ORDER_NUMBER.exec(order?.text ?? '')?.[1] ?? null;
  recordPlace(label, 'delivery.orderNumber', order);
  const number = DEALER_NUMBER.exec(find(DEALER_NUMBER)?.text ?? '')?.[1] ?? null;
  readDealer(label, lines, lines[indexOf(lines, DEALER)], number);
}

/** Text for machines, in type too small for people to read. */
function isHidden(line: Line, unit: number): boolean {
  return (line.positioned && line.size < 4 * unit) || line.text.startsWith('{"');
}

/** The lines of the hidden text: in the same tiny type, under each other at the top of the page. */
function hiddenLines(lines: Line[]): Line[] {
  const first = lines.find(({ text }) => text.startsWith('{"'));
  if (!first?.positioned) return first ? [first] : [];
  const isBelow = ({ page, x, y, size }: Line): boolean =>
    page === first.page &&
    Math.abs(size - first.size) < 0.1 * first.size &&
    Math.abs(x - first.x) < size &&
    y > first.y + 0.5 * size &&
    y < first.y + MAX_LINES * size;
  return [first, ...fromTop(lines.filter(isBelow))];
}

/** Real ones take three or four. */
const MAX_LINES = 12;

const DAY = /"creation_date"\s*:\s*"(\d{1,2})\/(\d{1,2})\/(20\d{2})"/;
const OPTION_CODES = /"Options" ?: ?\[/;
/** Real lists have up to 230. */
const MAX_CODES = 400;

/**
 * The day of the file and the codes of all options, from the JSON that begins each file: `"Options":["AKQ", "AL0", "", ""]`.
 * It is one text in several lines, and only counts if it is about this car.
 */
function readHiddenText(label: Label, sheet: Sheet): void {
  const json = hiddenLines(sheet.lines)
    .map(({ text }) => text)
    .join(' ');
  const vin = /"vin"\s*:\s*"([A-Z0-9]{17})"/.exec(json)?.[1];
  if (!vin || vin !== sheet.vin) return;
  const [, month, day, year] = DAY.exec(json) ?? [];
  if (year) label.created = isoDay(Number(year), Number(month), Number(day));
  const from = json.search(OPTION_CODES);
  const end = from < 0 ? -1 : json.indexOf(']', from);
  const list = end < 0 ? '' : json.slice(json.indexOf('[', from) + 1, end);
  const codes = list.split(',').map((code) => /^"(.*)"$/.exec(code.trim())?.[1] ?? '');
  const printed = codes.filter((code) => /^[A-Z0-9]{3}$/.test(code)).slice(0, MAX_CODES);
  label.optionCodes = printed.length > 0 ? printed : null;
}

/** Null for a day that doesn't exist. */
function isoDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.toISOString().slice(0, 10)
    : null;
}
