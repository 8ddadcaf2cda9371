// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, fakeLookup, NONE } from './testing.ts';

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
