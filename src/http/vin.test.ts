import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appWith,
  client,
  dependenciesWith,
  FAILED,
  HELD,
  NO_SOURCE,
  NONE,
  OFF,
  fakeLookup,
} from './testing.ts';
import { vinResponse } from '../lookup/finding-response.ts';
import { asciiJson } from './response.ts';

const path = (vin: string) => `/api/v1/vin/${vin}`;

async function get(vin: string, query = '', headers: Record<string, string> = {}, fake = fakeLookup()) {
  const response = await client(fake.lookup).get(path(vin) + query, headers);
  return { response, json: response.body === '' ? null : response.json() };
}

test('the response for a held label has its size, URLs and paint', async () => {
  const { response, json } = await get(HELD);
  assert.equal(response.statusCode, 200);
  assert.deepEqual(json.windowSticker, {
    supported: true,
    available: true,
    bytes: 300_000,
    pdf: `http://labels.example/api/sticker/${HELD}`,
    page: `http://labels.example/window-sticker/${HELD}`,
    kind: 'original',
    sourceHost: 'example.com',
    paint: { color: 'Harbor Blue Métallic', code: null },
  });
});

test('a lookup is 200 without a label too, with a reason and, if a retry makes sense, Retry-After', async () => {
  for (const [vin, query, ...expected] of [
    [HELD, '', true, true, undefined, undefined],
    [NO_SOURCE, '', false, false, 'make-not-supported', undefined],
    [NONE, '', true, false, 'no-label', undefined],
    [FAILED, '?sticker=false', true, null, 'not-asked', undefined],
    [OFF, '', true, null, 'source-off', undefined],
    [FAILED, '', true, null, 'source-failed', 30],
  ] as const) {
    const { response, json } = await get(vin, query);
    const { supported, available, reason, retryAfter } = json.windowSticker;
    assert.equal(response.statusCode, 200);
    assert.deepEqual([supported, available, reason, retryAfter], expected);
    assert.equal(response.headers['retry-after'], retryAfter?.toString());
  }
});

test('the body has exactly the fields of a lookup, in their order', async () => {
  const fake = fakeLookup();
  for (const vin of [HELD, NO_SOURCE, NONE, OFF, FAILED]) {
    // Twice, because the JSON of the vehicle is made once.
    for (const query of ['?sticker=false', '', '?sticker=true']) {
      const found = await fake.lookup.find(vin, { sticker: query !== '?sticker=false' });
      const { response } = await get(vin, query, {}, fake);
      assert.equal(response.body, asciiJson(vinResponse(found, 'http://labels.example')));
    }
  }
});

test('a body is pure ASCII and has the declared length', async () => {
  const { response } = await get(HELD);
  assert.match(response.body, /M\\u00e9tallic/);
  assert.match(response.body, /^[\x20-\x7e]+$/);
  assert.equal(response.headers['content-length'], String(Buffer.byteLength(response.body)));
});

test('the cache lifetime depends on the outcome', async () => {
  const control = async (vin: string, query = '') =>
    (await get(vin, query)).response.headers['cache-control'];
  assert.equal(await control(HELD), 'public, max-age=86400');
  assert.equal(await control(HELD, '?sticker=false'), 'public, max-age=86400');
  assert.equal(await control(NO_SOURCE), 'public, max-age=86400');
  assert.equal(await control(NONE), 'public, max-age=3600');
  assert.equal(await control(OFF), 'no-store');
  assert.equal(await control(FAILED), 'no-store');
  assert.equal(await control(FAILED, '?sticker=0'), 'no-store');
});

test('a VIN in lower case is accepted and returned in upper case', async () => {
  const { json } = await get(HELD.toLowerCase());
  assert.equal(json.vin, HELD);
});

test('the problem document for an invalid VIN says what is wrong', async () => {
  for (const vin of [
    '',
    'X',
    HELD.slice(1),
    `${HELD}A`,
    HELD.replace('T', 'O'),
    '%00',
    '%F0%9F%9A%97',
    '%zz',
    `${HELD}%20`,
    `%31${HELD.slice(1)}`,
  ]) {
    const { response, json } = await get(vin);
    assert.equal(response.statusCode, 400, vin);
    assert.equal(json.reason, 'bad-vin');
    assert.equal(json.type, 'http://labels.example/errors/bad-vin');
    assert.equal(json.ok, false);
    assert.equal(response.headers['content-type'], 'application/problem+json');
  }
  assert.match((await get(HELD.replace('W', 'Q'))).json.detail, /Position 5/);
});

test('sticker takes true, false, 1 and 0 in any case, once', async () => {
  for (const value of ['true', 'false', 'True', 'False', 'FALSE', '1', '0', '%31']) {
    assert.equal((await get(HELD, `?sticker=${value}`)).response.statusCode, 200, value);
  }
  for (const query of [
    '?sticker=yes',
    '?sticker=',
    '?sticker',
    '?sticker=TRUEE',
    '?sticker=%zz',
    '?sticker=1&sticker=1',
    '?sticker=constructor',
    '?s%74icker=no',
  ]) {
    const { response, json } = await get(HELD, query);
    assert.equal(response.statusCode, 400, query);
    assert.equal(json.reason, 'bad-parameter');
  }
});

test('a bad value is quoted in the error, cut short and escaped', async () => {
  const detail = async (value: string) => (await get(HELD, `?sticker=${value}`)).json.detail;
  const expected = '"sticker" must be 0, 1, true or false, got ';
  assert.equal(await detail('maybe'), `${expected}"maybe".`);
  assert.equal(await detail(''), `${expected}"".`);
  assert.equal(await detail('%zz'), `${expected}invalid percent-encoding.`);
  assert.equal(await detail('a%0d%0Ab%7F%22%E2%80%AEc'), `${expected}"a\\r\\nb\\u007f\\"\\u202ec".`);
  assert.equal(await detail('x'.repeat(41)), `${expected}"${'x'.repeat(40)}…".`);
  assert.equal(await detail(encodeURIComponent(`${'x'.repeat(39)}😀`)), `${expected}"${'x'.repeat(39)}…".`);
});

test('unknown parameters are ignored', async () => {
  assert.equal((await get(HELD, '?a=1&a=2&%zz=%zz&&=&contact=x&contact=y')).response.statusCode, 200);
});

test('a held label is looked up once and then served from memory', async () => {
  const fake = fakeLookup();
  const { get: send } = client(fake.lookup);
  const first = await send(path(HELD));
  const second = await send(path(HELD));
  const third = await send(`${path(HELD)}?sticker=false`);
  assert.deepEqual(fake.found, [HELD]);
  assert.equal(first.body, second.body);
  assert.equal(first.body, third.body);
});

test('a replaced label is looked up again', async () => {
  const fake = fakeLookup();
  let replace: (vin: string | null) => void = () => {};
  const store = {
    ready: async () => {},
    onReplaced: (listener: typeof replace) => (replace = listener),
  };
  const { get: send } = client(fake.lookup, { store });
  for (const vin of [HELD, null]) {
    await send(path(HELD));
    replace(vin);
  }
  await send(path(HELD));
  assert.equal(fake.found.length, 3);
});

test('only responses for held labels are cached', async () => {
  const fake = fakeLookup();
  const { get: send } = client(fake.lookup);
  for (const vin of [NONE, OFF, FAILED, NO_SOURCE]) {
    await send(path(vin));
    await send(path(vin));
  }
  assert.equal(fake.found.length, 8);
});

test('a batch is JSON of at most 64 KB, without a content coding', async () => {
  const app = appWith(dependenciesWith(fakeLookup().lookup));
  const send = async (payload: string, headers: Record<string, string>) => {
    const sent = await app.inject({ method: 'POST', url: '/api/v1/decode', payload, headers });
    return [sent.statusCode, sent.json<{ reason?: string }>().reason];
  };
  const json = { 'content-type': 'application/json' };
  const batch = JSON.stringify({ vins: [HELD] });
  assert.deepEqual(await send(batch, json), [200, undefined]);
  assert.deepEqual(await send(`\uFEFF${batch}`, { 'content-type': 'Application/JSON; charset=utf-8' }), [
    200,
    undefined,
  ]);
  assert.deepEqual(await send('', json), [400, 'bad-parameter']);
  assert.deepEqual(await send(batch.padEnd(65_537), json), [413, 'body-too-large']);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])
    assert.deepEqual(await send(batch, { 'content-type': type }), [415, 'unsupported-media-type']);
  const coded = { ...json, 'content-encoding': 'gzip' };
  assert.deepEqual(await send(batch, coded), [415, 'unsupported-media-type']);
});
