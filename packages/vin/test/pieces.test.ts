import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { carver, pieceBytes, pieceNames } from '../src/pieces.ts';
import { openVpic } from '../src/web.ts';
import { vpic as complete } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');
const { data } = complete;
const names = pieceNames(data);
const extractPiece = carver(data);

/** Pieces are decompressed, as `fetch` returns them if the server sets a content encoding. */
const load = async (name: string): Promise<Uint8Array> => {
  if (name === 'index.json')
    return new TextEncoder().encode(JSON.stringify({ month: complete.month, pieces: names }));
  return pieceBytes(extractPiece(name.replace('.bin', '')));
};

test('every manufacturer is in exactly one piece', () => {
  const wmis = new TextDecoder().decode(data.bytes.wmis).split('\n');
  for (const wmi of wmis) assert.equal(names.filter((name) => wmi.startsWith(name)).length, 1, wmi);
});

test('a piece decodes its VINs like the complete data', async () => {
  const loaded: string[] = [];
  const vpic = await openVpic({
    load: (name) => {
      loaded.push(name);
      return load(name);
    },
  });
  const vins = readFileSync(new URL('vins.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { vin: string }).vin)
    .filter((vin) => /^(1F|JT|WB|XX|1A9|5Y)/.test(vin));
  assert.ok(vins.length > 10);
  for (const vin of vins) {
    // Repairs that lead to another manufacturer need the complete data.
    const { warning: _, repair: __, ...fromPiece } = await vpic.decodeFull(vin, { now });
    const { warning: ___, repair: ____, ...fromAll } = complete.decodeFull(vin, { now });
    assert.deepEqual(fromPiece, fromAll, vin);
  }
  assert.equal(new Set(loaded).size, loaded.length, 'a piece is loaded once');
});

test('test VINs and repairs are the same as with the complete data', async () => {
  const vpic = await openVpic({ load });
  for (const options of [
    { wmi: '1FT', seed: 3 },
    { wmi: '5YJ', year: 2022 },
  ])
    assert.equal(await vpic.testVin({ ...options, now }), complete.testVin({ ...options, now }));
  const typed = '1FTMW1T88MFAO0001';
  assert.equal(await vpic.repair(typed, { now }), complete.repair(typed, { now }));
  assert.deepEqual(await vpic.candidates(typed, { now }), complete.candidates(typed, { now }));
  assert.deepEqual(await vpic.makesOf(typed), ['FORD']);
});

test('a failed load is retried on the next call', async () => {
  let broken = true;
  const vpic = await openVpic({
    load: async (name) => {
      if (broken && name.endsWith('.bin')) throw new Error('offline');
      return load(name);
    },
  });
  await assert.rejects(vpic.decode('1FTMW1T88MFA00001', { now }), /offline/);
  broken = false;
  assert.equal((await vpic.decode('1FTMW1T88MFA00001', { now })).vehicle?.model, 'F-150');
});
