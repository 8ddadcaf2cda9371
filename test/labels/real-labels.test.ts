import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pdfIn } from '../../src/lookup/response-kind.ts';
import { readText } from '../../src/makers/read.ts';
import { extractText } from '../../src/pdf/text.ts';
import { plainText } from '../../src/reading/extracted-text.ts';
import type { LabelText, Reading } from '../../src/reading/types.ts';
import { sample, withoutSamples } from '../samples.ts';

/**
 * Labels as the manufacturers printed them, against readings that another program made from the same files: Ford, Kia,
 * Hyundai and Genesis; Toyota and unusual forms. `readings.test.ts` has the first set.
 */
const SETS = ['labels-2', 'labels-3'];

interface Row {
  code?: string;
  name: string;
  price: number | null;
  children?: string[];
}

interface ExpectedReading {
  file: string;
  vin: string;
  make: string;
  year: number;
  color?: string | null;
  code?: string | null;
  interior: string | null;
  base?: number;
  options: Row[];
  discounts?: Row[];
  taxes?: Row[];
  subtotal?: number;
  destination?: number;
  total?: number;
  model?: string;
  assembly?: string;
}

const rows = (set: string): ExpectedReading[] =>
  readFileSync(sample(`samples/${set}/readings.jsonl`)!, 'utf8')
    .trim()
    .split('\n')
    .map((line): ExpectedReading => JSON.parse(line));

async function textOf(file: string): Promise<LabelText> {
  const bytes = readFileSync(sample(`samples/${file}`)!);
  return file.endsWith('.pdf') ? extractText(pdfIn(bytes)!) : plainText(bytes.toString('utf8'));
}

/** Only what the other program recorded is compared: it left out the children of Kia's and Hyundai's options. */
function compare(expected: ExpectedReading, { label, paint, proof }: Reading): void {
  assert.ok(label && proof, expected.vin);
  if (expected.color !== undefined)
    assert.deepEqual(paint, { color: expected.color, code: expected.code }, expected.vin);
  assert.deepEqual([label.year, label.interior], [expected.year, expected.interior], expected.vin);
  const equipment = label.standard.flatMap(({ items }) => items);
  // The figures of the fuel economy box are close to the last column.
  assert.ok(
    !equipment.some((item) => /^[$\d.,% ]+$|^(?:TM|®)$/.test(item)),
    `${expected.vin} ${equipment.join()}`,
  );
  const { base, options, discounts, destination, total, taxes, fees } = label.prices;
  if (expected.total == null) {
    // A warning sheet for a truck that needs no label: no prices, so nothing on it is an option.
    assert.deepEqual([base, options, destination, total], [null, [], null, null], expected.vin);
    return;
  }
  assert.deepEqual(
    { base, destination, total },
    { base: expected.base, destination: expected.destination, total: expected.total },
    expected.vin,
  );
  assert.deepEqual(fees, [], expected.vin);
  if (expected.model) assert.equal(label.model, expected.model, expected.vin);
  if (expected.assembly) assert.equal(label.assembly, expected.assembly, expected.vin);
  if (expected.subtotal) assert.equal(label.prices.subtotal, expected.subtotal, expected.vin);
  const namesAndPrices = (lines: { code?: string | null; name: string; price: number | null }[]) =>
    lines.map(({ code = null, name, price }) => ({ code, name, price }));
  assert.deepEqual(namesAndPrices(options), namesAndPrices(expected.options), expected.vin);
  assert.deepEqual(namesAndPrices(discounts), namesAndPrices(expected.discounts ?? []), expected.vin);
  assert.deepEqual(namesAndPrices(taxes), namesAndPrices(expected.taxes ?? []), expected.vin);
  expected.options.forEach(({ name, children }, index) => {
    if (children) assert.deepEqual(options[index]!.children, children, `${expected.vin} ${name}`);
    else if (expected.make === 'Ford')
      assert.deepEqual(options[index]!.children, [], `${expected.vin} ${name}`);
  });
  assert.equal(proof.closes, true, expected.vin);
  assert.notEqual(proof.options?.closes, false, expected.vin);
}

for (const set of SETS)
  test(`every real label of ${set} is read exactly`, { skip: withoutSamples(`samples/${set}`) }, async () => {
    const all = rows(set);
    assert.ok(all.length >= 4);
    for (const expected of all) {
      const text = await textOf(expected.file);
      compare(expected, readText(text, { make: expected.make, vin: expected.vin }));
      const unknown = readText(text);
      assert.equal(unknown.vin, expected.vin);
      compare(expected, unknown);
    }
  });

/** Words of each item, counted on the printed labels, which are alike. */
const TACOMA_EQUIPMENT = [
  ['MECHANICAL & PERFORMANCE', 5, 3, 9, 5, 3],
  ['SAFETY & CONVENIENCE', 5, 3, 10, 9],
  ['EXTERIOR', 3, 6, 7],
  ['INTERIOR', 6, 13, 3],
];

test(
  "Toyota's equipment is complete, and its pictures have no facts",
  { skip: withoutSamples('samples/labels-3') },
  async () => {
    for (const { file, vin } of rows('labels-3').filter(({ make }) => make === 'Toyota')) {
      const { label } = readText(await textOf(file), { vin });
      assert.deepEqual(
        label?.standard.map(({ section, items }) => [
          section,
          ...items.map((item) => item.split(' ').length),
        ]),
        TACOMA_EQUIPMENT,
        vin,
      );
      const { fuelEconomy, safety, engine, transmission } = label;
      assert.deepEqual([fuelEconomy, safety, engine, transmission], [null, null, null, null], vin);
    }
  },
);
