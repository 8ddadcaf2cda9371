import type { Box, TextItem } from '../../reading/types.ts';
import { indexOf } from '../../reading/find.ts';
import type { Line } from '../../reading/lines.ts';
import type { Sheet } from '../../reading/reader.ts';

export interface Description {
  model: string | null;
  exterior: string | null;
  interior: string | null;
  engine: string | null;
  transmission: string | null;
  places: Record<string, Box>;
}

/** What ends the left column of the line that carries the colour, where only words can tell. */
const BODY =
  /^(.*\b(?:PASSENGER|SPORTS CAR|WHEELBASE|WB|STYLESIDE|CHASSIS CAB|CARGO VAN|VAN|WAGON|CUTAWAY))\s+(\S.*)$/;
const GEARS =
  /^(.*\b(?:TRANSMISSION|TRANSMISSN|TRANS|CVT|AUTOMATIC|AUTO|MANUAL)(?: (?:W\/\S+|TORQSHIFT|SELECTSHIFT|TREMEC))*)\s+(\S.*)$/;
/** Colours are words; a figure means that the columns were cut in the wrong place. */
const COLOUR = /^[A-Z][A-Z '&/.-]*$/;
/** By its place a colour may have figures and marks; barcode fonts yield letters of no alphabet of ours. */
const PLACED_COLOUR = /^[A-Z0-9][A-Z0-9 '’&/.,()®™-]*$/i;

/** The block under VEHICLE DESCRIPTION: what the car is on the left, its colours on the right. */
export function descriptionOf(sheet: Sheet): Description | null {
  return (sheet.positioned ? byPosition(sheet) : null) ?? byWords(sheet.lines);
}

function byPosition(sheet: Sheet): Description | null {
  const at = sheet.lines.find((line) => /VEHICLE DESCRIPTION/.test(line.text));
  const items = sheet.text.pages[(at?.page ?? 1) - 1]?.items ?? [];
  if (!at) return null;
  const block = items.filter((item) => item.y > at.y && item.y < at.y + 130 && item.text.trim() !== '');
  const right = block.find((item) => item.text.trim() === 'EXTERIOR');
  const inside =
    right && block.find((item) => item.text.trim() === 'INTERIOR' && Math.abs(item.x - right.x) < 8);
  if (!right || !inside) return null;
  const under = (head: TextItem, end: number): Run | null => {
    const below = block.filter(
      (item) => item.y > head.y + 2 && item.y < Math.min(head.y + 30, end) && Math.abs(item.x - head.x) < 8,
    );
    const [first] = below.toSorted((one, other) => one.y - other.y);
    return first ? runFrom(first, block) : null;
  };
  const leftOf = (row: Run | null): Run | null => {
    const same = block.filter((item) => row && Math.abs(item.y - row.y) < 3 && item.x < right.x - 8);
    const [first] = same.toSorted((one, other) => one.x - other.x);
    return first ? runFrom(first, same) : null;
  };
  const printed = under(right, inside.y > right.y ? inside.y - 2 : Infinity);
  const colour = printed && PLACED_COLOUR.test(printed.text) ? printed : null;
  const seats = under(inside, Infinity);
  const found = {
    model: leftOf(right),
    exterior: colour,
    interior: seats,
    engine: leftOf(inside),
    transmission: leftOf(seats),
  };
  const places: Record<string, Box> = {};
  for (const [field, run] of Object.entries(found)) if (run) places[field] = boxOf(run, at.page);
  return {
    model: found.model?.text ?? null,
    exterior: colour?.text ?? null,
    interior: seats?.text ?? null,
    engine: found.engine?.text ?? null,
    transmission: found.transmission?.text ?? null,
    places,
  };
}

type Run = Pick<TextItem, 'text' | 'x' | 'y' | 'width' | 'size'>;

/** An item and those that go on close to its right: a name may be drawn in several runs. */
function runFrom(first: TextItem, block: TextItem[]): Run {
  const row = block.filter((item) => Math.abs(item.y - first.y) < 3 && item.x > first.x);
  const run = { ...first, text: first.text };
  for (const item of row.toSorted((one, other) => one.x - other.x)) {
    const gap = item.x - run.x - run.width;
    if (gap > run.size) break;
    run.text += gap > run.size * 0.18 ? ` ${item.text}` : item.text;
    run.width = item.x + item.width - run.x;
  }
  return { ...run, text: run.text.replace(/\s+/g, ' ').trim() };
}

function boxOf(item: Run, page: number): Box {
  const [x, y, width, height] = [item.x, item.y - item.size * 0.8, item.width, item.size].map(
    (at) => Math.round(at * 10) / 10,
  );
  return { page, x: x!, y: y!, width: width!, height: height! };
}

function byWords(lines: Line[]): Description | null {
  const at = indexOf(lines, /VEHICLE DESCRIPTION/);
  if (at < 0) return null;
  // Only the next few lines: both words come again as headings of the equipment.
  const block = lines.slice(at + 1, at + 9).map((line) => line.text);
  const outside = block.findIndex((text) => /\bEXTERIOR$/.test(text));
  if (outside < 0) return null;
  const inside = block.findIndex((text, index) => index > outside && /\bINTERIOR$/.test(text));
  const [, , color] = BODY.exec(block[outside + 1] ?? '') ?? [];
  const [, transmission, seats] = GEARS.exec(inside < 0 ? '' : (block[inside + 1] ?? '')) ?? [];
  return {
    model: block[outside]!.replace(/\s*EXTERIOR$/, '') || null,
    exterior: color && COLOUR.test(color) ? color : null,
    interior: seats ?? null,
    engine: inside < 0 ? null : block[inside]!.replace(/\s*INTERIOR$/, '') || null,
    transmission: transmission ?? null,
    places: {},
  };
}
