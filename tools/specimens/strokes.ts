/** Letters as strokes on a grid 4 wide and 6 high; each pair of digits is a point, counted from the lower left. */
import type { Page } from './pdf.ts';

export const strokes: Record<string, string> = {
  A: '002640 1232',
  B: '00063645443303 3342413000',
  C: '4536160501103041',
  D: '00062644422000',
  E: '46060040 0333',
  F: '460600 0333',
  G: '45361605011030414323',
  H: '0006 4046 0343',
  I: '1016',
  J: '4641301001',
  K: '0006 460340',
  L: '060040',
  M: '0006234640',
  N: '00064046',
  O: '103041453616050110',
  P: '00063645443303',
  Q: '103041453616050110 2240',
  R: '00063645443303 2340',
  S: '453616050413334241301001',
  T: '0646 2026',
  U: '060110304146',
  V: '062046',
  W: '0610233046',
  X: '0046 0640',
  Y: '062346 2320',
  Z: '06460040',
  0: '103041453616050110',
  1: '152620 1030',
  2: '05163645440040',
  3: '051636454433 1333 334241301001',
  4: '30360242',
  5: '460604344342413010 01',
  6: '4536160501103041423303',
  7: '064610',
  8: '130201103041423313 1304051636454433',
  9: '0110304145361605041343',
  $: '453616050413334241301001 2026',
  '.': '2021',
  ',': '1021',
  '-': '1333',
  '/': '0046',
  ':': '2122 2425',
  "'": '2526',
  '"': '1516 3536',
};

/** The distance to the next letter, in grid units. */
export const advanceOf = (letter: string): number => (letter === ' ' ? 3.2 : letter === 'I' ? 3.6 : 5.6);

/** A make's name drawn as strokes, because the badge on real labels is a picture and not text. */
export function badge(
  page: Page,
  x: number,
  y: number,
  height: number,
  name: string,
  weight = height / 6,
): void {
  const unit = height / 6;
  const paths: string[] = [];
  for (const letter of name.toUpperCase()) {
    for (const line of (strokes[letter] ?? '').split(' ')) {
      for (let i = 0; i + 2 <= line.length; i += 2) {
        const px = x + unit * Number(line[i]);
        const py = page.height - y + unit * Number(line[i + 1]);
        paths.push(`${px.toFixed(2)} ${py.toFixed(2)} ${i === 0 ? 'm' : 'l'}`);
      }
    }
    x += unit * advanceOf(letter);
  }
  page.draw(`q 0 G ${weight.toFixed(2)} w 1 J 1 j ${paths.join(' ')} S Q`);
}
