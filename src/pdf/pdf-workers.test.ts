import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import {
  compressed,
  damagedXref,
  encrypted,
  manyPages,
  printed,
  printing,
  recursive,
  scripted,
  sheetOf,
  stream,
} from '../../tools/drill/hostile-pdfs.ts';
import { openPdfWorkers, PREVIEW_WIDTHS } from './pdf-workers.ts';

const lines = ['EXTERIOR: RED MIST METALLIC', 'TOTAL VEHICLE PRICE* $95,585.00'];

describe('the PDF workers', () => {
  const workers = openPdfWorkers({ readers: 2, maxQueued: 100, deadlineMs: 60_000 });
  after(() => workers.close());

  async function text(pdf: Buffer): Promise<string[] | string> {
    const opened = await workers.text(pdf);
    if (!opened.ok) return opened.reason;
    return opened.text.pages.flatMap((page) => page.items.map((item) => item.text)).filter(Boolean);
  }

  test('returns the text of a page with positions from the top left', async () => {
    const opened = await workers.text(printed(lines));
    assert.ok(opened.ok);
    const [page] = opened.text.pages;
    assert.deepEqual([page!.width, page!.height], [1224, 792]);
    const [first, second] = page!.items;
    assert.deepEqual([first!.text, first!.x, first!.y, first!.size], [lines[0], 40, 52, 12]);
    assert.deepEqual([second!.text, second!.x, second!.y], [lines[1], 40, 66]);
    assert.ok(first!.width > 100);
  });

  test('draws a card with the top left of each picture on it, as PNG', async () => {
    const drawn = await workers.preview(printed(lines), 640);
    assert.ok(drawn.ok);
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><path d="M0 0h9v9z"/></svg>';
    const sticker = { left: 600, top: 64, width: 1000 };
    for (const stickers of [[sticker], [sticker, { ...sticker, left: 64, width: 200 }], []]) {
      const card = await workers.card(
        { svg, stickers },
        stickers.map(() => drawn.webp),
      );
      assert.ok(card.ok);
      const { format, width, height } = await sharp(card.png).metadata();
      assert.deepEqual([format, width, height], ['png', 1200, 630]);
    }
    const broken = await workers.card({ svg: 'no picture', stickers: [] }, []);
    assert.deepEqual(broken, { ok: false, reason: 'broken' });
  });

  test('reads a PDF with a damaged cross-reference table, and a compressed one', async () => {
    assert.deepEqual(await text(damagedXref(lines)), lines);
    assert.deepEqual(await text(compressed(lines)), lines);
  });

  test('removes control and bidirectional characters that a font maps to', async () => {
    const map = stream(
      '/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange <00><ff> endcodespacerange ' +
        '4 beginbfchar <41> <0041> <42> <202E> <43> <0000> <44> <E000> endbfchar endcmap end',
    );
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>';
    const pdf = Buffer.from(
      sheetOf(stream(printing(['ABCDA'])), map)
        .toString('latin1')
        .replace(/<<\/Type\/Font\/Subtype[^>]*>>/, font),
      'latin1',
    );
    assert.deepEqual(await text(pdf), ['AA']);
  });

  test('says why a file could not be read', async () => {
    assert.equal(await text(Buffer.from('<html>not a label</html>')), 'broken');
    assert.equal(await text(Buffer.alloc(0)), 'broken');
    assert.equal(await text(encrypted(lines)), 'encrypted');
    assert.equal(await text(sheetOf(stream('0 0 100 100 re f'))), 'no-text');
    assert.equal(await text(Buffer.alloc(41 * 2 ** 20)), 'memory');
  });

  test('still works after files that were truncated anywhere', async () => {
    const complete = compressed(lines);
    for (let end = 0; end < complete.length; end += 37) await workers.text(complete.subarray(0, end));
    assert.deepEqual(await text(complete), lines);
  });

  test('reads the first pages of ten thousand', async () => {
    const read = await text(manyPages(10_000, 'A PAGE'));
    assert.ok(Array.isArray(read) && read.length >= 1 && read.length <= 10);
  });

  test('runs no scripts', async () => {
    assert.deepEqual(await text(scripted(lines)), lines);
  });

  test('terminates with every kind of circular reference', async () => {
    const opened = await Promise.all(
      Object.entries(recursive).map(async ([name, make]) => {
        const [read] = await Promise.all([text(make()), workers.preview(make(), 320)]);
        return [name, ['broken', 'no-text', 'memory'].includes(String(read))] as const;
      }),
    );
    assert.deepEqual(
      opened.filter(([, isUnreadable]) => !isUnreadable),
      [],
    );
    assert.deepEqual(await text(printed(lines)), lines);
  });

  test('draws a preview in every width, with the aspect ratio of the page', async () => {
    for (const width of PREVIEW_WIDTHS) {
      const drawn = await workers.preview(compressed(lines), width);
      assert.ok(drawn.ok);
      const picture = await sharp(drawn.webp).metadata();
      assert.deepEqual([picture.format, picture.width], ['webp', width]);
      assert.ok(Math.abs(picture.height - (width * 792) / 1224) <= 1);
    }
  });

  test('draws black where the label is black', async () => {
    const drawn = await workers.preview(sheetOf(stream('0 0 612 792 re f')), 320);
    assert.ok(drawn.ok);
    const { data, info } = await sharp(drawn.webp).greyscale().raw().toBuffer({ resolveWithObject: true });
    const row = Math.floor(info.height / 2) * info.width;
    assert.ok(data[row + 40]! < 20 && data[row + 280]! > 235);
  });

  test('draws no extremely long page, encrypted file or other file', async () => {
    const reasons = [];
    for (const pdf of [
      sheetOf(stream('BT ET'), 'null', '0 0 14000 10'),
      encrypted(lines),
      Buffer.from('no'),
    ]) {
      const drawn = await workers.preview(pdf, 320);
      reasons.push(drawn.ok || drawn.reason);
    }
    assert.deepEqual(reasons, ['broken', 'encrypted', 'broken']);
  });

  test('workers that are not closed do not keep their process alive', () => {
    const program = `
      import { openPdfWorkers } from ${JSON.stringify(new URL('./pdf-workers.ts', import.meta.url).href)};
      import { printed } from ${JSON.stringify(new URL('../../tools/drill/hostile-pdfs.ts', import.meta.url).href)};
      console.log((await openPdfWorkers().text(printed(['X']))).ok);
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program]);
    assert.equal(String(output), 'true\n');
  });
});
