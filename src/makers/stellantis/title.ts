import type { LabelText, TextItem } from '../../reading/types.ts';

/** The band above the price column that holds the year and the model's title, in points. */
const BAND = { bottom: 120, right: 620 };
/** Larger type is a logo set in letters of its own font. */
const LARGEST = 45;

/** The title is the largest print of the band, on one line or two. */
export function titleOf(text: LabelText): { text: string; items: TextItem[] } | null {
  const band = bandOf(text).filter((item) => item.text.trim().length > 1 && !isYear(item.text));
  const size = Math.max(...band.map((item) => item.size));
  const items = band.filter((item) => item.size === size && size > 12);
  const words = items.map((item) => item.text.trim()).join(' ');
  return words ? { text: words, items } : null;
}

/** `2026 MODEL YEAR`, or four digits one under the other. */
export function yearOf(text: LabelText): number | null {
  const band = bandOf(text);
  const whole = band.map((item) => isYear(item.text) && /\b20\d{2}\b/.exec(item.text)?.[0]).find(Boolean);
  const upright = band.filter((item) => /^\d$/.test(item.text.trim())).map((item) => item.text.trim());
  const digits = whole || upright.join('');
  return /^20\d{2}$/.test(digits) ? Number(digits) : null;
}

function isYear(text: string): boolean {
  return /MODEL YEAR|ANN[ÉE]E|MOD[ÈE]LE|^\s*20\d{2}\s*$/i.test(text);
}

function bandOf(text: LabelText): TextItem[] {
  const items = text.positioned ? (text.pages[0]?.items ?? []) : [];
  return items.filter(
    (item) => item.y < BAND.bottom && item.x < BAND.right && item.size < LARGEST && item.text.trim() !== '',
  );
}
