import { isUnder, fromTop } from '../../reading/line-search.ts';
import type { Line, Label } from '../../reading/types.ts';
import { modelOf } from '../../reading/vehicles.ts';
import { readFederalBoxes } from '../../reading/federal.ts';
import {
  blankLabel,
  marketOf,
  recordPlace,
  setText,
  type OptionsSum,
  type Reader,
  type Sheet,
} from '../../reading/reader.ts';
import { isAmount, readPrices, SECTION, type PricedPage } from './prices.ts';
import { readRecorded } from './recorded.ts';

/** Ford and Lincoln: a description in two columns, options in one or two, the prices beside them, the total below. */
export const reader: Reader = {
  family: 'ford',
  version: 13,
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
  const place = plant && onlyLineBelow(page.cells, plant, /^METHOD OF TRANSP/);
  if (place && /^[A-Z][A-Z ,.'/-]+$/.test(place.text)) setText(label, 'assembly', place.text, place);
  readTransport(label, page.cells);
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

/** How far below its heading a value is, and how far a line that competes with it, in em of the heading. */
const VALUE_BELOW_EM = { value: 2.6, rival: 2.9 };

/**
 * The one line between a heading and what follows it. Ford cuts a value rather than wrapping it, so a second line there
 * is not part of the label, and nothing tells which of the two is.
 */
function onlyLineBelow(cells: Line[], heading: Line, next: RegExp): Line | null {
  const near = fromTop(
    cells.filter(
      (cell) => isUnder(cell, heading) && cell.y - heading.y <= VALUE_BELOW_EM.rival * heading.size,
    ),
  );
  const end = near.findIndex(({ text }) => next.test(text));
  const [line, rival] = end < 0 ? near : near.slice(0, end);
  return line && !rival && line.y - heading.y <= VALUE_BELOW_EM.value * heading.size ? line : null;
}

/** Colors may contain digits and symbols. The letters of barcode fonts don't match. */
const COLOR = /^(?=.*[A-Z]{2})[A-Z0-9][A-Z0-9 '’"&/.,:;%!()+#*®™–-]*$/i;
const YEAR = /^(?:19|20)\d{2}\b/;

/** The car on the left from its year on, its colors on the right, each under its heading. */
function readDescription(label: Label, page: Page): boolean {
  const { description, standard, prices } = page;
  const end = standard ? standard.y - standard.size / 2 : description.y + 14 * description.size;
  const block = page.cells.filter((cell) => cell.y > description.y && cell.y < end);
  // The equipment below has headings with the same names, side by side.
  const outside = block.find(({ text }) => text === 'EXTERIOR');
  const inside = block.find(
    ({ text, x }) => text === 'INTERIOR' && (!outside || Math.abs(x - outside.x) < 6 * outside.size),
  );
  if (outside && inside && inside.y <= outside.y) return false;
  // A chassis may be sold without seats or without paint, and then prints no such heading.
  const edge = outside?.x ?? inside?.x ?? prices?.x ?? Infinity;
  const left = fromTop(block.filter((cell) => cell.right < edge));
  const year = left.findIndex(({ text }) => YEAR.test(text));
  // Without the line that names the car, this may be another block.
  if (year < 0) return outside !== undefined;
  const value = (heading: Line | undefined): Line | null => {
    const line = heading ? onlyLineBelow(block, heading, /^(?:EX|IN)TERIOR$/) : null;
    return line && COLOR.test(line.text) && !isAmount(line.text) ? line : null;
  };
  const [color, seats] = [value(outside), value(inside)];
  const rows = left.slice(year);
  const engine = engineOf(rows, inside);
  const next = engine && rows[rows.indexOf(engine) + 1];
  const [model, ...others] = rows;
  const transmission = next && TRANSMISSION.test(next.text) ? next : undefined;
  const wheelbase = others.find(({ text }) => WHEELBASE.test(text));
  const nameplate = nameplateOf(block, model!, edge);
  label.year = Number(YEAR.exec(model!.text)![0]);
  label.model = modelOf(nameplate?.text ?? null, model!.text);
  recordPlace(label, 'model', nameplate, model);
  setText(label, 'wheelbase', WHEELBASE.exec(wheelbase?.text ?? '')?.[0], wheelbase);
  label.exterior = color && { color: color.text, code: null };
  recordPlace(label, 'exterior', color);
  setText(label, 'interior', seats?.text, seats);
  setText(label, 'engine', engine?.text, engine);
  setText(label, 'transmission', transmission?.text, transmission);
  setText(label, 'nameplate', nameplate?.text, nameplate);
  return true;
}

/** A plain word of capitals: `RAIL`, `CONVOY`. */
const MEANS = /^[A-Z][A-Z /-]{2,20}$/;

/** How the car travels: under its heading or, where that is covered, above the number of the item. */
function readTransport(label: Label, cells: Line[]): void {
  const heading = cells.find(({ text }) => text.startsWith('METHOD OF TRANSP'));
  const item = cells.find(({ text }) => text.startsWith('ITEM #'));
  const above =
    item &&
    cells.filter(
      ({ x, y }) =>
        y < item.y - 0.5 * item.size &&
        item.y - y < 3 * item.size &&
        x > item.x - item.size &&
        x < item.x + 20 * item.size,
    );
  const means = heading ? onlyLineBelow(cells, heading, /^ITEM #/) : above?.length === 1 ? above[0]! : null;
  if (!means || !MEANS.test(means.text)) return;
  label.delivery.transport = means.text;
  recordPlace(label, 'delivery.transport', means);
}

/** The large name above the line with the year. */
function nameplateOf(block: Line[], row: Line, edge: number): Line | null {
  const [name, rival] = block.filter(({ size, x, y }) => size > 1.8 * row.size && y < row.y && x < edge);
  return name && !rival && NAMEPLATE.test(name.text) ? name : null;
}

const NAMEPLATE = /^[A-Z0-9][A-Z0-9 .&'’-]{1,39}$/;
const WHEELBASE = /\b\d{2,3}(?:\.\d+)?\s?(?:"|''|”|IN\.?)\s?(?:WB|WHEELBASE)\b/;

const ENGINE =
  /^\d\.\d\s?L\b|^\d\.\d (?=[A-Z])|\b(?:ENG|ENGINE|E-?MOTORS?|MOTORS?|BATT|BATTERY|ECOBOOST|POWER STROKE|V-?[68]|I-?[34])\b|\d\s?KWH\b/;
const DISPLACEMENT = /^\d\.\d\s?L\b/;
const TRANSMISSION =
  /\bTRANS|\bTRA$|\b\d*-?SPEED\b|\b\d*SPD\b|\bAUTO|\bMANUAL\b|CVT\b|\bDCT\b|TORQSHIFT|SELECTSHIFT|\bTREMEC\b|\bGETRAG\b/;

/** The row that reads like an engine; else the row beside INTERIOR, where Ford prints it, unless that is the transmission. */
function engineOf(rows: Line[], inside: Line | undefined): Line | undefined {
  const [, ...others] = rows;
  // First the liters: `AUTO START-STOP` is part of an engine's name, and a body may be a `MOTOR HOME`.
  const named =
    others.find(({ text }) => DISPLACEMENT.test(text)) ??
    others.find(({ text }) => ENGINE.test(text) && !TRANSMISSION.test(text));
  const beside = others.find((row) => inside && Math.abs(row.y - inside.y) < 0.4 * row.size);
  return (
    named ?? (beside && (ENGINE.test(beside.text) || !TRANSMISSION.test(beside.text)) ? beside : undefined)
  );
}

/** Standard equipment in columns, each with one or two headings. */
function standardOf({ cells, standard, options, prices, bottom }: Page): Label['standard'] {
  if (!standard) return [];
  const end = options?.y ?? prices?.y ?? bottom;
  const block = cells.filter((cell) => cell.y > standard.y + 0.5 * standard.size && cell.y < end - cell.size);
  const headings = headingsOf(block);
  const sections = new Map(headings.map((line) => [line, [] as Line[]]));
  for (const cell of fromTop(block)) {
    const heading = headingOf(cell, headings);
    if (heading && !sections.has(cell)) sections.get(heading)!.push(cell);
  }
  return [...sections]
    .map(([{ text }, lines]) => ({ section: text, items: itemsOf(lines) }))
    .filter(({ items }) => items.length > 0);
}

/** How far left of its items a heading begins, in em. A line that continues an item does so by 0.15. */
const OUTDENT_EM = { heading: 0.5, aligned: 0.2 };
/** Labels have five. This bounds the work for a page that repeats them thousands of times. */
const MAX_SECTIONS = 40;

/** Known headings, and others in line with them: in capitals, above an item that is indented. */
function headingsOf(block: Line[]): Line[] {
  const known = block.filter(({ text }) => SECTION.test(text)).slice(0, MAX_SECTIONS);
  const headings = new Set(known);
  for (const { x, y, size } of known) {
    const column = fromTop(
      block.filter(
        (cell) => cell.y >= y && Math.abs(cell.x - x) < size && Math.abs(cell.size - size) < 0.1 * size,
      ),
    );
    const indent = (line: Line | undefined): number => (line ? (line.x - x) / size : 0);
    if (indent(column[1]) < OUTDENT_EM.heading) continue;
    for (const [at, cell] of column.entries())
      if (
        Math.abs(indent(cell)) < OUTDENT_EM.aligned &&
        indent(column[at + 1]) >= OUTDENT_EM.heading &&
        /^[A-Z][A-Z &/-]{3,30}$/.test(cell.text)
      )
        headings.add(cell);
  }
  return [...headings];
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
