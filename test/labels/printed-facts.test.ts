import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Label, Proof } from '@monroney/label/reading/label-schemas';
import { readText } from '../../src/makers/read.ts';
import { recordedLabels, skip, textOf } from './recorded.ts';

test('the keys of every reading come in the order of the schema', { skip }, async () => {
  for (const { file, vin } of recordedLabels) {
    const { label, proof } = readText(await textOf(file), { vin });
    if (!label) continue;
    assert.equal(JSON.stringify(label), JSON.stringify(Label.parse(label)), file);
    assert.equal(JSON.stringify(proof), JSON.stringify(Proof.parse(proof)), file);
  }
});
