import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { plainText } from '../../src/reading/plain-text.ts';
import { readText } from '../../src/makers/read.ts';
import { sample, withoutSamples } from '../samples.ts';

interface Expected {
  file: string;
  make: string;
  vin: string;
  color: string | null;
  code: string | null;
}

interface Right {
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

test('recorded texts of every make: color, code and the complete reading', { skip }, () => {
  const right = new Map(linesOf<Right>('samples/labels/readings.jsonl').map((one) => [one.vin, one]));
  const texts = linesOf<Expected>('samples/labels/expected.jsonl').filter((one) => one.file.endsWith('.txt'));
  assert.ok(texts.length >= 7);
  for (const { file, make, vin, color, code } of texts) {
    const reading = readText(plainText(readFileSync(sample(`samples/${file}`)!, 'utf8')), { make });
    assert.deepEqual(reading.paint, color === null ? null : { color, code }, file);
    const wanted = right.get(vin);
    if (color === null || !wanted) continue;
    assert.equal(reading.vin, vin);
    assert.equal(reading.proof?.closes, true, file);
    const { prices, model, interior, assembly, fuelEconomy } = reading.label!;
    const lines = (list: { name: string; price: number | null }[]): unknown[] =>
      list.filter(({ price }) => price).map(({ name, price }) => [name, price]);
    assert.deepEqual(lines(prices.options), lines(wanted.options), file);
    assert.deepEqual(lines(prices.discounts), lines(wanted.discounts ?? []), file);
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
        base: wanted.base,
        destination: wanted.destination,
        total: wanted.total,
        model: wanted.model,
        interior: wanted.interior,
        assembly: wanted.assembly,
      },
      file,
    );
    if (wanted.fuelEconomy) assert.partialDeepStrictEqual(fuelEconomy, wanted.fuelEconomy, file);
    else assert.equal(fuelEconomy, null, file);
  }
});

test(
  "Ford's recorded descriptions: the colour of every one",
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
