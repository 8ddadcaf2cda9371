import { indexOf } from './find.ts';
import type { Line } from './lines.ts';

const STATE = /\b([A-Z]{2}),?\s+(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d)$/;

/** The state or province at the end of the address under an anchor. Name and street are never read, for privacy. */
export function shipToOf(lines: Line[], anchor: RegExp, within = 8): string | null {
  const at = indexOf(lines, anchor);
  if (at < 0) return null;
  for (const line of lines.slice(at, at + within)) {
    const found = STATE.exec(line.text.trim());
    if (found) return found[1]!;
  }
  return null;
}
