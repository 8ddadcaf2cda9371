import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sample, withoutSamples } from '../../../test/samples.ts';
import { loadVpic, vehicleOf, type DecodedFull } from '../src/index.ts';

const now = new Date('2026-11-01T00:00:00Z');
const vpic = loadVpic();
const decodes = 'samples/vpic-decodes.jsonl.gz';
const fullDecodes = 'samples/vpic-decodes-full.jsonl.gz';

function rows<T>(path: string): T[] {
  return gunzipSync(readFileSync(sample(path) ?? ''))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line): T => JSON.parse(line));
}

const value = (full: DecodedFull, name: string): string =>
  full.elements.find((element) => element.name === name)?.value ?? '';

test('recorded decodes agree in every field, code and suggestion', { skip: withoutSamples(decodes) }, () => {
  const different: string[] = [];
  for (const row of rows<Record<string, string>>(decodes)) {
    const full = vpic.decodeFull(row.VIN ?? '', { now });
    const agrees =
      full.codes.join(',') === row.ErrorCode &&
      (full.suggested ?? '') === (row.SuggestedVIN ?? '') &&
      full.possibleValues === (row.PossibleValues ?? '') &&
      value(full, 'Series') === (row.Series ?? '') &&
      value(full, 'Engine Model') === (row.EngineModel ?? '') &&
      value(full, 'Fuel Type - Secondary') === (row.FuelTypeSecondary ?? '') &&
      value(full, 'Electrification Level') === (row.ElectrificationLevel ?? '') &&
      value(full, 'Vehicle Type') === (row.VehicleType ?? '') &&
      (full.vehicle === null || JSON.stringify(full.vehicle) === JSON.stringify(vehicleOf(row)));
    if (!agrees) different.push(row.VIN ?? '');
  }
  assert.deepEqual(different, []);
});

test('recorded full decodes agree in every element', { skip: withoutSamples(fullDecodes) }, () => {
  interface Row {
    VIN: string;
    attributes: Record<string, string | string[]>;
  }
  for (const { VIN, attributes } of rows<Row>(fullDecodes)) {
    const printed: Record<string, string | string[]> = {};
    for (const { name, value: text } of vpic.decodeFull(VIN, { now }).elements) {
      if (Array.isArray(attributes[name])) printed[name] = [...(printed[name] ?? []), text];
      else printed[name] = text;
    }
    const said = Object.fromEntries(Object.entries(attributes).filter(([, text]) => text !== ''));
    assert.deepEqual(printed, said, VIN);
  }
});
