import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractText } from './text.ts';

/** A file with a table of its objects, without which pdfium doesn't find masks. */
function pdfOf(objects: string[]): Buffer {
  let file = '%PDF-1.4\n';
  const rows = objects.map((object, index) => {
    const row = `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}`;
  const trailer = `trailer<</Size ${count}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + trailer, 'latin1');
}

const image = (space: string, more: string, bytes: string) =>
  `<</Type/XObject/Subtype/Image/Width 2/Height 1/ColorSpace/${space}/BitsPerComponent 8${more}/Length ${bytes.length}>>stream\n${bytes}\nendstream`;

/** A picture of two pixels side by side, as opaque as `mask` says. */
const picture = (mask: string) => [
  image('DeviceRGB', '/SMask 7 0 R', 'grays!'),
  image('DeviceGray', '', mask),
];

/** The words on a page that has some at the left and some at the right. */
async function wordsOn(mask: string, order: 'text first' | 'picture first'): Promise<string[]> {
  const text = 'BT /F 12 Tf 20 80 Td (SOLD TO) Tj 220 0 Td (RAIL) Tj ET';
  const shown = 'q 400 0 0 100 0 50 cm /Picture Do Q';
  const content = order === 'text first' ? `${text} ${shown}` : `${shown} ${text}`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</Picture 6 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...picture(mask),
  ];
  const { pages } = await extractText(pdfOf(objects));
  return pages[0]!.items.map(({ text: words }) => words.trim());
}

test('text under the opaque part of a picture is not read', async () => {
  assert.deepEqual(await wordsOn('\xff\x00', 'text first'), ['RAIL']);
  assert.deepEqual(await wordsOn('\x00\xff', 'text first'), ['SOLD TO']);
});

test('text that is drawn over a picture, or visible through it, is read', async () => {
  assert.deepEqual(await wordsOn('\xff\x00', 'picture first'), ['SOLD TO', 'RAIL']);
  assert.deepEqual(await wordsOn('\x80\x80', 'text first'), ['SOLD TO', 'RAIL']);
});

test('the text under a scan is read, because it says what the scan shows', async () => {
  assert.deepEqual(await wordsOn('\xff\xff', 'text first'), ['SOLD TO', 'RAIL']);
});
