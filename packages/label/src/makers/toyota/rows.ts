import { indexOf, rightOf } from '../../reading/line-search.ts';
import type { Line } from '../../reading/lines.ts';

export interface Row {
  values: string[];
  lines: Line[];
  /** Where the first value begins; null if it is on the anchor's own line. */
  x: number | null;
}

/** The texts after an anchor: on its own line and, on a page, beside it in its row. */
export function rowAfter(lines: Line[], anchor: RegExp): Row | null {
  const line = lines[indexOf(lines, anchor)];
  if (!line) return null;
  const own = line.text.replace(anchor, '').trim();
  const beside = line.positioned ? rightOf(lines, line) : [];
  return {
    values: [own, ...beside.map(({ text }) => text)].filter((text) => text !== ''),
    lines: own ? [line, ...beside] : beside,
    x: own ? null : (beside[0]?.x ?? null),
  };
}
