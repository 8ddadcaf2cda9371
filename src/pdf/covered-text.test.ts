import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Page } from '../../tools/specimens/pdf.ts';
import { extractText } from './text.ts';

const WHITE = '1 g 0 376 1224 296 re f 0 g';

async function textOf(draw: (page: Page) => void): Promise<string[]> {
  const page = new Page();
  draw(page);
  const { pages } = await extractText(page.toPdf());
  return pages[0]!.items.map((item) => item.text);
}

test('text under a rectangle that was painted later is left out', async () => {
  const text = await textOf((page) => {
    page.text(40, 60, 12, 'TITLE');
    page.text(40, 140, 10, 'FIRST TRY');
    page.text(40, 140, 10, 'SAME PLACE');
    page.draw(WHITE);
    page.text(40, 140, 10, 'SAME PLACE');
    page.text(40, 160, 10, 'SECOND TRY');
  });
  assert.deepEqual(text, ['TITLE', 'SAME PLACE', 'SECOND TRY']);
});

test('a frame, a rectangle elsewhere and a transparent one hide nothing', async () => {
  const text = await textOf((page) => {
    page.text(40, 140, 10, 'FRAMED');
    page.draw('0 376 1224 296 re S');
    page.draw('1 g 600 376 300 296 re f 0 g');
    page.draw('q 600 376 100 100 re W n 1 g 0 376 1224 296 re f Q 0 g');
  });
  assert.deepEqual(text, ['FRAMED']);
});

test('a triangle hides nothing, because its corners are not filled', async () => {
  const text = await textOf((page) => {
    page.text(40, 140, 10, 'BESIDE');
    page.draw('1 g 0 376 m 1224 376 l 612 900 l f 0 g');
  });
  assert.deepEqual(text, ['BESIDE']);
});
