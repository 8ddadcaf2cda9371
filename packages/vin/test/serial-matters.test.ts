import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkDigit } from '../src/index.ts';
import { vpic } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');

/** The same VIN with another serial number, except for the letters in it. */
function withSerial(vin: string, serial: number): string {
  const digits = String(serial).padStart(6, '0');
  const tail = vin.slice(11).replace(/\d/g, (_, index: number) => digits[index]!);
  const other = vin.slice(0, 11) + tail;
  return other.slice(0, 8) + checkDigit(other) + other.slice(9);
}

function decodesAlike(vin: string, serial: number): boolean {
  const other = withSerial(vin, serial);
  if (vpic.kindOf(vin) === null || vpic.kindOf(other) === null) return false;
  assert.equal(vpic.kindOf(other), vpic.kindOf(vin));
  assert.deepEqual(vpic.decode(other, { now }), { ...vpic.decode(vin, { now }), vin: other });
  return true;
}

test('VINs of one kind decode alike, whatever their serial number', () => {
  const rows = readFileSync(new URL('vins.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  let compared = 0;
  for (const [n, row] of rows.entries()) {
    const { vin, codes } = JSON.parse(row) as { vin: string; codes: number[] };
    for (const serial of [0, 999_999, 7919 * n]) if (codes[0] === 0 && decodesAlike(vin, serial)) compared++;
  }
  assert.ok(compared > 500, `${compared} compared`);
});

test('a VIN that may be wrong has no kind', () => {
  const vin = '1C6SRFFT4TN900000';
  assert.notEqual(vpic.kindOf(withSerial(vin, 900_001)), null);
  for (const other of [
    withSerial(vin, 900_001).replace(/^(.{8})./, (_, begin: string) => `${begin}A`),
    withSerial(vin, 900_001).slice(0, 16),
    `${withSerial(vin, 900_001).slice(0, 16)}A`,
    'ZZZSRFFT4TN900000',
    '',
  ])
    assert.equal(vpic.kindOf(other), null, other);
});
