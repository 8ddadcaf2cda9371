// lane: service
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, describe, test } from 'node:test';
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
import { openPdfWorkers } from './pdf-workers.ts';

const lines = ['EXTERIOR: RED MIST METALLIC', 'TOTAL VEHICLE PRICE* $95,585.00'];

describe('the PDF workers', () => {
  const workers = openPdfWorkers({ readers: 2, maxQueued: 100, deadlineMs: 60_000 });
  after(() => workers.close());

  async function text(pdf: Buffer): Promise<string[] | string> {
    const opened = await workers.text(pdf);
    if (!opened.ok) return opened.reason;
    return opened.text.pages.flatMap((page) => page.items.map((item) => item.text)).filter(Boolean);
  }

  test('reads a PDF with a damaged cross-reference table, a compressed one, and one with scripts, which do not run', async () => {
    for (const pdf of [damagedXref(lines), compressed(lines), scripted(lines)])
      assert.deepEqual(await text(pdf), lines);
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

  test('reads the first pages of ten thousand', async () => {
    const read = await text(manyPages(10_000, 'A PAGE'));
    assert.ok(Array.isArray(read) && read.length >= 1 && read.length <= 10);
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
