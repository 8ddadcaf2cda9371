import { fromTop } from '../../reading/reading-order.ts';
import type { Line } from '../../reading/lines.ts';
import { BASE } from './words.ts';

/** The band above the price column with the year and the model's title, in em of the base price's font. */
const BAND = { above: 3.5, right: 37 };
/** The title is set larger than this; still larger type is a logo set in letters of its own font. */
const SIZE = { from: 0.86, to: 3.2 };

/** The title is the largest print of the band, on one line or two. */
export function titleOf(lines: Line[]): Line[] {
  const band = bandOf(lines).filter((line) => line.text.length > 1 && !isYear(line.text));
  const size = band.reduce((largest, line) => Math.max(largest, line.size), 0);
  return band.filter((line) => line.size > 0.98 * size);
}

/** `2026 MODEL YEAR`, or four digits one under the other. */
export function yearOf(lines: Line[]): number | null {
  const band = bandOf(lines);
  const whole = band.map((line) => isYear(line.text) && /\b20\d{2}\b/.exec(line.text)?.[0]).find(Boolean);
  const digits = whole || band.flatMap((line) => (/^\d$/.test(line.text) ? [line.text] : [])).join('');
  return /^20\d{2}$/.test(digits) ? Number(digits) : null;
}

function isYear(text: string): boolean {
  return /MODEL YEAR|ANN[ÉE]E|MOD[ÈE]LE|^\s*20\d{2}\s*$/i.test(text);
}

function bandOf(lines: Line[]): Line[] {
  const base = lines.find((line) => line.positioned && BASE.test(line.text));
  if (!base) return [];
  const em = base.size;
  return fromTop(
    lines.filter(
      (line) =>
        line.page === base.page &&
        line.y < base.y - BAND.above * em &&
        line.x < base.x + BAND.right * em &&
        line.size < SIZE.to * em &&
        (line.size > SIZE.from * em || /^\d$/.test(line.text) || isYear(line.text)),
    ),
  );
}
