import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pdfIn } from '../../src/lookup/response-kind.ts';
import { readText } from '../../src/makers/read.ts';
import { extractText } from '../../src/pdf/text.ts';
import { plainText } from '../../src/reading/extracted-text.ts';
import type { LabelText } from '../../src/reading/types.ts';
import { hideEachPrice } from '../hidden-prices.ts';
import { sample, withoutSamples } from '../samples.ts';

const SETS = ['samples/labels', 'samples/labels-2', 'samples/labels-3'];
const skip = SETS.map(withoutSamples).find(Boolean) ?? false;

/** A warning sheet for a truck that needs no label, and a form without prices. */
const WITHOUT_PRICES = new Set(['1FDNF6AN4SDF02714', '1G1FB3DS0L0113512']);

const files = (): string[] =>
  SETS.flatMap((set) =>
    readdirSync(sample(set)!, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:pdf|txt)$/.test(file))
      .map((file) => join(sample(set)!, file)),
  );

async function textOf(file: string): Promise<LabelText> {
  const bytes = readFileSync(file);
  return file.endsWith('.pdf') ? extractText(pdfIn(bytes)!) : plainText(bytes.toString('utf8'));
}

test('a reading that leaves out a price of a real label is never called right', { skip }, async () => {
  let hidden = 0;
  for (const file of files()) {
    const [vin] = /[A-Z0-9]{17}/.exec(file)!;
    const text = await textOf(file);
    const { label, proof, reason } = readText(text, { vin });
    // Nissan's labels are pictures.
    if (!label) assert.equal(reason, 'unknown-layout', file);
    else if (WITHOUT_PRICES.has(vin)) assert.equal(proof?.reason, 'no-total', file);
    else {
      assert.deepEqual([proof?.closes, proof?.reason], [true, null], file);
      for (const line of hideEachPrice(text, { make: label.make, vin })) {
        assert.notEqual(line.reason, null, `${file} ${line.name}`);
        hidden++;
      }
    }
  }
  assert.ok(hidden > 650, String(hidden));
});
