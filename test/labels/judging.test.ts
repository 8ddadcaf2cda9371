import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJudge } from '../../src/lookup/judge.ts';
import { sources } from '../../src/makers/index.ts';
import { sourceForMake } from '../../src/makers/maker.ts';
import { extractText } from '@monroney/label/pdf/text';
import { vpic } from '../decoder.ts';
import { unitePdfs, withoutPoppler } from '../unite-pdfs.ts';
import { pdfOf, recordedLabels, skip } from './recorded.ts';

const labels = recordedLabels
  .filter(({ file }) => file.endsWith('.pdf'))
  .map(({ file, vin }) => ({
    file,
    vin,
    source: sourceForMake(vpic.decode(vin).vehicle!.make, sources)!,
    pdf: pdfOf(file),
  }));

/** Extracts text in this process: a worker's time limit is too short on a busy machine. */
const textOf = async (pdf: Uint8Array) => ({ ok: true as const, text: await extractText(pdf) });

const received = (body: Buffer) => ({ status: 200, headers: {}, body, host: 'host.example' });

test('every recorded label is the label of its own VIN and of no other', { skip }, async () => {
  assert.ok(labels.length >= 114);
  for (const { file, vin, source, pdf } of labels) {
    const text = await textOf(pdf);
    const judge = createJudge({ text: () => Promise.resolve(text) });
    assert.equal((await judge(source, vin, received(pdf))).kind, 'label', file);
    const other = await judge(source, '1M8GDM9AXKP042788', received(pdf));
    assert.deepEqual(other, { kind: 'failed', why: 'wrong-vin' }, file);
  }
});

test('a file of two recorded labels is not a label', { skip: skip || withoutPoppler }, async () => {
  const judge = createJudge({ text: textOf });
  // A few pairs, mostly of two makes: Poppler takes a moment for each.
  for (let index = 0; index < labels.length; index += 16) {
    const pair = [labels[index]!, labels[(index + 57) % labels.length]!] as const;
    const both = unitePdfs(pair[0].pdf, pair[1].pdf);
    for (const { source, vin, file } of pair)
      assert.deepEqual(
        await judge(source, vin, received(both)),
        { kind: 'failed', why: 'several-vehicles' },
        file,
      );
  }
});
