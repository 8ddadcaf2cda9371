import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { plainText } from '../../src/reading/extracted-text.ts';
import { readText } from '../../src/makers/read.ts';
import { extractText } from '../../src/pdf/text.ts';
import type { LabelText, Reading } from '../../src/reading/types.ts';
import { sample, withoutSamples } from '../samples.ts';

const skip = withoutSamples('samples/labels');

interface Expected {
  file: string;
  make: string;
  vin: string;
  year: number;
  market: string;
  lang: string;
  color: string | null;
  code: string | null;
}

interface Row {
  name: string;
  price: number | null;
  children?: string[];
}

interface ExpectedReading {
  vin: string;
  base: number;
  destination: number;
  total: number;
  options: Row[];
  taxes?: Row[];
  discounts?: Row[];
  fee: number | null;
  printedTotalOptions?: number;
  fuelEconomy: object | null;
  model: string;
  interior: string | null;
  engine: string | null;
  transmission: string | null;
  assembly: string | null;
}

/** The recorded reading names the port; the parts box says where the car was built. */
const imported: Record<string, string> = { ZARFAMEV6L7625894: 'CASSINO, ITALY' };

function rows<T>(name: string): T[] {
  const lines = readFileSync(sample(`samples/labels/${name}`)!, 'utf8')
    .trim()
    .split('\n');
  return JSON.parse(`[${lines.join(',')}]`);
}

async function textOf(file: string): Promise<LabelText> {
  const bytes = readFileSync(sample(`samples/${file}`)!);
  return file.endsWith('.pdf') ? extractText(bytes) : plainText(bytes.toString('utf8'));
}

const namesAndPrices = (lines: Row[] | undefined): Row[] =>
  (lines ?? []).map(({ name, price }) => ({ name, price }));
const pricedOnly = (lines: Row[] | undefined): Row[] =>
  namesAndPrices(lines).filter(({ price }) => price !== null);

const readings = new Map<string, { expected: Expected; withMake: Reading; withoutMake: Reading }>();

test('every sample is read, with and without its make', { skip }, async () => {
  for (const expected of rows<Expected>('expected.jsonl')) {
    const text = await textOf(expected.file);
    const withMake = readText(text, { make: expected.make, vin: expected.vin });
    readings.set(expected.vin, { expected, withMake, withoutMake: readText(text) });
  }
  assert.ok(readings.size >= 88);
});

test('every sample has its color and code exactly as printed', { skip }, () => {
  for (const { expected, withMake, withoutMake } of readings.values()) {
    const paint = expected.color === null ? null : { color: expected.color, code: expected.code };
    assert.deepEqual(withMake.paint, paint, expected.vin);
    assert.deepEqual(withoutMake.paint, paint, expected.vin);
  }
});

test('the VIN, make, year, market and language of every label are found without hints', { skip }, () => {
  for (const { expected, withoutMake } of readings.values()) {
    if (!withoutMake.label) continue;
    const { make, year, market, language } = withoutMake.label;
    assert.deepEqual(
      [withoutMake.vin, make, year, market, language],
      [expected.vin, expected.make, expected.year, expected.market, expected.lang],
    );
  }
});

test('every price is right and all prices add up', { skip }, () => {
  for (const expected of rows<ExpectedReading>('readings.jsonl')) {
    const { label, proof } = readings.get(expected.vin)!.withMake;
    assert.ok(label && proof, expected.vin);
    const { base, destination, total, options, taxes, fees, discounts } = label.prices;
    assert.deepEqual(
      [base, destination, total],
      [expected.base, expected.destination, expected.total],
      expected.vin,
    );
    assert.deepEqual(pricedOnly(options), pricedOnly(expected.options), expected.vin);
    assert.deepEqual(namesAndPrices(taxes), namesAndPrices(expected.taxes), expected.vin);
    assert.deepEqual(namesAndPrices(discounts), namesAndPrices(expected.discounts), expected.vin);
    assert.equal(
      fees.reduce((sum, fee) => sum + fee.price!, 0),
      expected.fee ?? 0,
      expected.vin,
    );
    assert.equal(proof.closes, true, expected.vin);
    if (expected.printedTotalOptions !== undefined)
      assert.equal(proof.options?.printed, expected.printedTotalOptions, expected.vin);
    assert.notEqual(proof.options?.closes, false, expected.vin);
    assert.notEqual(proof.fuelEconomy?.closes, false, expected.vin);
  }
});

test("options' contents, fuel economy and the header are right", { skip }, () => {
  for (const expected of rows<ExpectedReading>('readings.jsonl')) {
    const { label } = readings.get(expected.vin)!.withMake;
    assert.ok(label, expected.vin);
    const { model, interior, engine, transmission, assembly } = label;
    assert.deepEqual(
      { model, interior, engine, transmission, assembly },
      {
        model: expected.model,
        interior: expected.interior,
        engine: expected.engine,
        transmission: expected.transmission,
        assembly: imported[expected.vin] ?? expected.assembly,
      },
      expected.vin,
    );
    if (expected.fuelEconomy)
      assert.partialDeepStrictEqual(label.fuelEconomy, expected.fuelEconomy, expected.vin);
    else assert.equal(label.fuelEconomy, null, expected.vin);
    for (const option of expected.options.filter(({ children }) => children)) {
      const ours: Row | undefined = label.prices.options.find(
        ({ name, price }) => name === option.name && price === option.price,
      );
      assert.deepEqual(ours?.children, option.children, `${expected.vin} ${option.name}`);
    }
  }
});

test('readings contain no dealer, street address or hidden code', { skip }, () => {
  for (const { withMake } of readings.values()) {
    const json = JSON.stringify(withMake.label);
    assert.doesNotMatch(json, /sitedealer|"maker|DEALER NO|\b\d{5}-\d{4}\b/, withMake.vin ?? '');
  }
});
