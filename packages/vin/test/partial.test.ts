import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { vpic } from '../../../test/decoder.ts';

interface Expected {
  vin: string;
  modelYear?: number;
  /** Value by element id. An id that's missing has no value. */
  elements: Record<string, string>;
}

const now = new Date('2026-11-01T00:00:00Z');
// Results of ultravin 3.0.2, an independent decoder, on the same release.
const expected = readFileSync(new URL('partial.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Expected => JSON.parse(line));
const compared = [26, 28, 29, 31, 39, 142, 143, 144, 156, 196];

test('partial VINs and given model years decode as in an independent decoder', () => {
  for (const { vin, modelYear, elements } of expected) {
    const full = vpic.decodeFull(vin, { now, modelYear });
    const ours = Object.fromEntries(
      full.elements.filter(({ id }) => compared.includes(id)).map(({ id, value }) => [id, value.trim()]),
    );
    assert.deepEqual(ours, elements, `${vin} ${modelYear}`);
  }
});

test('missing characters only remove what they describe', () => {
  const full = vpic.decode('1FTMW1T88MFA00001', { now });
  const part = vpic.decode('1ftmw1t8*mf', { now });
  assert.deepEqual(part.vehicle, full.vehicle);
  assert.deepEqual(part.codes, [6]);
  assert.match(part.warning ?? '', /^A VIN has 17 characters\. This has 11, so 6 are missing\./);
  assert.deepEqual(vpic.decode('1F', { now }).vehicle, null);
});

test('a given model year decides between two, and code 12 reports a contradiction', () => {
  const vin = '1FTEX14H6TKA00000';
  assert.equal(vpic.decode(vin, { now, modelYear: 1996 }).codes.includes(12), false);
  const wrong = vpic.decode(vin, { now, modelYear: 2020 });
  assert.ok(wrong.codes.includes(12));
  assert.match(wrong.warning ?? '', /The model year you gave isn't the one this VIN names\./);
});
