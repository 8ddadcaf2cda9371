import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, linesOf } from './lines.ts';
import { Label } from './label-schemas.ts';
import { blankLabel, marketOf } from './reader.ts';

function marketIn(words: string): string {
  const text = plainText(words);
  return marketOf({ text, lines: linesOf(text), words, positioned: false, vin: null });
}

test('the energy label, a website or an address tells a Canadian label', () => {
  for (const words of [
    'Combined\n10.7 L/100 km',
    'www.ford.ca',
    'visit www.kia.ca.',
    'SOLD TO\nOAKVILLE ON L6J 5E4',
    'SHIP TO\nLAVAL, QC H7L3N6',
  ])
    assert.equal(marketIn(words), 'CA', words);
});

test('words like those on a US label mean nothing', () => {
  for (const words of [
    'FOLSOM CA 95630-1234',
    'www.ford.com',
    'www.arb.ca.gov',
    'www.driveclean.ca.gov',
    'FINAL ASSEMBLY: OSHAWA, ON CANADA',
    'PACKAGE ON A1A 1A1 PLUS',
  ])
    assert.equal(marketIn(words), 'US', words);
});

test('a blank label has every key of the schema, in its order', () => {
  const blank = blankLabel('Ford', 'CA', 'fr');
  assert.deepEqual(Object.keys(blank), Object.keys(Label.shape));
  assert.equal(JSON.stringify(Label.parse(blank)), JSON.stringify(blank));
});
