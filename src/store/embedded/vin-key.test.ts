import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vinKey } from './vin-key.ts';

test('VINs of one model have places of their own', () => {
  const places = new Set<number>();
  for (let serial = 0; serial < 200_000; serial++) {
    const place = vinKey(`1C6SRFFT${serial % 10}TN${String(serial).padStart(6, '0')}`);
    assert.ok(Number.isSafeInteger(place) && place >= 0);
    places.add(place);
  }
  assert.equal(places.size, 200_000);
});
