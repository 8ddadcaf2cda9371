// lane: drill
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { splitRelease } from '../../../tools/pack/split.ts';
import { type PackedIndex, joinParts, partBytes, readPart } from '../src/parts.ts';
import { openVpic } from '../src/browser.ts';
import { vpic as complete } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');
const { data } = complete;
const split = splitRelease(data).map((part) => ({ ...part, bytes: partBytes(part.part) }));

const packed = split.map(({ name, prefixes, bytes }) => ({
  name,
  prefixes,
  size: bytes.length,
  bytes: gzipSync(bytes, { level: 1 }),
}));
const index: PackedIndex = {
  header: data.header,
  sha256: '',
  parts: packed.map(({ bytes, ...part }) => ({ ...part, packed: bytes.length })),
};

/** A folder with the parts, and which of its files were loaded. */
function folder() {
  const loaded: string[] = [];
  const load = async (name: string): Promise<Uint8Array> => {
    loaded.push(name);
    if (name === 'index.json') return new TextEncoder().encode(JSON.stringify(index));
    const part = packed.find((each) => `${each.name}.js` === name);
    assert.ok(part, `there is no ${name}`);
    return new TextEncoder().encode(`export default "${part.bytes.toString('base64')}";\n`);
  };
  return { load, loaded };
}

test('all parts together are the release', () => {
  const joined = joinParts(
    data.header,
    split.map(({ bytes }) => readPart(bytes.slice())),
  );
  for (const kind of ['numbers', 'bytes'] as const)
    for (const [name, section] of Object.entries(data[kind])) {
      const other = (joined[kind] as Record<string, typeof section>)[name]!;
      assert.equal(other.constructor, section.constructor, name);
      assert.ok(
        Buffer.from(other.buffer, other.byteOffset, other.byteLength).equals(
          Buffer.from(section.buffer, section.byteOffset, section.byteLength),
        ),
        name,
      );
    }
});

test('every manufacturer is in exactly one part', () => {
  const prefixes = split.flatMap((part) => part.prefixes);
  for (const wmi of new TextDecoder().decode(data.bytes.wmis).split('\n'))
    assert.equal(prefixes.filter((prefix) => wmi.startsWith(prefix)).length, 1, wmi);
});

test('a VIN loads the common part and that of its manufacturer, once', async () => {
  const { load, loaded } = folder();
  const vpic = await openVpic({ load });
  for (const vin of [
    '1FTMW1T88MFA00001',
    '1FTMW1T88MFAO0001',
    'WBA8E9G50GNT00001',
    '1A9GPEAA4GC596001',
    'XX9ZZZZZZZZ000000',
  ]) {
    // Repairs that lead to another manufacturer need its part.
    const { warning: _, repair: __, ...fromParts } = await vpic.decodeFull(vin, { now });
    const { warning: ___, repair: ____, ...fromAll } = complete.decodeFull(vin, { now });
    assert.deepEqual(fromParts, fromAll, vin);
  }
  assert.deepEqual(loaded.slice(0, 2), ['index.json', 'common.js']);
  assert.ok(loaded.length <= 7, loaded.join(' '));
  assert.equal(new Set(loaded).size, loaded.length);
});

test('repairs and test VINs of one manufacturer are the same as with the complete data', async () => {
  const vpic = await openVpic(folder());
  const typed = '1FTMW1T88MFAO0001';
  assert.equal(await vpic.repair(typed, { now }), complete.repair(typed, { now }));
  assert.deepEqual(await vpic.candidates(typed, { now }), complete.candidates(typed, { now }));
  assert.deepEqual(await vpic.makesOf(typed), ['FORD']);
  const options = { wmi: '1FT', seed: 3, now };
  assert.equal(await vpic.testVin(options), complete.testVin(options));
});

test('makes, models and test VINs of any make are the same as in Node', async () => {
  const vpic = await openVpic(folder());
  assert.deepEqual(await vpic.makes(), complete.makes());
  assert.deepEqual(await vpic.models('tesla', 2020), complete.models('tesla', 2020));
  assert.equal(await vpic.testVin({ make: 'Tesla', now }), complete.testVin({ make: 'Tesla', now }));
});

test('a failed load is retried on the next call', async () => {
  const { load } = folder();
  let broken = true;
  const vpic = await openVpic({
    load: async (name) => {
      if (broken && name.endsWith('.js')) throw new Error('offline');
      return load(name);
    },
  });
  await assert.rejects(vpic.decode('1FTMW1T88MFA00001', { now }), /offline/);
  broken = false;
  assert.equal((await vpic.decode('1FTMW1T88MFA00001', { now })).vehicle?.model, 'F-150');
});

for (const [what, damage] of [
  ['cut off', (text: string) => text.slice(0, 5000)],
  ['not base64', (text: string) => text.replace(/.(?=";)/, '*')],
  ['changed', (text: string) => text.replace(/(?<=^.{9000})..../, 'AAAA')],
] as const)
  test(`a part that is ${what} is an error`, async () => {
    const { load } = folder();
    const vpic = await openVpic({
      load: async (name) => {
        const bytes = await load(name);
        return name === 'common.js'
          ? new TextEncoder().encode(damage(new TextDecoder().decode(bytes)))
          : bytes;
      },
    });
    await assert.rejects(vpic.decode('1FTMW1T88MFA00001', { now }), { name: 'DataFileError' });
  });
