// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, FAILED, HELD, NO_SOURCE, NONE, OFF, fakeLookup } from './testing.ts';

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
