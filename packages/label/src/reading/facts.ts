import {
  below,
  indexOf,
  isRival,
  isUnder,
  MAX_VALUE_GAP_EM,
  rightOf,
  titleLine,
  fromTop,
} from './line-search.ts';
import type { Line } from './lines.ts';
import { isMoney } from './money.ts';
import { readModelLine } from './nameplates.ts';
import type { Label } from './types.ts';

interface Fact {
  text: string;
  line: Line;
}

/**
 * The value of a name with a colon: on the same line, beside it, or below it. `isFact` matches the names of other facts,
 * which are never values.
 */
export function factOf(lines: Line[], anchor: RegExp, isFact: RegExp): Fact | null {
  const at = indexOf(lines, anchor);
  const line = lines[at];
  if (!line) return null;
  const own = line.text
    .replace(anchor, '')
    // oxlint-disable-next-line patterns/linear -- The rule checks each `isFact`, and the rest always matches.
    .replace(new RegExp(`${isFact.source}[^]*`, 'i'), '')
    .trim();
  if (own) return { text: own, line };
  const value = line.positioned ? nearestValue(lines, line) : (lines[at + 1] ?? null);
  return value && !isFact.test(value.text) && !isMoney(value.text) ? { text: value.text, line: value } : null;
}

function nearestValue(lines: Line[], name: Line): Line | null {
  const [beside, rival] = rightOf(lines, name);
  if (!beside || beside.x - name.right >= MAX_VALUE_GAP_EM * name.size) return below(lines, name);
  // Nothing tells which of two values is right.
  return rival && isRival(rival, beside) ? null : beside;
}

/** The lines of the column that a priced line belongs to, from top to bottom. Recorded text has one column. */
export function columnAround(lines: Line[], priced: Line): Line[] {
  const amount = priced.cells.at(-1);
  if (!priced.positioned || !amount || priced.cells.length < 2) return lines;
  const left = priced.x - 6 * priced.size;
  return fromTop(lines.filter((line) => line.page === priced.page && line.x >= left && line.x < amount.x));
}

/** Without a slash at its end, after which another value, or the same in French, would follow. */
export function withoutSlash(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s/]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

const STATE = /\b([A-Z]{2}),?\s+(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d)$/;

const MAX_ADDRESS_LINES = 8;

/** The state or province at the end of the address under an anchor. Name and street are never read, for privacy. */
export function shipToOf(lines: Line[], anchor: RegExp): string | null {
  const at = indexOf(lines, anchor);
  const address = at < 0 ? [] : lines.slice(at, at + MAX_ADDRESS_LINES);
  return address.map(({ text }) => STATE.exec(text.trim())?.[1]).find(Boolean) ?? null;
}

/** Year and model from the title, which may continue in one or two lines of capitals below it. */
export function readTitle(label: Label, lines: Line[]): void {
  const first = titleLine(lines);
  if (!first) return;
  const index = lines.indexOf(first);
  const title = [first];
  const candidates = first.positioned ? lines : lines.slice(index + 1, index + 3);
  for (let count = 0; count < 2; count++) {
    const last = title.at(-1)!;
    const next = candidates.find((line) => !title.includes(line) && continues(last, line));
    if (!next || (!next.positioned && candidates.indexOf(next) !== count)) break;
    title.push(next);
  }
  readModelLine(label, title.map(({ text }) => text).join(' '), title);
  label.year = Number(first.text.slice(0, 4));
}

/** True if `next` is a line of the same title, and not a fact or heading. */
function continues(line: Line, next: Line): boolean {
  if (isMoney(next.text)) return false;
  if (!/^[A-Z0-9][A-Z0-9 ./-]*$/.test(next.text) || /FEATURES|EXPERIENCE|GOVERNMENT|^VIN\b/.test(next.text))
    return false;
  if (!next.positioned) return true;
  return (
    isUnder(next, line) &&
    Math.abs(next.size - line.size) < 0.1 * line.size &&
    next.y - line.y < 2 * line.size
  );
}

/** The state of the receiver. If buyer and receiver have the same dealer code, only the buyer's address is printed. */
export function receiverOf(lines: Line[], buyer: RegExp, receiver: RegExp): string | null {
  const codeOf = (anchor: RegExp): string | undefined =>
    lines[indexOf(lines, anchor)]?.text.replace(anchor, '').trim();
  const own = shipToOf(lines, receiver);
  return own ?? (codeOf(buyer) && codeOf(buyer) === codeOf(receiver) ? shipToOf(lines, buyer) : null);
}
