import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inkOf, type Raster } from './picture-ink.ts';

/** A picture of letters: `#` is black, everything else white. */
function picture(rows: string[]): Raster {
  const width = rows[0]!.length;
  const data = rows.flatMap((row) =>
    [...row].flatMap((pixel) => Array<number>(3).fill(pixel === '#' ? 0 : 255)),
  );
  return { width, height: rows.length, data: Uint8Array.from(data) };
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

test('a pasted scale gives the bar between its blocks, and the marker above it', () => {
  const [bar, marker] = inkOf(picture(scale));
  assert.deepEqual([bar!.x * 40, bar!.width * 40], [5, 29]);
  assert.deepEqual([marker!.x * 40, marker!.width * 40], [15, 5]);
});

test('a scale without a marker is a bar alone; any other picture is nothing', () => {
  assert.equal(inkOf(picture(scale.slice(3).map((row, at) => (at === 0 ? ' '.repeat(40) : row)))).length, 1);
  assert.deepEqual(inkOf(picture(Array<string>(9).fill('#'.repeat(40)))), []);
  assert.deepEqual(inkOf(picture(Array<string>(9).fill(' '.repeat(40)))), []);
  assert.deepEqual(inkOf({ width: 4_000, height: 1_000, data: [] }), []);
});
