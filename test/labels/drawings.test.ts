import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { evaluatedByPdfJs, evaluatedWithDrawings } from '../operators.ts';
import { sample, withoutSamples } from '../samples.ts';

const folder = 'samples/labels-2/ford';

test(
  'drawings on real labels are evaluated as by pdf.js alone',
  { skip: withoutSamples(folder) },
  async () => {
    const at = sample(folder)!;
    for (const file of readdirSync(at).filter((name) => name.endsWith('.pdf'))) {
      const pdf = readFileSync(`${at}/${file}`);
      const { drawings, ...actual } = await evaluatedWithDrawings(pdf);
      assert.ok(drawings > 0, file);
      assert.deepEqual(actual, await evaluatedByPdfJs(pdf), file);
    }
  },
);
