import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source as genesis } from './source.ts';
import { urlFor } from '../maker.ts';

test('the URL contains the date of the request', () => {
  const url = new URL(urlFor(genesis.urls[0]!, 'KMTGA4SC8PU900000', Date.UTC(2026, 10, 3, 23, 59)));
  assert.equal(url.searchParams.get('refreshToken'), '2026-11-03');
  assert.equal(url.searchParams.get('VIN'), 'KMTGA4SC8PU900000');
});

test('an empty response means none at Genesis', () => {
  assert.equal(genesis.empty, 'none');
});
