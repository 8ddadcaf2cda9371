import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { plainText } from '../../src/reading/extracted-text.ts';
import { readText } from '../../src/makers/read.ts';
import { sample, withoutSamples } from '../samples.ts';

interface Expected {
  file: string;
  make: string;
  vin: string;
  color: string | null;
  code: string | null;
}

interface ExpectedReading {
  vin: string;
  base: number;
  destination: number;
  total: number;
  options: { name: string; price: number }[];
  discounts?: { name: string; price: number }[];
  model: string | null;
  interior: string | null;
  assembly: string | null;
  fuelEconomy: object | null;
}

function linesOf<Row>(path: string): Row[] {
  const rows = readFileSync(sample(path)!, 'utf8').trim().split('\n');
  return rows.map((row) => JSON.parse(row) as Row);
}

const skip = withoutSamples('samples/labels/expected.jsonl');

test('recorded texts of every make give the right color, code and reading', { skip }, () => {
  const readings = new Map(
    linesOf<ExpectedReading>('samples/labels/readings.jsonl').map((row) => [row.vin, row]),
  );
  const texts = linesOf<Expected>('samples/labels/expected.jsonl').filter((row) => row.file.endsWith('.txt'));
  assert.ok(texts.length >= 7);
  for (const { file, make, vin, color, code } of texts) {
    const reading = readText(plainText(readFileSync(sample(`samples/${file}`)!, 'utf8')), { make });
    assert.deepEqual(reading.paint, color === null ? null : { color, code }, file);
    const expected = readings.get(vin);
    if (color === null || !expected) continue;
    assert.equal(reading.vin, vin);
    assert.equal(reading.proof?.closes, true, file);
    const { prices, model, interior, assembly, fuelEconomy } = reading.label!;
    const lines = (list: { name: string; price: number | null }[]): unknown[] =>
      list.filter(({ price }) => price).map(({ name, price }) => [name, price]);
    assert.deepEqual(lines(prices.options), lines(expected.options), file);
    assert.deepEqual(lines(prices.discounts), lines(expected.discounts ?? []), file);
    assert.deepEqual(
      {
        base: prices.base,
        destination: prices.destination,
        total: prices.total,
        model,
        interior,
        assembly,
      },
      {
        base: expected.base,
        destination: expected.destination,
        total: expected.total,
        model: expected.model,
        interior: expected.interior,
        assembly: expected.assembly,
      },
      file,
    );
    if (expected.fuelEconomy) assert.partialDeepStrictEqual(fuelEconomy, expected.fuelEconomy, file);
    else assert.equal(fuelEconomy, null, file);
  }
});

test(
  "the color of each of Ford's recorded descriptions is read",
  { skip: withoutSamples('samples/labels/ford') },
  () => {
    const blocks = JSON.parse(
      readFileSync(sample('samples/labels/ford/description-blocks.json')!, 'utf8'),
    ) as { vin: string; text: string; color: string }[];
    for (const { vin, text, color } of blocks) {
      assert.deepEqual(readText(plainText(text), { make: 'Ford' }).paint, { color, code: null }, vin);
    }
  },
);
