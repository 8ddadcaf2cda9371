import type { Label } from '../types.ts';
import type { Line } from './lines.ts';
import { note } from './reader.ts';

const EXTERIOR = /\bEXTERIOR(?:\s*\/\s*EXT[EÉ]RIEUR)?\s*:\s*/i;
const INTERIOR = /^INTERIOR(?:\s*\/\s*INT[EÉ]RIEUR)?\s*:\s*/i;
/** Where the header ends in recorded text. */
const AFTER_COLOURS =
  /^(?:ENGINE|MOTEUR|ELECTRIC|DRIVE UNIT|TRANSMISSION|BO[IÎ]TE|Visit|Visitez|STANDARD EQUIPMENT|VIN)\b/i;
const ENGINE = /^(?:ENGINE|MOTEUR)\b/i;

/** The header's three columns: title, colours, engine above transmission. In points. */
const COLOURS = { left: 660, right: 880 };
const HEADER_BOTTOM = 126;

/** Colours wrap near 33 characters, so each runs until the next anchor; a colour may itself say `EXTERIOR`. */
export function readHeader(label: Label, lines: Line[]): void {
  const at = lines.findIndex((line) => EXTERIOR.test(line.text));
  readTitle(label, lines, at);
  const first = lines[at];
  if (first) {
    const column = lines.slice(at).filter((line) => beside(first, line));
    const end = column.findIndex((line, index) => index > 0 && INTERIOR.test(line.text));
    const exterior = end < 0 ? [first] : column.slice(0, end);
    const found = EXTERIOR.exec(first.text)!;
    const color = joined(exterior, first.text.slice(found.index + found[0].length));
    label.exterior = color ? { color, code: null } : null;
    note(label, 'exterior', ...exterior);
    if (end >= 0) readInterior(label, column.slice(end));
  }
  readEngine(label, lines, at);
}

function readInterior(label: Label, column: Line[]): void {
  const end = column.findIndex((line, index) => index > 0 && AFTER_COLOURS.test(line.text));
  const interior = end < 0 ? column.slice(0, column[0]!.positioned ? 3 : 1) : column.slice(0, end);
  label.interior = joined(interior, interior[0]!.text.replace(INTERIOR, '')) || null;
  note(label, 'interior', ...interior);
}

function readTitle(label: Label, lines: Line[], at: number): void {
  const shared = lines[at]?.text.split(EXTERIOR)[0]?.trim();
  const titles = lines.filter(
    (line) => line.positioned && line.y < HEADER_BOTTOM && line.x < COLOURS.left && line.size >= 14,
  );
  const recorded = lines
    .slice(0, Math.max(at, 0))
    .findLast((line) => !line.positioned && /^(?:19|20)\d{2}\b/.test(line.text));
  const model = titles.map((line) => line.text).join(' ') || shared || recorded?.text;
  label.model = model ?? null;
  label.year = Number(/^(20\d{2})\b/.exec(model ?? '')?.[1]) || null;
  note(label, 'model', ...titles);
}

/** Exactly two lines, cut rather than wrapped. Electric cars print neither, or one that says so. */
function readEngine(label: Label, lines: Line[], at: number): void {
  const column = lines.filter(
    (line) =>
      line.positioned &&
      line.page === 1 &&
      line.y < 100 &&
      line.x >= COLOURS.right &&
      line.x < 1090 &&
      line.size > 10,
  );
  const recorded = lines.slice(Math.max(at, 0), at + 8);
  const from = recorded.findIndex((line) => ENGINE.test(line.text));
  const [engine, transmission] = lines[0]?.positioned
    ? column
    : from < 0
      ? []
      : recorded.slice(from, from + 2);
  label.engine = engine?.text ?? null;
  label.transmission = transmission?.text ?? null;
  note(label, 'engine', engine);
  note(label, 'transmission', transmission);
}

function beside(first: Line, line: Line): boolean {
  if (!line.positioned) return true;
  return line.y < HEADER_BOTTOM && Math.abs(line.x - first.x) < 30;
}

function joined(lines: Line[], head: string): string {
  return [head, ...lines.slice(1).map((line) => line.text)].join(' ').trim();
}
