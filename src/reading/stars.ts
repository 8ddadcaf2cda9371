import type { TextItem } from './types.ts';
import type { Sheet } from './reader.ts';

const ROWS: Record<string, RegExp> = {
  overall: /^Overall Vehicle Score/i,
  frontalDriver: /^Driver$/i,
  frontalPassenger: /^Passenger$/i,
  sideFront: /^Front seat$/i,
  sideRear: /^Rear seat$/i,
  rollover: /^Rollover$/i,
};

/** A star of the labels' symbol font is this share of its font size wide. */
const STAR = 0.8;

/**
 * Government star ratings. The symbol font has no letters for stars, so a row of them comes as a run
 * without text whose width tells their number; ratings drawn as pictures are not there to be read.
 */
export function starsOf(sheet: Sheet): Record<string, number> | null {
  const items = sheet.text.pages[0]?.items ?? [];
  const heading = items.find((item) => /5.STAR SAFETY RATINGS/i.test(item.text));
  if (!sheet.positioned || !heading) return null;
  const below = items.filter((item) => item.y > heading.y && item.y < heading.y + 230);
  const rated: Record<string, number> = {};
  for (const [name, words] of Object.entries(ROWS)) {
    const row = below.find((item) => words.test(item.text.trim()));
    const stars =
      row && below.find((item) => isStars(item) && Math.abs(item.y - row.y) < 6 && item.x > row.x);
    const count = stars ? Math.round(stars.width / stars.size / STAR) : 0;
    if (count >= 1 && count <= 5) rated[name] = count;
  }
  return Object.keys(rated).length > 0 ? rated : null;
}

function isStars(item: TextItem): boolean {
  return item.text === '' && item.width >= STAR * item.size * 0.9 && item.size > 10;
}
