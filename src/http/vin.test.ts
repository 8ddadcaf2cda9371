// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash } from 'node:crypto';
import { client, FAILED, HELD, NO_SOURCE, NONE, OFF, fakeLookup } from './testing.ts';
import { LabelMissing } from '../store/store.ts';

const path = (vin: string) => `/api/v1/vin/${vin}`;

test('a body is pure ASCII and has the declared length', async () => {
  const { body, headers } = await client(fakeLookup().lookup).get(path(HELD));
  assert.match(body, /M\\u00e9tallic/);
  assert.match(body, /^[\x20-\x7e]+$/);
  assert.equal(headers['content-length'], String(body.length));
});

test('a bad value is quoted in the error, cut short and escaped', async () => {
  const { get } = client(fakeLookup().lookup);
  for (const [value, expected] of [
    ['maybe', '"maybe"'],
    ['', '""'],
    ['%zz', 'invalid percent-encoding'],
    ['a%0d%0Ab%7F%22%E2%80%AEc', '"a\\r\\nb\\u007f\\"\\u202ec"'],
    ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
    [encodeURIComponent(`${'x'.repeat(39)}😀`), `"${'x'.repeat(39)}…"`],
  ]) {
    const { detail } = (await get(`${path(HELD)}?sticker=${value}`)).json<{ detail: string }>();
    assert.equal(detail, `"sticker" must be 0, 1, true or false, got ${expected}.`);
  }
});

test('a held label is looked up once, and again when it was replaced; everything else is looked up every time', async () => {
  const fake = fakeLookup();
  let replace: (vin: string | null) => void = () => {};
  const store = {
    ready: async () => {},
    onReplaced: (listener: typeof replace) => (replace = listener),
  };
  const { get } = client(fake.lookup, { store });
  for (const replaced of [HELD, null]) {
    const bodies = new Set<string>();
    for (const query of ['', '', '?sticker=false']) bodies.add((await get(path(HELD) + query)).body);
    assert.equal(bodies.size, 1);
    replace(replaced);
  }
  assert.deepEqual(fake.found, [HELD, HELD]);
  for (const vin of [NONE, OFF, FAILED, NO_SOURCE]) for (let n = 0; n < 2; n++) await get(path(vin));
  assert.equal(fake.found.length, 2 + 8);
});

const STICKER = `/api/sticker/${HELD}`;

test('a PDF arrives byte for byte, and is looked up once', async () => {
  const fake = fakeLookup();
  const { get } = client(fake.lookup);
  for (let n = 0; n < 2; n++) assert.ok((await get(STICKER)).rawPayload.equals(fake.pdf));
  const part = await get(STICKER, { range: 'bytes=-5' });
  assert.deepEqual([part.statusCode, part.rawPayload], [206, fake.pdf.subarray(-5)]);
  assert.equal(fake.found.length, 1);
});

test('HEAD reads no file, and ignores a range', async () => {
  const { lookup } = fakeLookup();
  const pdf = () => assert.fail('the file was read');
  const head = await client({ ...lookup, pdf }).get(STICKER, { range: 'bytes=0-1' }, 'HEAD');
  assert.deepEqual([head.statusCode, head.headers['content-length']], [200, '300000']);
});

test('Content-Digest is that of what is sent, and Repr-Digest that of the whole file', async () => {
  const fake = fakeLookup();
  const { get } = client(fake.lookup);
  const digestsOf = async (...request: Parameters<typeof get>) => {
    const { headers } = await get(...request);
    return [headers['content-digest'], headers['repr-digest']];
  };
  const digest = (bytes: string | Buffer) => `sha-256=:${hash('sha256', bytes, 'base64')}:`;
  const whole = (await get(STICKER)).headers['repr-digest'];
  assert.deepEqual(await digestsOf(STICKER), [whole, whole]);
  assert.deepEqual(await digestsOf(STICKER, { range: 'bytes=0-4' }), [
    digest(fake.pdf.subarray(0, 5)),
    whole,
  ]);
  assert.deepEqual(await digestsOf(STICKER, {}, 'HEAD'), [undefined, whole]);
  const json = `/api/v1/vin/${HELD}`;
  const { body } = await get(json);
  assert.deepEqual(await digestsOf(json), [digest(body), undefined]);
  assert.deepEqual(await digestsOf(json, {}, 'HEAD'), [undefined, digest(body)]);
});

test('a label whose file is missing is looked up again, because it may have been replaced', async () => {
  const fake = fakeLookup();
  let isMissing = true;
  const pdf = async () => {
    if (!isMissing) return fake.pdf;
    isMissing = false;
    throw new LabelMissing('gone');
  };
  const { statusCode } = await client({ ...fake.lookup, pdf }).get(STICKER);
  assert.deepEqual([statusCode, fake.found.length], [200, 2]);
});
