// lane: service
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { LabelMissing } from '../store/store.ts';
import { client, fakeLookup, HELD, NONE } from './testing.ts';

const PATH = `/api/sticker/${HELD}`;

test('a PDF arrives byte for byte, and is looked up once', async () => {
  const fake = fakeLookup();
  const { get } = client(fake.lookup);
  for (let n = 0; n < 2; n++) assert.ok((await get(PATH)).rawPayload.equals(fake.pdf));
  const part = await get(PATH, { range: 'bytes=-5' });
  assert.deepEqual([part.statusCode, part.rawPayload], [206, fake.pdf.subarray(-5)]);
  assert.equal(fake.found.length, 1);
});

test('HEAD reads no file, and ignores a range', async () => {
  const { lookup } = fakeLookup();
  const pdf = () => assert.fail('the file was read');
  const head = await client({ ...lookup, pdf }).get(PATH, { range: 'bytes=0-1' }, 'HEAD');
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
  const whole = (await get(PATH)).headers['repr-digest'];
  assert.deepEqual(await digestsOf(PATH), [whole, whole]);
  assert.deepEqual(await digestsOf(PATH, { range: 'bytes=0-4' }), [digest(fake.pdf.subarray(0, 5)), whole]);
  assert.deepEqual(await digestsOf(PATH, {}, 'HEAD'), [undefined, whole]);
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
  const { statusCode } = await client({ ...fake.lookup, pdf }).get(PATH);
  assert.deepEqual([statusCode, fake.found.length], [200, 2]);
});

test('a preview on a page of another site is fetched for that site, and any other for the client', async () => {
  const fake = fakeLookup();
  const clients: (string | undefined)[] = [];
  const find: typeof fake.lookup.find = (vin, options) => {
    clients.push(options.client);
    return fake.lookup.find(vin, { ...options, sticker: false });
  };
  const { get } = client({ ...fake.lookup, find });
  const referer = 'https://cars.example/';
  const image = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site', referer };
  const script = {
    'sec-fetch-dest': 'empty',
    'sec-fetch-site': 'cross-site',
    origin: 'https://cars.example',
  };
  const requests: Record<string, string>[] = [image, script, { referer }, {}];
  for (const headers of requests) await get(`/api/sticker/${NONE}/preview`, headers);
  assert.match(clients[0]!, /^site:cars\.example /);
  assert.deepEqual(clients.slice(1), ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
});
