import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bundledBytes, readDataFile } from '../src/load.ts';
import { createDecoder } from '../src/decoder.ts';
import { carver, pieceBytes, pieceNames } from '../src/pieces.ts';
import { openVpic } from '../src/web.ts';

const now = new Date('2026-11-01T00:00:00Z');
const data = readDataFile(bundledBytes());
const whole = createDecoder(data);
const names = pieceNames(data);
const cut = carver(data);

/** Unpacked, as a server with a content encoding hands them on. */
const load = async (name: string): Promise<Uint8Array> =>
  name === 'index.json'
    ? new TextEncoder().encode(JSON.stringify({ month: whole.month, pieces: names }))
    : pieceBytes(cut(name.replace('.bin', '')));

test('every manufacturer is in exactly one piece', () => {
  const wmis = new TextDecoder().decode(data.bytes.wmis).split('\n');
  for (const wmi of wmis) assert.equal(names.filter((name) => wmi.startsWith(name)).length, 1, wmi);
});

test('a piece says of its VINs what the whole says', async () => {
  const asked: string[] = [];
  const vpic = await openVpic({
    load: (name) => {
      asked.push(name);
      return load(name);
    },
  });
  const vins = readFileSync(new URL('vins.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { vin: string }).vin)
    .filter((vin) => /^(1F|1G|5T|JT|KM|WB|XX|1A9|4|5Y)/.test(vin));
  assert.ok(vins.length > 30);
  for (const vin of vins) {
    // Repairs that lead to another manufacturer are only found in the whole.
    const { warning: _, repair: __, ...ours } = await vpic.decodeFull(vin, { now });
    const { warning: ___, repair: ____, ...theirs } = whole.decodeFull(vin, { now });
    assert.deepEqual(ours, theirs, vin);
  }
  assert.equal(new Set(asked).size, asked.length, 'a piece is loaded once');
});

test('a piece that could not be loaded is asked for again', async () => {
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
