import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hasRightCheckDigit, isVin, loadVpic, type Vehicle } from '../src/index.ts';

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
const vpic = loadVpic();
const expected = readFileSync(new URL('vins.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Expected => JSON.parse(line));

test('our own VINs decode to the answers kept beside them', () => {
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

test('the short answer is the long one without its elements', () => {
  for (const { vin } of expected) {
    const { elements: _, possibleValues: __, ...short } = { ...vpic.decodeFull(vin, { now }) };
    assert.deepEqual({ ...vpic.decode(vin, { now }) }, short, vin);
  }
});

test('between them they show every code, every source of elements, every vehicle type', () => {
  const codes = new Set(expected.flatMap((row) => row.codes));
  assert.deepEqual(
    [...codes].sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 14, 400],
  );
  const sources = new Set(expected.flatMap((row) => row.elements.map(([, , source]) => source)));
  for (const source of ['pattern', 'formula', 'engine model', 'vehicle spec', 'conversion', 'default']) {
    assert.ok(sources.has(source), source);
  }
  const types = expected.map(
    (row) => vpic.decodeFull(row.vin, { now }).elements.find(({ id }) => id === 39)?.value,
  );
  assert.ok(new Set(types).size >= 9);
});

test('an answer is the same again, whatever was decoded in between', () => {
  for (const { vin } of expected) vpic.decode(vin, { now });
  for (const { vin, vehicle } of [...expected].reverse())
    assert.deepEqual(vpic.decode(vin, { now }).vehicle, vehicle);
});

test('the day decides which of two years it is', () => {
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

test('where only the check digit is wrong, the right VIN is named first, and two at most', () => {
  const clean = expected.filter((row) => row.codes[0] === 0 && hasRightCheckDigit(row.vin));
  assert.ok(clean.length > 200);
  for (const { vin } of clean) {
    for (const digit of '0123456789X'.replace(vin.charAt(8), '')) {
      const { repair, warning } = vpic.decode(vin.slice(0, 8) + digit + vin.slice(9), { now });
      assert.equal(repair, vin);
      assert.ok(warning?.includes(`Did you mean ${vin}, with ${vin[8]} at position 9`));
      assert.ok((warning?.match(/\b[A-Z0-9]{17}\b/g) ?? []).length <= 2);
    }
  }
});

test("vPIC's suggested VIN is named wherever it has one", () => {
  const suggesting = expected.filter(
    ({ vin, suggested }) => suggested && isVin(vin) && !suggested.includes('!'),
  );
  assert.ok(suggesting.length > 5);
  for (const { suggested, warning } of suggesting)
    assert.deepEqual(warning?.match(/\b[A-Z0-9]{17}\b/g), [suggested]);
});

test('the makes of a manufacturer are told without a decode', () => {
  assert.deepEqual(vpic.makesOf('JN8BY2AE3P9A00000'), ['NISSAN', 'INFINITI']);
  for (const text of ['ZZZAAJEG7KCA00000', '', 'JN8BY2AE3P9A000000'])
    assert.deepEqual(vpic.makesOf(text), []);
});
