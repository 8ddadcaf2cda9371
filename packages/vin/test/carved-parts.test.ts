// lane: service
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { carvedIndex, carver } from '../src/split.ts';
import { openVpic } from '../src/web.ts';
import { vpic as complete } from '../../../test/decoder.ts';

/** The parts that a service carves for its own pages. */

const now = new Date('2026-11-01T00:00:00Z');
const { data } = complete;
const index = carvedIndex(data);
const carve = carver(data);

const load = async (name: string): Promise<Uint8Array> =>
  name === 'index.json'
    ? new TextEncoder().encode(JSON.stringify(index))
    : gzipSync(carve(name.replace('.bin', '')), { level: 1 });

test('every manufacturer is in exactly one carved part', () => {
  const prefixes = index.parts.flatMap((part) => part.prefixes);
  for (const wmi of new TextDecoder().decode(data.bytes.wmis).split('\n'))
    assert.equal(prefixes.filter((prefix) => wmi.startsWith(prefix)).length, 1, wmi);
});

test('a carved part decodes its VINs like the complete data, also together with others', async () => {
  const loaded: string[] = [];
  const together = await openVpic({
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
  const alone = ['1FTMW1T88MFA00001', 'WBA8E9G50GNT00001', '1A9GPEAA4GC596001'];
  for (const vin of [...vins, ...alone]) {
    const vpic = alone.includes(vin) ? await openVpic({ load }) : together;
    // Repairs that lead to another manufacturer need the complete data.
    const { warning: _, repair: __, ...fromPart } = await vpic.decodeFull(vin, { now });
    const { warning: ___, repair: ____, ...fromAll } = complete.decodeFull(vin, { now });
    assert.deepEqual(fromPart, fromAll, vin);
  }
  assert.equal(new Set(loaded).size, loaded.length, 'a part is loaded once');
});
