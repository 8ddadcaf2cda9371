import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kia } from './kia.ts';
import { hostsOf } from './source.ts';

test('three addresses of one host are asked, each of them also when the one before has none', () => {
  assert.equal(kia.addresses.length, 3);
  assert.equal(kia.turn, 'each');
  assert.deepEqual(hostsOf(kia), ['www.kia.com']);
});

test('a 404 means none at Kia', () => {
  assert.equal(kia.notFound, 'none');
});
