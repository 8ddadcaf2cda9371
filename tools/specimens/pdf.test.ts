import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractText } from '../../src/pdf/text.ts';
import { Page } from './pdf.ts';
import { widthOf, wrap } from './type.ts';

const sampleText = 'Clear–Coat Appliqué, SRT® Seats (20" x 8.5") \\ É à ç • · ™ ’';

async function itemsOf(page: Page): Promise<{ text: string; x: number; y: number; width: number }[]> {
  const [read] = (await extractText(page.toPdf())).pages;
  return read!.items.filter((item) => item.text.trim() !== '');
}

test('text is read as written and where it was placed, including accents, dashes and signs', async () => {
  const page = new Page();
  page.text(100, 200, 12, sampleText);
  const [item] = await itemsOf(page);
  assert.equal(item?.text, sampleText);
  assert.ok(Math.abs(item.x - 100) < 0.1 && Math.abs(item.y - 200) < 0.1);
  assert.ok(Math.abs(item.width - widthOf(sampleText, 12, 'regular')) < 1, "the widths are the font's own");
});

test('a font may encode the dash as another byte', async () => {
  const page = new Page(1224, 792, { dashByte: 0x85 });
  page.text(10, 20, 9, '8–Speed');
  assert.ok(page.toPdf().includes('8\\205Speed'));
  assert.equal((await itemsOf(page))[0]?.text, '8–Speed');
});

test('a page may be stored on its side, and its text is where it was placed', async () => {
  const page = new Page(1224, 792, { rotated: true });
  page.text(100, 200, 12, 'UPRIGHT');
  assert.ok(page.toPdf().includes('/MediaBox [0 0 792 1224] /Rotate 90'));
  const [item] = await itemsOf(page);
  assert.ok(Math.abs(item!.x - 100) < 0.1 && Math.abs(item!.y - 200) < 0.1);
});

test('text is found despite a damaged cross-reference table', async () => {
  const page = new Page(1224, 792, { damagedXref: true });
  page.text(10, 20, 9, 'STILL HERE');
  assert.equal((await itemsOf(page))[0]?.text, 'STILL HERE');
});

test('right-aligned text ends at the given position, condensed or not', async () => {
  for (const narrow of [1, 0.8]) {
    const page = new Page();
    page.right(300, 20, 10, '$1,495.00', { font: 'bold', narrow });
    const [item] = await itemsOf(page);
    assert.ok(Math.abs(item!.x + item!.width - 300) < 0.2);
  }
});

test('a character that the fonts lack is an error', () => {
  assert.throws(() => new Page().text(0, 0, 9, '漢'), /No WinAnsi byte/);
});

test('wrapped lines are never too wide, except for a single long word', () => {
  for (const line of wrap('RED MIST METALLIC TINTCOAT WITH EXTRAORDINARILY', 100, 12)) {
    assert.ok(widthOf(line, 12, 'regular') <= 100 || !line.includes(' '), line);
  }
});
