import type { Label, Line } from '../../reading/types.ts';
import { fromTop, withoutSlash } from '../../reading/line-search.ts';
import { splitLine } from '../../reading/lines.ts';
import { isMoney } from '../../reading/money.ts';
import { readModelLine } from '../../reading/vehicles.ts';
import { recordPlace, setText } from '../../reading/reader.ts';
import { celestiqTitle, isCelestiq } from './celestiq.ts';

const EXTERIOR = /\bEXTERIOR(?:\s*\/\s*EXT[EÉ]RIEUR)?\s*:\s*/i;
const INTERIOR = /^INTERIOR\b(?:\s*\/\s*INT[EÉ]RIEUR)?\s*:?\s*/i;
const ON_THE_SAME_LINE = /\bINTERIOR\b(?:\s*\/\s*INT[EÉ]RIEUR)?\s*:[^]*/i;
/** A color wraps once or twice. In recorded text nothing else shows where it ends. */
const MAX_LINES = 3;
/** Where the header ends in recorded text. */
const AFTER_COLORS =
  /^(?:ENGINE|MOTEUR|ELECTRIC|DRIVE UNIT|TRANSMISSION|BO[IÎ]TE|Visit|Visitez|STANDARD EQUIPMENT|VIN)\b/i;
const ENGINE = /^(?:ENGINE|MOTEUR)\b/i;
const NAMES_ENGINE = /^(?:ENGINE|MOTEUR)\b|\b\d[.,]\d ?L\b/i;
const GEARBOX = /\bTRANS|\bSPEED\b|\bSPD\b|\bAUTO|\bMANUAL|\bMANUELLE|\bCVT\b|\bBO[IÎ]TE\b|\bVITESSES\b/i;

/** Colors, engine and transmission are set in 12 points on a label of its own size. */
const TYPE = 12;
/** The title at the left of the colors and the engine at their right, in em of the colors' type. */
const TITLE = { size: 1.15, above: 4, below: 6 };
const ENGINE_AT = { gap: 12, step: 1.7 };

/** How large the label is drawn: 1 where its points are points. */
export function unitOf(lines: Line[]): number {
  const colors = lines.find((line) => line.positioned && EXTERIOR.test(line.text));
  return colors ? colors.size / TYPE : 1;
}

/** The widest space between two words of a color, and the narrowest before the engine beside it, in em. */
const SPACE = { widest: 0.45, narrowest: 0.18 };
/** Lines beside the colors, and runs in each. This bounds the work for a page that has thousands. */
const MAX_BESIDE = 40;

/**
 * Separates the engine from a color that nearly reaches it: colors wrap by their characters and not by their width, so
 * the gap before the engine may be smaller than usual between columns.
 */
export function withoutEngine(lines: Line[]): Line[] {
  const colors = lines.find((line) => line.positioned && EXTERIOR.test(line.text));
  if (!colors) return lines;
  const em = colors.size;
  const isBeside = ({ page, y, items }: Line): boolean =>
    page === colors.page && Math.abs(y - colors.y) < ENGINE_AT.step * em && items.length <= MAX_BESIDE;
  const beside = lines.filter(isBeside).slice(0, MAX_BESIDE);
  const isColumn = (x: number, line: Line): boolean =>
    beside.some((other) => other !== line && other.items.some((item) => Math.abs(item.x - x) < 0.1 * em));
  return lines.flatMap((line) => {
    if (line.cells.length > 1 || !beside.includes(line)) return line;
    const from = line.items.find(({ text }) => EXTERIOR.test(text) || INTERIOR.test(text)) ?? line.items[0]!;
    const at = line.items.findIndex((item, index) => {
      const before = line.items[index - 1];
      if (!before || item.x < from.x + ENGINE_AT.gap * em) return false;
      const gap = item.x - before.x - before.width;
      return gap > SPACE.widest * em || (gap > SPACE.narrowest * em && isColumn(item.x, line));
    });
    return at > 0 ? splitLine(line, at) : line;
  });
}

/** Colors wrap near 33 characters, so each runs until the next anchor; a color may itself say `EXTERIOR`. */
export function readHeader(label: Label, lines: Line[]): void {
  const at = lines.findIndex((line) => EXTERIOR.test(line.text));
  readTitle(label, lines, at);
  const first = lines[at];
  if (first) {
    const column = columnFrom(first, first.positioned ? lines : lines.slice(at + 1));
    const end = column.slice(0, MAX_LINES).findIndex(isInterior);
    const below = end < 0 ? endless(first, column) : wrapOf(first, column.slice(0, end), column[end]!);
    const found = EXTERIOR.exec(first.text)!;
    const own = first.text.slice(found.index + found[0].length);
    const beside = ON_THE_SAME_LINE.exec(own);
    const exterior = [first, ...(beside ? [] : (below ?? []))];
    const color = joined(exterior, beside ? withoutSlash(own.slice(0, beside.index)) : own);
    label.exterior = color && (beside || below) ? { color, code: null } : null;
    if (label.exterior) recordPlace(label, 'exterior', ...exterior);
    if (beside) label.interior = beside[0].replace(INTERIOR, '').trim() || null;
    else if (end >= 0) readInterior(label, column.slice(end), first);
  }
  // Its form has no place for an engine.
  if (!isCelestiq(lines)) readEngine(label, lines, at);
}

/** Without its place on the page, only a colon tells the color's word from the heading of the equipment. */
function isInterior(line: Line): boolean {
  return INTERIOR.test(line.text) && (line.positioned || line.text.includes(':'));
}

/** The lines under the color's own, whether or not it shares the title's line. */
function columnFrom(first: Line, lines: Line[]): Line[] {
  if (!first.positioned) return lines.slice(0, 2 * MAX_LINES);
  const x = first.cells.find((cell) => EXTERIOR.test(cell.text))?.x ?? first.x;
  const em = first.size;
  return fromTop(
    lines.filter(
      (line) =>
        line.page === first.page &&
        line.x > x - 2 * em &&
        line.x < x + 5 * em &&
        line.y > first.y + em / 2 &&
        line.y < first.y + 6.5 * em,
    ),
  );
}

/** A line wraps only where its next word would not fit. The longest that fit have 32 characters; this leaves room for narrow type. */
const FITS = 30;
/** Lines of the header are equally far apart, but for this share. */
const MAX_STEP_RATIO = 1.05;

/** True if a line continues another: its first word had no room there. */
function isWrap(line: Line, next: Line): boolean {
  return !line.positioned || line.text.length + 1 + next.text.split(' ', 1)[0]!.length > FITS;
}

/** True if lines are equally far apart. The first two may be further apart by whole lines, of a color that wraps. */
function isEven(lines: Line[]): boolean {
  const steps = lines.slice(1).map((line, at) => line.y - lines[at]!.y);
  const step = Math.min(...steps);
  if (step < 0.9 * lines[0]!.size) return false;
  return steps.every((other) => Math.abs(other / step - Math.round(other / step)) < MAX_STEP_RATIO - 1);
}

/** The lines between a color's anchor and the interior's. Null if a line between them belongs to something else. */
function wrapOf(first: Line, below: Line[], interior: Line): Line[] | null {
  if (!first.positioned || below.length === 0) return below;
  const lines = [first, ...below, interior];
  return isEven(lines) && below.every((line, at) => isWrap(lines[at]!, line)) ? below : null;
}

/** The rest of a color that no interior ends. In recorded text the engine or the equipment must: else nothing is known. */
function endless(first: Line, column: Line[]): Line[] | null {
  if (first.positioned) return wrapped(first, column);
  const end = column.slice(0, MAX_LINES).findIndex((line) => AFTER_COLORS.test(line.text));
  return end < 0 ? null : column.slice(0, end);
}

/** Without an interior below it, a color continues only in lines close under it in the same type. */
function wrapped(first: Line, column: Line[]): Line[] {
  const lines: Line[] = [];
  for (const line of column) {
    const above = lines.at(-1) ?? first;
    if (
      !line.positioned ||
      Math.abs(line.size - first.size) > 0.1 * first.size ||
      line.y - above.y > 1.5 * line.size ||
      line.text.includes(':') ||
      !isWrap(above, line)
    )
      break;
    lines.push(line);
  }
  return lines;
}

function readInterior(label: Label, [first, ...below]: Line[], color: Line): void {
  if (!first) return;
  const end = below.findIndex((line) => AFTER_COLORS.test(line.text));
  const interior = [first, ...(first.positioned ? wrapped(first, below) : below.slice(0, Math.max(end, 0)))];
  const next = below[interior.length - 1];
  // Lines that overlap are not from the same label, nor are lines that are not as far apart as the color's.
  if (next?.positioned && next.y - interior.at(-1)!.y < 0.8 * first.size) return;
  if (interior.length > 1 && first.positioned && !isEven([color, ...interior])) return;
  setText(label, 'interior', joined(interior, first.text.replace(INTERIOR, '')) || null, ...interior);
}

function readTitle(label: Label, lines: Line[], at: number): void {
  const colors = lines[at];
  const shared = colors?.text.split(EXTERIOR)[0]?.trim();
  const titles = isCelestiq(lines) ? celestiqTitle(lines) : titlesOf(lines, colors);
  const recorded = lines
    .slice(0, Math.max(at, 0))
    .findLast((line) => !line.positioned && /^(?:19|20)\d{2}\b/.test(line.text));
  const title =
    titles.map((line) => line.text.split(EXTERIOR)[0]!.trim()).join(' ') || shared || recorded?.text || '';
  readModelLine(label, title, titles);
  label.year = Number(/^(20\d{2})\b/.exec(title)?.[1]) || null;
}

/** The title is the large print beside the colors, from the line that begins with the year. */
function titlesOf(lines: Line[], colors: Line | undefined): Line[] {
  const em = colors?.size ?? TYPE;
  const large = lines.filter((line) => line.positioned && line.page === 1 && line.size > TITLE.size * em);
  const beside = colors?.positioned
    ? large.filter(
        (line) =>
          line.x < colors.x + em &&
          line.y > colors.y - TITLE.above * em &&
          line.y < colors.y + TITLE.below * em,
      )
    : large;
  const titles = fromTop(beside).filter((line) => !isMoney(line.text));
  const first = titles.findIndex((line) => /^20\d{2}\b/.test(line.text));
  const year = titles[first];
  if (!year) return [];
  return titles.slice(first).filter((line) => Math.abs(line.size - year.size) < 0.1 * year.size);
}

/** Exactly two lines, truncated rather than wrapped. Electric cars print neither, or `ENGINE, NONE`. */
function readEngine(label: Label, lines: Line[], at: number): void {
  const colors = lines[at];
  const em = colors?.size ?? TYPE;
  const column = lines.filter(
    (line) =>
      colors?.positioned &&
      line.page === colors.page &&
      line.x > Math.max(colors.x + ENGINE_AT.gap * em, colors.right) &&
      line.y > colors.y - em &&
      line.y < colors.y + ENGINE_AT.step * em &&
      Math.abs(line.size - em) < 0.1 * em,
  );
  const recorded = lines.slice(Math.max(at, 0), at + 8);
  const from = recorded.findIndex((line) => ENGINE.test(line.text));
  const [first, second] = lines[0]?.positioned
    ? column.length > 2
      ? []
      : fromTop(column)
    : from < 0
      ? []
      : recorded.slice(from, from + 2);
  // An engine may have `AUTO STOP/START`.
  const isGearbox = (line: Line | undefined): boolean =>
    line !== undefined && GEARBOX.test(line.text) && !NAMES_ENGINE.test(line.text);
  const engine = isGearbox(first) ? undefined : first;
  const transmission = [first, second].find(isGearbox);
  setText(label, 'engine', engine?.text, engine);
  setText(label, 'transmission', transmission?.text, transmission);
}

function joined(lines: Line[], head: string): string {
  return [head, ...lines.slice(1).map((line) => line.text)].join(' ').trim();
}
