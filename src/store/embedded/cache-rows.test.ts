import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vinKey } from './cache-rows.ts';

test('VINs of one model have different keys', () => {
  const keys = new Set<number>();
  for (let serial = 0; serial < 200_000; serial++) {
    const key = vinKey(`1C6SRFFT${serial % 10}TN${String(serial).padStart(6, '0')}`);
    assert.ok(Number.isSafeInteger(key) && key >= 0);
    keys.add(key);
  }
  assert.equal(keys.size, 200_000);
});
