import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALPHABET } from '../layout.ts';
import { convert } from './conversions.ts';
import { readKey, type CharSet } from './keys.ts';

const shown = (set: CharSet | null | undefined): string | null =>
  set ? [...ALPHABET].filter((_, code) => (set >> BigInt(code)) & 1n).join('') : null;

test('a star matches anything, a plain character itself', () => {
  const key = readKey('*A');
  assert.deepEqual(key.tests?.map(shown), [null, 'A']);
  assert.equal(key.named, 0b10);
});

test('brackets are sets and ranges, and [1-A] means [1A]', () => {
  assert.deepEqual(readKey('[A-CX][1-A][^0-9A-Y]').tests?.map(shown).slice(0, 2), ['ABCX', '1A']);
  assert.equal(shown(readKey('[^0-9A-Y]').tests?.[0]), 'Z_#');
});

test('brackets may list I, O and Q, but ranges leave them out', () => {
  assert.equal(shown(readKey('[I1]').valid[0]), '1I');
  assert.equal(shown(readKey('[H-J]').valid[0]), 'HJ');
  assert.equal(shown(readKey('[H-J]').tests?.[0]), 'HIJ');
});

test('the bar is the check digit, followed by positions 10 and 11', () => {
  const key = readKey('*****|*U');
  assert.deepEqual(key.tests?.map(shown), [null, null, null, null, null, null, null, 'U']);
  assert.equal(key.named, 0b100000);
});

test('a key that no VIN can match has no tests', () => {
  assert.equal(readKey('AAAAAA').tests, null);
  assert.equal(readKey('*'.repeat(15)).tests, null);
  assert.equal(readKey('1#').tests, null);
});

test('a formula uses the characters from its first to its last mark', () => {
  const key = readKey('**##');
  assert.deepEqual(key.formula, { start: 5, length: 2 });
  assert.equal(shown(key.tests?.[2]), '0123456789#');
});

test('conversions are exact to the last digit PostgreSQL prints', () => {
  assert.equal(convert('#x# / 16.387064 ', '2000'), '122.0474881894645679');
  assert.equal(convert('#x# * 1000', '7.2'), '7200.0');
  assert.equal(convert('#x# * 0.016387064', '212'), '3.474057568');
  assert.equal(convert('#x# / 1000.', '357'), '0.35700000000000000000');
  assert.equal(convert('#x# / 1000.', 'about 2'), '0');
  assert.throws(() => convert('sqrt(#x#)', '2'), /conversion/);
});
