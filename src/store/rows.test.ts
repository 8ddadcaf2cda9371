import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compressJson, decompressJson } from './rows.ts';

test('no flipped bit of a compressed value changes the value', () => {
  const value = {
    prices: Array.from({ length: 40 }, (_, index) => ({ name: `Option ${index}`, price: index * 995 })),
  };
  const bytes = compressJson(value);
  assert.deepEqual(decompressJson(bytes), value);
  let damaged = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    const found = decompressJson(flipped);
    if (found === null) damaged++;
    else assert.deepEqual(found, value);
  }
  assert.ok(damaged > bytes.length * 7);
});
