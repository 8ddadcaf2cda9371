import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratingScaleIn, type Raster } from './rating-scale.ts';

/** A picture from text: `#` is black, everything else white. */
function picture(rows: string[]): Raster {
  const width = rows[0]!.length;
  const data = rows.flatMap((row) =>
    [...row].flatMap((pixel) => Array<number>(3).fill(pixel === '#' ? 0 : 255)),
  );
  const layout = { stride: 3 * width, pixelBytes: 3, channels: 3 };
  return { width, height: rows.length, ...layout, data: Uint8Array.from(data) };
}

const scale = [
  '                                        ',
  '               #####                    ',
  '               ##.##                    ',
  '                ###                     ',
  ' ###################################### ',
  '#####.............................######',
  '##.##.............................##..##',
  '#####.............................######',
  ' ###################################### ',
];

test('a scale has a bar between its blocks and a marker above it', () => {
  const [bar, marker] = ratingScaleIn(picture(scale));
  assert.deepEqual([bar!.x * 40, bar!.width * 40], [5, 29]);
  assert.deepEqual([marker!.x * 40, marker!.width * 40], [15, 5]);
});

test('a scale may have no marker, and other pictures have neither', () => {
  assert.equal(
    ratingScaleIn(picture(scale.slice(3).map((row, index) => (index === 0 ? ' '.repeat(40) : row)))).length,
    1,
  );
  assert.deepEqual(ratingScaleIn(picture(Array<string>(9).fill('#'.repeat(40)))), []);
  assert.deepEqual(ratingScaleIn(picture(Array<string>(9).fill(' '.repeat(40)))), []);
  assert.deepEqual(ratingScaleIn({ ...picture(scale), width: 4_000, height: 1_000 }), []);
});
