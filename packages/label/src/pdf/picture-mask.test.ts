import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractText } from './text.ts';

/** A file with a table of its objects, without which pdfium doesn't find masks. What is `discarded` isn't in the table. */
function pdfOf(objects: string[], discarded = ''): Buffer {
  let file = `%PDF-1.4\n${discarded}`;
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

const image = (more: string, bytes: string, length = String(bytes.length)) =>
  `<</Type/XObject/Subtype/Image/Width 2/Height 1${more}/Length ${length}>>stream\n${bytes}\nendstream`;
const colors = (mask: string) => image(`/ColorSpace/DeviceRGB/BitsPerComponent 8/${mask} 7 0 R`, 'grays!');
const softMask = (bytes: string, length?: string) =>
  image('/ColorSpace/DeviceGray/BitsPerComponent 8', bytes, length);
const stencil = (bits: string, more = '') =>
  image(`/ImageMask true/BitsPerComponent 1${more}`, String.fromCharCode(Number.parseInt(bits, 2) << 6));

const LEFT = '\xff\x00';
const RIGHT = '\x00\xff';

/** Two pixels side by side of which one is opaque. */
interface Picture {
  objects: string[];
  discarded?: string;
}

const withSoftMask = (mask: string): Picture => ({ objects: [colors('SMask'), softMask(mask)] });

/** The words on a page that has some at the left and some at the right. */
async function wordsOn(picture: Picture, order: 'text first' | 'picture first'): Promise<string[]> {
  const text = 'BT /F 12 Tf 20 80 Td (SOLD TO) Tj 220 0 Td (RAIL) Tj ET';
  const shown = 'q 400 0 0 100 0 50 cm /Picture Do Q';
  const content = order === 'text first' ? `${text} ${shown}` : `${shown} ${text}`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</Picture 6 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...picture.objects,
  ];
  const { pages } = await extractText(pdfOf(objects, picture.discarded));
  return pages[0]!.items.map(({ text: words }) => words.trim());
}

test('text under the opaque part of a picture is not read', async () => {
  assert.deepEqual(await wordsOn(withSoftMask(LEFT), 'text first'), ['RAIL']);
  assert.deepEqual(await wordsOn(withSoftMask(RIGHT), 'text first'), ['SOLD TO']);
});

test('text that is drawn over a picture, or visible through it, is read', async () => {
  assert.deepEqual(await wordsOn(withSoftMask(LEFT), 'picture first'), ['SOLD TO', 'RAIL']);
  assert.deepEqual(await wordsOn(withSoftMask('\x80\x80'), 'text first'), ['SOLD TO', 'RAIL']);
});

test('the text under a scan is read, because it says what the scan shows', async () => {
  assert.deepEqual(await wordsOn(withSoftMask('\xff\xff'), 'text first'), ['SOLD TO', 'RAIL']);
});

const opaqueAtTheLeft: Record<string, Picture> = {
  'a stencil': { objects: [colors('Mask'), stencil('01')] },
  'a stencil whose bits mean the opposite': { objects: [colors('Mask'), stencil('10', '/Decode[1 0]')] },
  'a mask whose length is elsewhere': { objects: [colors('SMask'), softMask(LEFT, '8 0 R'), '2'] },
  'a mask that replaced another': {
    objects: [colors('SMask'), softMask(LEFT)],
    discarded: `7 0 obj\n${softMask(RIGHT)}\nendobj\n`,
  },
  'a picture that replaced another': {
    objects: [colors('SMask'), softMask(LEFT), softMask(RIGHT)],
    discarded: `6 0 obj\n${colors('SMask').replace('7 0 R', '8 0 R')}\nendobj\n`,
  },
};

for (const [name, picture] of Object.entries(opaqueAtTheLeft))
  test(`text under ${name} is not read`, async () => {
    assert.deepEqual(await wordsOn(picture, 'text first'), ['RAIL']);
  });
