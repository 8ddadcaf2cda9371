import { below } from '../../reading/line-search.ts';
import { fromTop } from '../../reading/reading-order.ts';
import type { Line } from '../../reading/lines.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import {
  blankLabel,
  marketOf,
  recordPlace,
  type OptionsSum,
  type Reader,
  type Sheet,
} from '../../reading/reader.ts';
import type { Label } from '../../reading/types.ts';
import { readPrices, type PricedPage } from './prices.ts';
import { readRecorded } from './recorded.ts';

/** Ford and Lincoln: a description in two columns, options in one or two, the prices beside them, the total below. */
export const reader: Reader = {
  family: 'ford',
  version: 5,
  recognizes: (sheet) => /VEHICLE DESCRIPTION/.test(sheet.words),
  read(sheet, context) {
    const lincoln = /^.L/.test(context.vin ?? sheet.vin ?? '');
    const label = blankLabel(context.make ?? (lincoln ? 'Lincoln' : 'Ford'), marketOf(sheet));
    const read = sheet.positioned ? readPage(label, sheet) : readRecorded(label, sheet.lines);
    if (!read) return null;
    readFederalBoxes(label, sheet);
    return { label, ...read };
  },
};

interface Page extends PricedPage {
  description: Line;
}

function readPage(label: Label, sheet: Sheet): { options?: OptionsSum } | null {
  const page = pageOf(sheet.lines);
  if (!page || !readDescription(label, page)) return null;
  const plant = page.cells.find(({ text }) => text === 'FINAL ASSEMBLY PLANT');
  const place = plant && below(page.cells, plant);
  if (place && /^[A-Z][A-Z ,.'/-]+$/.test(place.text)) {
    label.assembly = place.text;
    recordPlace(label, 'assembly', place);
  }
  label.standard = standardOf(page);
  const options = readPrices(label, page);
  return options ? { options } : {};
}

function pageOf(lines: Line[]): Page | null {
  const description = cellsOf(lines).find(({ text }) => text === 'VEHICLE DESCRIPTION');
  if (!description) return null;
  const cells = cellsOf(lines).filter((cell) => cell.page === description.page);
  const find = (anchor: RegExp): Line | undefined => cells.find(({ text }) => anchor.test(text));
  const foot = find(/^SOLD TO$/) ?? find(/^TOTAL MSRP/) ?? find(/^FINAL ASSEMBLY PLANT$/);
  return {
    cells,
    description,
    standard: find(/^STANDARD EQUIPMENT INCLUDED/),
    options: find(/^INCLUDED ON THIS VEHICLE/) ?? find(/^OPTIONAL EQUIPMENT\/OTHER/),
    prices: find(/^PRICE INFORMATION/),
    bottom: foot ? foot.y - foot.size : Infinity,
  };
}

function cellsOf(lines: Line[]): Line[] {
  return lines.flatMap((line) =>
    line.cells.length === 1
      ? line
      : line.cells.map((cell) => ({ ...line, text: cell.text, x: cell.x, right: cell.right, cells: [cell] })),
  );
}

/** Colors may contain digits and symbols. The letters of barcode fonts don't match. */
const COLOR = /^(?=.*[A-Z]{2})[A-Z0-9][A-Z0-9 '’"&/.,()+#*®™-]*$/i;
const YEAR = /^(?:19|20)\d{2}\b/;

/** The car on the left from its year on, its colors on the right, each under its heading. */
function readDescription(label: Label, page: Page): boolean {
  const { description, standard } = page;
  const end = standard ? standard.y - standard.size / 2 : description.y + 14 * description.size;
  const block = page.cells.filter((cell) => cell.y > description.y && cell.y < end);
  // The equipment below has headings with the same names, side by side.
  const outside = block.find(({ text }) => text === 'EXTERIOR');
  const inside =
    outside &&
    block.find((cell) => cell.text === 'INTERIOR' && Math.abs(cell.x - outside.x) < 6 * outside.size);
  // A chassis may be sold without seats, and then prints no interior.
  if (!outside || (inside && inside.y <= outside.y)) return false;
  const left = fromTop(block.filter((cell) => cell.right < outside.x));
  const year = left.findIndex(({ text }) => YEAR.test(text));
  // Without the line that names the car, this may be another block.
  if (year < 0) return true;
  const value = (heading: Line | undefined): Line | null => {
    const line = heading ? below(block, heading) : null;
    return line && COLOR.test(line.text) && !/^(?:EX|IN)TERIOR$/.test(line.text) ? line : null;
  };
  const [color, seats] = [value(outside), value(inside)];
  const rows = left.slice(year);
  const engine = engineOf(rows, inside);
  const next = engine && rows[rows.indexOf(engine) + 1];
  const found = {
    model: rows[0]!,
    exterior: color,
    interior: seats,
    engine,
    transmission: next && TRANSMISSION.test(next.text) ? next : undefined,
  };
  for (const [field, line] of Object.entries(found)) recordPlace(label, field, line);
  label.model = found.model.text;
  label.year = Number(YEAR.exec(found.model.text)![0]);
  label.exterior = color && { color: color.text, code: null };
  label.interior = seats?.text ?? null;
  label.engine = found.engine?.text ?? null;
  label.transmission = found.transmission?.text ?? null;
  return true;
}

const ENGINE =
  /^\d\.\d\s?L\b|^\d\.\d (?=[A-Z])|\b(?:ENG|ENGINE|E-?MOTORS?|MOTORS?|BATT|BATTERY|ECOBOOST|POWER STROKE|V-?[68]|I-?[34])\b|\d\s?KWH\b/;
const TRANSMISSION = /\bTRANS|\bTRA$|\bSPEED\b|\bSPD\b|\bAUTO|\bMANUAL\b|CVT\b|TORQSHIFT/;

/** The row that reads like an engine; else the row beside INTERIOR, where Ford prints it, unless that is the transmission. */
function engineOf(rows: Line[], inside: Line | undefined): Line | undefined {
  const [, ...others] = rows;
  const named = others.find(({ text }) => ENGINE.test(text) && !TRANSMISSION.test(text));
  const beside = others.find((row) => inside && Math.abs(row.y - inside.y) < 0.4 * row.size);
  return (
    named ?? (beside && (ENGINE.test(beside.text) || !TRANSMISSION.test(beside.text)) ? beside : undefined)
  );
}

const SECTION =
  /^(?:EXTERIOR|INTERIOR|FUNCTIONAL|SAFETY\s?\/\s?SECURITY|SAFETY|WARRANTY|TECHNOLOGY|POWERTRAIN|CONVENIENCE)$/;

/** Standard equipment in columns, each with one or two headings. */
function standardOf({ cells, standard, options, prices, bottom }: Page): Label['standard'] {
  if (!standard) return [];
  const end = options?.y ?? prices?.y ?? bottom;
  const block = cells.filter((cell) => cell.y > standard.y + 0.5 * standard.size && cell.y < end - cell.size);
  const headings = block.filter(({ text }) => SECTION.test(text));
  const sections = new Map(headings.map((line) => [line, [] as Line[]]));
  for (const cell of fromTop(block)) {
    const heading = headingOf(cell, headings);
    if (heading && !sections.has(cell)) sections.get(heading)!.push(cell);
  }
  return [...sections]
    .map(([{ text }, lines]) => ({ section: text, items: itemsOf(lines) }))
    .filter(({ items }) => items.length > 0);
}

/** An item begins under its heading, indented by at most this many em. Larger type and lines further right belong to another box. */
const MAX_INDENT_EM = 7;

/** The nearest heading above, in the last column that begins before the cell. */
function headingOf(cell: Line, headings: Line[]): Line | null {
  let nearest: Line | null = null;
  for (const heading of headings) {
    if (heading.y >= cell.y || heading.x > cell.x + cell.size) continue;
    const right = nearest && heading.x > nearest.x + cell.size;
    const lower = nearest && Math.abs(heading.x - nearest.x) <= cell.size && heading.y > nearest.y;
    if (!nearest || right || lower) nearest = heading;
  }
  if (!nearest || Math.abs(cell.size - nearest.size) > 0.3 * nearest.size) return null;
  return cell.x - nearest.x < MAX_INDENT_EM * cell.size ? nearest : null;
}

/** A line that continues the one above begins a little to its left, without the blank that a bullet is extracted as. */
function itemsOf(lines: Line[]): string[] {
  const items: string[] = [];
  let first: Line | null = null;
  const isMarked = (line: Line): boolean => line.items[0]?.text.startsWith(' ') ?? false;
  const hasMarks = 2 * lines.filter(isMarked).length > lines.length;
  for (const line of lines) {
    const outdent = first ? (first.x - line.x) / line.size : 0;
    const goesOn = hasMarks ? !isMarked(line) : outdent > 0.1 && outdent < 0.5;
    if (first && goesOn) items.push(`${items.pop()} ${line.text}`);
    else {
      items.push(line.text);
      first = line;
    }
  }
  return items;
}
