import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sample, withoutSamples } from '../../../test/samples.ts';
import { isVin } from '../src/index.ts';
import { vpic } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');
const elementsOf = (vin: string): Map<string, string> =>
  new Map(vpic.decodeFull(vin, { now }).elements.map(({ name, value }) => [name, value]));

test('a wrong check digit of an off-road vehicle carries the note about PINs', () => {
  const text = elementsOf('1C9T5B406KG587840').get('Error Text') ?? '';
  assert.match(
    text,
    /^1 - Check Digit \(9th position\) does not calculate properly NOTE: Disregard if this is an off-road vehicle PIN, as check digit calculation may not be accurate\.; 10 - Off-Road/,
  );
});

test('a listed exception carries its note even when the check digit is right', () => {
  const text = elementsOf('1C9FA3825R1257011').get('Error Text');
  assert.equal(
    text,
    '0 - VIN decoded clean. Check Digit (9th position) is correct NOTE: Check Digit Exception - The check digit was given an exception based on data from the OEM indicating an error on production.',
  );
});

test('a range that matches I, O or Q does not name it: code 14, with or without a model year', () => {
  const elements = elementsOf('1HTJOE3A8RU521696');
  assert.equal(elements.get('Error Code'), '1,4,14,400');
  assert.match(
    elements.get('Additional Error Text') ?? '',
    /Unused position\(s\): 5\. Invalid character\(s\): 5:O\./,
  );
  assert.equal(elementsOf('LVCJ2I821VMH69510').get('Error Code'), '1,4,14,400');
  assert.equal(elementsOf('1LNIM82V0QYL96697').get('Error Code'), '1,11,14,400');
});

test('possible values begin with the underscore', () => {
  assert.equal(elementsOf('1FMSKAAA7PA111111').get('Possible Values'), '(6:_0123456789)(11:EGKLNU)');
});

test('elements have the names of the live API', () => {
  const names = [...elementsOf('5YJ3E1EA7KF000316').keys(), ...elementsOf('NMTKHMBX3JR111111').keys()];
  assert.ok(names.includes('Top Speed (MPH)'));
  for (const name of names) assert.doesNotMatch(name, /KW/);
});

const LIVE = 'samples/vpic-live.jsonl';

test('codes, texts and suggested VINs match recorded live responses', { skip: withoutSamples(LIVE) }, () => {
  let compared = 0;
  for (const line of readFileSync(sample(LIVE)!, 'utf8').trim().split('\n')) {
    const live = JSON.parse(line) as Record<string, string>;
    // Some were recorded without texts, and shortened VINs have other codes.
    if (!live.ErrorText || !isVin(live.VIN!)) continue;
    const ours = elementsOf(live.VIN!);
    assert.equal(ours.get('Error Code'), live.ErrorCode, live.VIN);
    assert.equal(ours.get('Error Text'), live.ErrorText, live.VIN);
    assert.equal(ours.get('Suggested VIN') ?? '', live.SuggestedVIN, live.VIN);
    compared++;
  }
  assert.ok(compared >= 500, `${compared} compared`);
});
