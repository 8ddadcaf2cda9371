import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextPage } from '../reading/types.ts';
import { extractText } from './text.ts';
import { ratingScaleIn, type Raster } from './shapes.ts';

/** A page of 400 by 200 points with this content. */
async function pageOf(content: string, rotate = 0): Promise<TextPage> {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Rotate ${rotate}/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</Broken 6 0 R>>>>>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/XObject/Subtype/Image/Width 200/Height 90/Filter/DCTDecode/Length 4>>stream\nnone\nendstream\n',
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('');
  const { pages } = await extractText(Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R>>\n%%EOF\n`));
  return pages[0]!;
}

/** A five-pointed star around a point. */
function star(x: number, y: number, radius = 6, inner = 0.38): string {
  const corners = Array.from({ length: 10 }, (_, index) => {
    const distance = index % 2 === 0 ? radius : radius * inner;
    const angle = Math.PI / 2 + (index * Math.PI) / 5;
    return `${(x + distance * Math.cos(angle)).toFixed(2)} ${(y + distance * Math.sin(angle)).toFixed(2)}`;
  });
  return `${corners.map((corner, index) => `${corner} ${index === 0 ? 'm' : 'l'}`).join(' ')} h f`;
}

const words = 'BT /F 12 Tf 20 180 Td (Fuel Economy) Tj ET';

test('stars, bars and rules are found with their positions', async () => {
  const { shapes } = await pageOf(
    `${words} ${star(100, 100)} 1 1 1 rg ${star(120, 100)} 0 0 0 rg 50 50 60 10 re f 2 w 20 30 m 320 30 l S`,
  );
  assert.deepEqual(
    shapes?.map(({ kind, light }) => [kind, light]),
    [
      ['star', undefined],
      ['star', true],
      ['box', undefined],
      ['box', undefined],
    ],
  );
  const [drawn, , bar, rule] = shapes;
  assert.deepEqual([drawn!.x, drawn!.width].map(Math.round), [94, 11]);
  assert.deepEqual(bar, { kind: 'box', x: 50, y: 140, width: 60, height: 10 });
  assert.deepEqual(rule, { kind: 'box', x: 20, y: 169, width: 300, height: 2 });
});

test('a decagon is not a star, and letters are not shapes', async () => {
  const { shapes } = await pageOf(`${words} ${star(100, 100, 6, 0.95)} 10 10 2 2 re f`);
  assert.deepEqual(
    shapes?.map(({ kind }) => kind),
    ['box'],
  );
});

test('a picture that cannot be decoded has a position', async () => {
  const { shapes } = await pageOf(`${words} q 20 0 0 22 100 50 cm /Broken Do Q`);
  assert.deepEqual(shapes, [{ kind: 'picture', x: 100, y: 128, width: 20, height: 22 }]);
});

test('the number of shapes is bounded', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `${index % 300} 50 10 10 re f`).join(' ');
  assert.equal((await pageOf(`${words} ${many}`)).shapes?.length, 600);
});

test('a rotated page is read upright', async () => {
  const content = `${words} ${star(100, 100)}`;
  const upright = await pageOf(content);
  for (const turn of [90, 180, 270]) assert.deepEqual(await pageOf(content, turn), { ...upright, turn });
  const sideways = await pageOf(`q 0 1 -1 0 200 0 cm ${content} Q`, 90);
  assert.deepEqual(
    sideways.items.map(({ text }) => text),
    upright.items.map(({ text }) => text),
  );
  const [item] = sideways.items;
  assert.ok(item!.x < 60, 'its lines run from left to right');
});

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
