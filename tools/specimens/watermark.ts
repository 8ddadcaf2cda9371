/**
 * SPECIMEN across the page, drawn as strokes, because readers would find it among the label's lines if it were text.
 * Each letter is a path in a cell 6 wide and 10 high, from its lower left.
 */
import type { Page } from './pdf.ts';

const letters: Record<string, string> = {
  S: '5.6 8.2 m 5 9.4 4.1 10 3 10 c 1.5 10 0.4 9 0.4 7.6 c 0.4 5.9 1.6 5.5 3 5.1 c 4.6 4.7 5.7 4.2 5.7 2.5 c 5.7 1 4.6 0 3 0 c 1.7 0 0.7 0.6 0.2 1.9 c S',
  P: '0.5 -0.5 m 0.5 10 l 3 10 l 6.4 10 6.4 4.8 3 4.8 c 0.5 4.8 l S',
  E: '5.6 0 m 0.5 0 l 0.5 10 l 5.6 10 l S 0.5 5.1 m 5 5.1 l S',
  C: '5.8 7.9 m 5.3 9.2 4.4 10 3.2 10 c 1.4 10 0.4 8.2 0.4 5 c 0.4 1.8 1.4 0 3.2 0 c 4.4 0 5.3 0.8 5.8 2.1 c S',
  I: '0.5 -0.5 m 0.5 10.5 l S',
  M: '0.5 -0.5 m 0.5 10 l 3.5 2.4 l 6.5 10 l 6.5 -0.5 l S',
  N: '0.5 -0.5 m 0.5 10 l 5.5 0 l 5.5 10.5 l S',
};
const advance: Record<string, number> = { I: 3, M: 9 };

export function watermark(page: Page): void {
  const scale = 17.5;
  const tilt = Math.atan2(page.height * 0.42, page.width);
  const width = Array.from('SPECIMEN').reduce((sum, letter) => sum + (advance[letter] ?? 7.8), 0) - 1.8;
  const [cos, sin] = [Math.cos(tilt) * scale, Math.sin(tilt) * scale];
  const left = page.width / 2 - (width / 2) * cos + 5 * sin;
  const bottom = page.height / 2 - (width / 2) * sin - 5 * cos;
  const matrix = [cos, sin, -sin, cos, left, bottom].map((value) => value.toFixed(3)).join(' ');
  page.draw(`q 0.89 G 1.5 w 0 J 2 j ${matrix} cm`);
  for (const letter of 'SPECIMEN') page.draw(`${letters[letter]} 1 0 0 1 ${advance[letter] ?? 7.8} 0 cm`);
  page.draw('Q');
}
