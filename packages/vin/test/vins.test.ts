// lane: service
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hasRightCheckDigit, type Vehicle } from '../src/index.ts';
import { vpic } from '../../../test/decoder.ts';

interface Expected {
  vin: string;
  codes: number[];
  suggested: string | null;
  possibleValues: string;
  repair: string | null;
  warning: string | null;
  vehicle: Vehicle | null;
  /** The elements this VIN was chosen for: id, value, source. */
  elements: [number, string, string][];
}

const now = new Date('2026-11-01T00:00:00Z');
const expected = readFileSync(new URL('vins.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Expected => JSON.parse(line));

/** A copy with all lazy properties computed. */
const plain = <T>(decoded: T): T => JSON.parse(JSON.stringify(decoded)) as T;

test('our VINs decode to the recorded results', () => {
  for (const row of expected) {
    const full = vpic.decodeFull(row.vin, { now });
    const { vin, codes, suggested, possibleValues, repair, warning, vehicle } = full;
    const ids = new Set(row.elements.map(([id]) => id));
    const elements = full.elements
      .filter(({ id }) => ids.has(id))
      .sort((a, b) => a.id - b.id)
      .map(({ id, value, source }) => [id, value, source]);
    assert.deepEqual(
      { vin, codes, suggested, possibleValues, repair, warning, vehicle, elements },
      row,
      row.vin,
    );
  }
});

test('decode is decodeFull without the elements', () => {
  for (const { vin } of expected) {
    const { elements: _, possibleValues: __, ...short } = plain(vpic.decodeFull(vin, { now }));
    assert.deepEqual(plain(vpic.decode(vin, { now })), short, vin);
  }
});

test('the recorded VINs cover every code, element source and vehicle type', () => {
  const codes = new Set(expected.flatMap((row) => row.codes));
  assert.deepEqual(
    [...codes].sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 14, 400],
  );
  const sources = new Set(expected.flatMap((row) => row.elements.map(([, , source]) => source)));
  for (const source of ['pattern', 'formula', 'engine model', 'vehicle spec', 'conversion', 'default'])
    assert.ok(sources.has(source), source);
  const types = expected.map(
    (row) => vpic.decodeFull(row.vin, { now }).elements.find(({ id }) => id === 39)?.value,
  );
  assert.ok(new Set(types).size >= 9);
});

test('a decode does not depend on earlier decodes', () => {
  for (const { vin } of expected) vpic.decode(vin, { now });
  for (const { vin, vehicle } of [...expected].reverse())
    assert.deepEqual(vpic.decode(vin, { now }).vehicle, vehicle);
});

test('the date decides between two model years', () => {
  // W is 2028 and 1998; until 2026 the later one is more than two years ahead.
  const truck = expected.find((row) => row.vin[9] === 'W' && row.vehicle?.year === '2028');
  assert.ok(truck);
  assert.equal(vpic.decode(truck.vin, { now: new Date('2025-12-31T00:00:00Z') }).vehicle?.year, '1998');
});

test('a repair decodes cleanly, and the warning names it', () => {
  const repaired = expected.filter((row) => row.repair);
  assert.ok(repaired.length > 5);
  for (const { repair, warning } of repaired) {
    assert.equal(vpic.decode(repair ?? '', { now }).codes[0], 0, repair ?? '');
    assert.ok(warning?.includes(`Did you mean ${repair}`));
  }
});

test('a wrong check digit alone gives hardly any repair, and the candidates include the right VIN', () => {
  const clean = expected.filter((row) => row.codes[0] === 0 && hasRightCheckDigit(row.vin));
  assert.ok(clean.length > 200);
  const repairs: string[] = [];
  for (const { vin } of clean) {
    const other = vin[8] === '3' ? '7' : '3';
    const typed = vin.slice(0, 8) + other + vin.slice(9);
    const { repair, warning } = vpic.decode(typed, { now });
    if (repair !== null) {
      repairs.push(repair);
      continue;
    }
    assert.match(warning ?? '', /check digit at position 9 doesn't match/);
    assert.doesNotMatch(warning ?? '', /\b[A-Z0-9]{17}\b/);
    assert.equal(vpic.repair(typed, { now }), null);
    assert.ok(vpic.candidates(typed, { now }).includes(vin), typed);
  }
  // Made-up VINs have odd characters more often than real ones.
  assert.ok(repairs.length <= clean.length / 100, String(repairs));
});

test('a warning names no VIN but the repair', () => {
  for (const { repair, warning } of expected)
    assert.deepEqual(warning?.match(/\b[A-Z0-9]{17}\b/g) ?? [], repair ? [repair] : []);
});

test('16 and 18 characters are repaired if one VIN fits', () => {
  assert.equal(vpic.repair('1M8GDM9AXKP42788', { now }), null, 'a digit of the serial number could be any');
  assert.equal(vpic.repair('1FTFW1ETDKG44301', { now }), '1FTFW1ET5DKG44301', 'no check digit');
  assert.equal(vpic.repair('1FTFW1ET5DKGG44301', { now }), '1FTFW1ET5DKG44301');
  assert.equal(vpic.repair('1FTFWIET5DKG443O1', { now }), '1FTFW1ET5DKG44301');
  assert.ok(vpic.candidates('1M8GDM9AXKP42788', { now }).includes('1M8GDM9AXKP042788'));
});

test('a decode with errors is completed on first read, and copies as JSON', () => {
  const decoded = vpic.decode('1M8GDM9A2KP042788', { now });
  // Other decodes in between must have no effect.
  vpic.decode('1FTFW1ET5DKG44301', { now });
  const { warning } = decoded;
  assert.match(warning ?? '', /check digit/);
  const copy = JSON.parse(JSON.stringify(decoded)) as Record<string, unknown>;
  assert.deepEqual(Object.keys(copy).sort(), [
    'codes',
    'otherYear',
    'repair',
    'suggested',
    'vehicle',
    'vin',
    'warning',
  ]);
  assert.equal(copy.warning, warning);
});

test('makesOf needs no decode', () => {
  assert.deepEqual(vpic.makesOf('JN8BY2AE3P9A00000'), ['NISSAN', 'INFINITI']);
  for (const text of ['ZZZAAJEG7KCA00000', '', 'JN8BY2AE3P9A000000'])
    assert.deepEqual(vpic.makesOf(text), []);
});
