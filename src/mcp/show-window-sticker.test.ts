import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertVinErrors, FORD, fakeLookup, held, runTool } from '../../test/fake-lookup.ts';

test('a label is shown as an image in the requested size', async () => {
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) } });
  const widths: number[] = [];
  fake.lookup.preview = async (_, width) => {
    widths.push(width);
    return Buffer.from('picture');
  };
  for (const size of [undefined, 'small', 'large']) {
    const { text, content } = await runTool('show_window_sticker', { vin: FORD, size }, fake);
    assert.match(text, /^Window sticker of the 2026 Ford Explorer.*\nPDF: /);
    assert.deepEqual(content[1], {
      type: 'image',
      data: Buffer.from('picture').toString('base64'),
      mimeType: 'image/webp',
    });
  }
  assert.deepEqual(widths, [1280, 640, 1920]);
});

test('a label that cannot be drawn is a tool error with the PDF', async () => {
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) }, preview: null });
  const { text, isError } = await runTool('show_window_sticker', { vin: FORD }, fake);
  assert.equal(isError, true);
  assert.match(text, /Open its PDF instead\. PDF: https:\/\/example\.org\/api\/sticker\//);
});

test('without a label the result says why, and is no error', async () => {
  const fake = fakeLookup({ findings: { [FORD]: { state: 'none', why: 'page', until: 0 } } });
  const { text, content, isError } = await runTool('show_window_sticker', { vin: FORD }, fake);
  assert.match(text, /Ford has no window sticker for this VIN/);
  assert.deepEqual([content.length, isError], [1, undefined]);
});

test('bad input and the limit are tool errors', async () => {
  await assertVinErrors('show_window_sticker');
  const { text, isError } = await runTool('show_window_sticker', { vin: FORD, size: 'huge' });
  assert.equal(isError, true);
  assert.match(text, /"size" must be one of small, medium, large/);
});
