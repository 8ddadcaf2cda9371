import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DataFileError } from './data-file.ts';
import { bundledBytes, loadBundled, loadVpic } from './load.ts';

const bundled = bundledBytes();
const assertRejected = (bytes: Uint8Array, message: RegExp) =>
  assert.throws(
    () => loadVpic(bytes),
    (error) => error instanceof DataFileError && message.test(error.message),
  );

test('a file at any offset in memory has its month, the hash of its input and its counts', () => {
  const shifted = new Uint8Array(bundled.length + 1);
  shifted.set(bundled, 1);
  const vpic = loadVpic(shifted.subarray(1));
  assert.match(vpic.month, /^20\d\d-\d\d$/);
  assert.match(vpic.input, /^[0-9a-f]{64}$/);
  assert.ok(vpic.counts.pattern! > 1_000_000);
  assert.ok(bundled.length <= 4_000_000);
});

test('the checksum detects any changed bit', () => {
  for (let part = 0; part < 12; part++) {
    const damaged = Uint8Array.from(bundled);
    const index = part === 0 ? 8 : Math.floor(((bundled.length - 1) * part) / 11);
    damaged[index]! ^= 1;
    assertRejected(damaged, /checksum/);
  }
});

test('truncated, empty and other files are rejected', () => {
  assertRejected(bundled.subarray(0, bundled.length - 1), /checksum/);
  assertRejected(bundled.subarray(0, 100), /checksum/);
  assertRejected(new Uint8Array(0), /isn't a vPIC data file/);
  assertRejected(
    Buffer.from('%PDF-1.7, long enough to have the header of a data file'),
    /isn't a vPIC data file/,
  );
});

test('the error for a missing file says how to get it', () => {
  assert.throws(
    () => loadBundled('/nowhere/vpic.bin'),
    (error) => error instanceof DataFileError && /compileRelease/.test(error.message),
  );
});
