import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Label as LabelSchema, Proof } from '@monroney/label/reading/label-schemas';
import type { Label } from '@monroney/label/reading/types';
import { readText } from '@monroney/label/read-text';
import { recordedLabels, rowsOf, skip, textOf } from './recorded.ts';

/** What people read off 40 of the labels. */
type Printed = Pick<Label, (typeof FIELDS)[number]> & {
  vin: string;
  /** With the model year. */
  description: string;
};

const FIELDS = [
  'nameplate',
  'engine',
  'transmission',
  'wheelbase',
  'created',
  'optionCodes',
  'delivery',
] as const;
const YEAR = /^(?:ANNÉE MODÈLE )?20\d\d (?:MODEL YEAR )?(?:\(\d\dMY\) )?/;

test('name, powertrain, delivery, day and codes are read as people read them', { skip }, async () => {
  const rows = rowsOf<Printed>('more.jsonl');
  assert.ok(rows.length >= 40);
  for (const expected of rows) {
    const { vin } = expected;
    const { file } = recordedLabels.find((label) => label.vin === vin)!;
    const { label } = readText(await textOf(file), { vin });
    assert.ok(label, vin);
    for (const field of FIELDS) assert.deepEqual(label[field], expected[field], `${vin} ${field}`);
    const description = expected.description.replace(YEAR, '');
    const model = description.includes(expected.nameplate!)
      ? description
      : `${expected.nameplate} ${description}`;
    assert.equal(label.model, model, vin);
  }
});

test('what Ford covers on the page is in no reading and no text', { skip }, async () => {
  for (const { file } of recordedLabels.filter(({ file }) => /\/ford\/.*\.pdf$/.test(file))) {
    const words = JSON.stringify(await textOf(file));
    assert.doesNotMatch(words, /SOLD TO|SHIP THROUGH|FINAL ASSEMBLY PLANT|\bCA 9\d{4}\b/, file);
    assert.match(words, /TOTAL MSRP|ITEM #/, file);
  }
});

test('the keys of every reading come in the order of the schema', { skip }, async () => {
  for (const { file, vin } of recordedLabels) {
    const { label, proof } = readText(await textOf(file), { vin });
    if (!label) continue;
    assert.equal(JSON.stringify(label), JSON.stringify(LabelSchema.parse(label)), file);
    assert.equal(JSON.stringify(proof), JSON.stringify(Proof.parse(proof)), file);
  }
});
