import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { plainText } from '../../src/reading/plain-text.ts';
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

interface Right {
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

const bare = (lines: Row[] | undefined): Row[] => (lines ?? []).map(({ name, price }) => ({ name, price }));
const pricedOnly = (lines: Row[] | undefined): Row[] => bare(lines).filter(({ price }) => price !== null);

const readings = new Map<string, { expected: Expected; known: Reading; unknown: Reading }>();

test('every sample is read, with and without its make given', { skip }, async () => {
  for (const expected of rows<Expected>('expected.jsonl')) {
    const text = await textOf(expected.file);
    const known = readText(text, { make: expected.make, vin: expected.vin });
    readings.set(expected.vin, { expected, known, unknown: readText(text) });
  }
  assert.ok(readings.size >= 88);
});

test('every sample has its color and code exactly as printed', { skip }, () => {
  for (const { expected, known, unknown } of readings.values()) {
    const right = expected.color === null ? null : { color: expected.color, code: expected.code };
    assert.deepEqual(known.paint, right, expected.vin);
    assert.deepEqual(unknown.paint, right, expected.vin);
  }
});

test('the VIN, make, year, market and language of every label are found without hints', { skip }, () => {
  for (const { expected, unknown } of readings.values()) {
    if (!unknown.label) continue;
    const { make, year, market, language } = unknown.label;
    assert.deepEqual(
      [unknown.vin, make, year, market, language],
      [expected.vin, expected.make, expected.year, expected.market, expected.lang],
    );
  }
});

test('every price is right and all prices add up', { skip }, () => {
  for (const right of rows<Right>('readings.jsonl')) {
    const { label, proof } = readings.get(right.vin)!.known;
    assert.ok(label && proof, right.vin);
    const { base, destination, total, options, taxes, fees, discounts } = label.prices;
    assert.deepEqual([base, destination, total], [right.base, right.destination, right.total], right.vin);
    assert.deepEqual(pricedOnly(options), pricedOnly(right.options), right.vin);
    assert.deepEqual(bare(taxes), bare(right.taxes), right.vin);
    assert.deepEqual(bare(discounts), bare(right.discounts), right.vin);
    assert.equal(
      fees.reduce((sum, fee) => sum + fee.price!, 0),
      right.fee ?? 0,
      right.vin,
    );
    assert.equal(proof.closes, true, right.vin);
    if (right.printedTotalOptions !== undefined)
      assert.equal(proof.options?.printed, right.printedTotalOptions, right.vin);
    assert.notEqual(proof.options?.closes, false, right.vin);
    assert.notEqual(proof.fuelEconomy?.closes, false, right.vin);
  }
});

test('children, fuel economy and the header agree', { skip }, () => {
  for (const right of rows<Right>('readings.jsonl')) {
    const { label } = readings.get(right.vin)!.known;
    assert.ok(label, right.vin);
    const { model, interior, engine, transmission, assembly } = label;
    assert.deepEqual(
      { model, interior, engine, transmission, assembly },
      {
        model: right.model,
        interior: right.interior,
        engine: right.engine,
        transmission: right.transmission,
        assembly: imported[right.vin] ?? right.assembly,
      },
      right.vin,
    );
    if (right.fuelEconomy) assert.partialDeepStrictEqual(label.fuelEconomy, right.fuelEconomy, right.vin);
    else assert.equal(label.fuelEconomy, null, right.vin);
    for (const option of right.options.filter(({ children }) => children)) {
      const ours: Row | undefined = label.prices.options.find(
        ({ name, price }) => name === option.name && price === option.price,
      );
      assert.deepEqual(ours?.children, option.children, `${right.vin} ${option.name}`);
    }
  }
});

test('no dealer, street or hidden code gets into a reading', { skip }, () => {
  for (const { known } of readings.values()) {
    const words = JSON.stringify(known.label);
    assert.doesNotMatch(words, /sitedealer|"maker|DEALER NO|\b\d{5}-\d{4}\b/, known.vin ?? '');
  }
});
