// lane: service
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sample, withoutSamples } from '../../../test/samples.ts';
import { isLong } from '../../../test/size.ts';
import { vpic } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');
const DECODES = 'samples/vpic-decodes.jsonl.gz';
const FULL = 'samples/vpic-decodes-full.jsonl.gz';

const onlyInFull = new Set(['elements', 'possibleValues']);

const rowsOf = (path: string): unknown[] =>
  gunzipSync(readFileSync(sample(path)!))
    .toString()
    .trim()
    .split('\n')
    // A mistake in a rule shows in many rows; a long run compares all of them.
    .filter((_, index) => isLong || index % 5 === 0)
    .map((line) => JSON.parse(line) as unknown);

/** Names of the brief rows → elements. */
const elementIds: Record<string, number> = {
  Make: 26,
  Model: 28,
  ModelYear: 29,
  Trim: 38,
  Series: 34,
  BodyClass: 5,
  DriveType: 15,
  Doors: 14,
  DisplacementL: 13,
  EngineCylinders: 9,
  FuelTypePrimary: 24,
  FuelTypeSecondary: 66,
  ElectrificationLevel: 126,
  TransmissionStyle: 37,
  TransmissionSpeeds: 63,
  PlantCity: 31,
  PlantState: 77,
  PlantCountry: 75,
  Manufacturer: 27,
  VehicleType: 39,
  EngineModel: 18,
  ErrorCode: 143,
  SuggestedVIN: 142,
  PossibleValues: 144,
  AdditionalErrorText: 156,
};

test(
  'every field of recorded decodes agrees, and decode agrees with decodeFull',
  { skip: withoutSamples(DECODES) },
  () => {
    const differences: string[] = [];
    for (const row of rowsOf(DECODES) as Record<string, string>[]) {
      const vin = row.VIN!;
      const full = vpic.decodeFull(vin, { now });
      const recorded = new Map(full.elements.map((element) => [element.id, element.value]));
      for (const [name, id] of Object.entries(elementIds)) {
        const ours = recorded.get(id) ?? '';
        const theirs = row[name] ?? '';
        if (ours !== theirs && ours.trim() !== theirs)
          differences.push(`${vin} ${name}: ${ours} for ${theirs}`);
      }
      assert.equal(full.codes.join(','), row.ErrorCode);
      assert.equal(full.suggested ?? '', row.SuggestedVIN ?? '');
      assert.equal(full.possibleValues, row.PossibleValues ?? '');
      // As JSON, which computes lazy properties.
      const brief = JSON.stringify(full, (name, value: unknown) =>
        onlyInFull.has(name) ? undefined : value,
      );
      const decoded = JSON.stringify(vpic.decode(vin, { now }));
      // Deep comparison takes far longer; it shows where they differ.
      if (decoded !== brief) assert.deepEqual(JSON.parse(decoded), JSON.parse(brief), vin);
    }
    assert.deepEqual(differences, []);
  },
);

test('every public element of full decodes agrees', { skip: withoutSamples(FULL) }, () => {
  for (const row of rowsOf(FULL) as { VIN: string; attributes: Record<string, string | string[]> }[]) {
    const ours: Record<string, string | string[]> = {};
    for (const element of vpic.decodeFull(row.VIN, { now }).elements) {
      // The samples have the release's spelling, we have the live API's.
      const { name, value } = { ...element, name: element.name.replace('(kW', '(KW') };
      const before = ours[name];
      if (Array.isArray(row.attributes[name])) ours[name] = [...(before ?? []), value];
      else ours[name] = before === undefined ? value : `${String(before)} and ${value}`;
    }
    const theirs = Object.fromEntries(Object.entries(row.attributes).filter(([, value]) => value !== ''));
    assert.deepEqual(ours, theirs, row.VIN);
  }
});
