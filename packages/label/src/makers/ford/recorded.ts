import { featuresOf } from '../../reading/features.ts';
import { indexOf, until } from '../../reading/line-search.ts';
import type { Line, Label } from '../../reading/types.ts';
import { modelOf } from '../../reading/vehicles.ts';
import { amountOf, priced, total as sumOf } from '../../reading/money.ts';
import { withLoneAmounts } from '../../reading/price-list.ts';
import type { OptionsSum } from '../../reading/reader.ts';
import { optionsOf, readPriceBlock, SECTION, type Entry } from './prices.ts';

/** What ends the left column of the line that carries the color, where only words can tell. */
const BODY =
  /^(.*\b(?:PASSENGER|SPORTS CAR|WHEELBASE|WB|STYLESIDE|CHASSIS CAB|CARGO VAN|VAN|WAGON|CUTAWAY))\s+(\S[^]*)/;
const GEARS =
  /^(.*\b(?:TRANSMISSION|TRANSMISSN|TRANS|CVT|AUTOMATIC|AUTO|MANUAL)(?: (?:W\/\S+|TORQSHIFT|SELECTSHIFT|TREMEC)){0,4})\s+(\S[^]*)/;
/** Colors are words; a figure means that the columns were cut in the wrong place. */
const COLOR = /^[A-Z][A-Z '&/.-]*$/;
const AFTER_STANDARD =
  /^(?:INCLUDED ON THIS VEHICLE|PRICE INFORMATION|VEHICLE DESCRIPTION|EQUIPMENT GROUP|OPTIONAL EQUIPMENT|SOLD TO|TOTAL MSRP|FINAL ASSEMBLY|EPA$|GOVERNMENT 5|PARTS CONTENT|WARNING|\(MSRP\))/;

/** A label of which only the words are known, line by line: both columns of the description share a line. */
export function readRecorded(label: Label, lines: Line[]): { options?: OptionsSum } | null {
  if (!readDescription(label, lines)) return null;
  const plant = indexOf(lines, /^FINAL ASSEMBLY PLANT$/);
  const place = plant < 0 ? undefined : lines[plant + 1];
  if (place && /^[A-Z][A-Z ,.'/-]+$/.test(place.text)) label.assembly = place.text;
  const standard = indexOf(lines, /^STANDARD EQUIPMENT INCLUDED/);
  if (standard >= 0)
    label.standard = featuresOf(until(lines, standard + 1, AFTER_STANDARD), ({ text }) => SECTION.test(text));
  const options = readPrices(label, lines);
  return options ? { options } : {};
}

function readDescription(label: Label, lines: Line[]): boolean {
  const at = indexOf(lines, /VEHICLE DESCRIPTION/);
  if (at < 0) return false;
  // Only the next few lines: both words come again as headings of the equipment.
  const block = lines.slice(at + 1, at + 9).map((line) => line.text);
  const outside = block.findIndex((text) => /\bEXTERIOR$/.test(text));
  if (outside < 0) return false;
  const inside = block.findIndex((text, index) => index > outside && /\bINTERIOR$/.test(text));
  const [, , color] = BODY.exec(block[outside + 1] ?? '') ?? [];
  const [, transmission, seats] = GEARS.exec(inside < 0 ? '' : (block[inside + 1] ?? '')) ?? [];
  const description = block[outside]!.replace(/(?<!\s)\s*EXTERIOR$/, '');
  label.model = modelOf(null, description) || null;
  label.year = Number(/^(?:19|20)\d{2}\b/.exec(description)?.[0] ?? NaN) || null;
  label.exterior = color && COLOR.test(color) ? { color, code: null } : null;
  label.interior = seats ?? null;
  label.engine = inside < 0 ? null : block[inside]!.replace(/(?<!\s)\s*INTERIOR$/, '') || null;
  label.transmission = transmission ?? null;
  return true;
}

function readPrices(label: Label, lines: Line[]): OptionsSum | null {
  const { prices } = label;
  const at = indexOf(lines, /^PRICE INFORMATION/);
  const included = indexOf(lines, /INCLUDED ON THIS VEHICLE$/);
  const from = included < 0 ? indexOf(lines, /^OPTIONAL EQUIPMENT\/OTHER/) : included;
  if (at < 0) return null;
  if (from >= 0 && from < at) prices.options = optionsOf(entriesOf(lines.slice(from + 1, at)));
  const end = /^(?:\(MSRP\)|STANDARD EQUIPMENT|SOLD TO|TOTAL MSRP|TOTAL SAVINGS|EPA$)/;
  const list = entriesOf(until(lines, at + 1, end).slice(0, 24));
  // Ford prints cents everywhere.
  const printed = readPriceBlock(
    label,
    list.filter(({ name, amount }) => name !== '' && /\.\d{2}$/.test(amount ?? '')),
  );
  prices.total = totalOf(lines);
  return printed === null ? null : { printed, sum: sumOf(prices.options) };
}

/** Each line with its name and its amount. */
function entriesOf(lines: Line[]): Entry[] {
  return withLoneAmounts(lines).flatMap((line) => {
    const { name, printed } = priced(line);
    return /^_+$/.test(line.text) ? [] : [{ line, name, amount: printed }];
  });
}

/** The amount is on the line of its words, or the next line that is nothing but dollars. */
function totalOf(lines: Line[]): number | null {
  const at = indexOf(lines, /^TOTAL MSRP/);
  if (at < 0) return null;
  const isDollars = ({ text }: Line): boolean => /^\$\s?\d[\d,]*\.\d{2}$/.test(text);
  return amountOf(lines[at]) ?? amountOf(lines.slice(at + 1, at + 14).find(isDollars));
}
