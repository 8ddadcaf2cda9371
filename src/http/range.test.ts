import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { byteRange } from './range.ts';

test('a range with both ends, an open one and a suffix', () => {
  assert.deepEqual(byteRange('bytes=0-499', 1000), { start: 0, end: 499 });
  assert.deepEqual(byteRange('bytes=500-', 1000), { start: 500, end: 999 });
  assert.deepEqual(byteRange('bytes=-200', 1000), { start: 800, end: 999 });
  assert.deepEqual(byteRange('Bytes= 1-1 ', 1000), { start: 1, end: 1 });
});

test('an end past the end is clamped, and a long suffix is the full file', () => {
  assert.deepEqual(byteRange('bytes=900-5000', 1000), { start: 900, end: 999 });
  assert.deepEqual(byteRange('bytes=-5000', 1000), { start: 0, end: 999 });
  assert.deepEqual(byteRange(`bytes=0-${'9'.repeat(400)}`, 1000), { start: 0, end: 999 });
});

test('a start past the end, or an empty suffix, is unsatisfiable', () => {
  assert.equal(byteRange('bytes=1000-', 1000), 'unsatisfiable');
  assert.equal(byteRange('bytes=5000-6000', 1000), 'unsatisfiable');
  assert.equal(byteRange('bytes=-0', 1000), 'unsatisfiable');
});

test('several ranges, other units and malformed values are ignored', () => {
  for (const field of [
    undefined,
    'bytes=0-1,5-6',
    'lines=1-2',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes 0-1',
    '',
  ]) {
    assert.equal(byteRange(field, 1000), 'full', String(field));
  }
});

test('the range always lies inside the file', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n }),
      fc.bigInt({ min: 0n }),
      fc.integer({ min: 1, max: 5000 }),
      (first, last, size) => {
        const range = byteRange(`bytes=${first}-${last}`, size);
        if (typeof range === 'string') return;
        assert.ok(range.start >= 0 && range.start <= range.end && range.end < size);
      },
    ),
  );
});
