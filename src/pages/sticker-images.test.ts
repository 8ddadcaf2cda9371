// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeLookup, FORD, held, JEEP, readingOf } from '../../test/fake-lookup.ts';
import { bareApp } from '../http/testing.ts';
import { createMemoryCache } from '../lib/memory-cache.ts';
import { Busy } from '../lookup/texts-and-previews.ts';
import type { Lookup } from '../lookup/find.ts';
import { pages, type PageContext } from './index.ts';

const BASE_URL = 'http://localhost';
const CARD = `/compare/preview.png?vins=${FORD},${JEEP}`;
const PICTURE = `/window-sticker/${FORD}/picture`;
const PNG = Buffer.from('a card');

async function appWith(more: Partial<Lookup>) {
  const { lookup } = fakeLookup({
    findings: { [FORD]: held(FORD), [JEEP]: held(JEEP) },
    readings: { [FORD]: readingOf(FORD), [JEEP]: readingOf(JEEP) },
  });
  const app = bareApp(BASE_URL);
  await app.register(pages, {
    lookup: { ...lookup, ...more },
    baseUrl: BASE_URL,
    library: { pages: new Map() },
    memory: createMemoryCache(),
    vinAssets: { base: '/assets/vin-parts-1/', find: async () => null },
  } as unknown as PageContext);
  return app;
}

test('pictures and cards take the turn of the client on our pages, and of the site on others', async () => {
  const turns = new Set<string>();
  const app = await appWith({
    preview: async (_label, _width, client) => (turns.add(client!), PNG),
    card: async (_card, _pictures, client) => (turns.add(client!), PNG),
  });
  const turnsOf = async (url: string, headers: Record<string, string>, remoteAddress: string) => {
    turns.clear();
    assert.equal((await app.inject({ url, headers, remoteAddress })).statusCode, 200);
    return [...turns].map((turn) => turn.split(' ')[0]);
  };
  const referer = 'https://cars.example/';
  assert.deepEqual(await turnsOf(PICTURE, { 'sec-fetch-site': 'same-origin' }, '192.0.2.1'), ['192.0.2.1']);
  assert.deepEqual(await turnsOf(PICTURE, { referer }, '192.0.2.2'), ['site:cars.example']);
  assert.deepEqual(await turnsOf(PICTURE, {}, '192.0.2.3'), ['site:']);
  const crossSite = { referer, 'sec-fetch-site': 'cross-site' };
  assert.deepEqual(await turnsOf(CARD, crossSite, '192.0.2.4'), ['site:cars.example']);
});

test('a card that was refused to whoever asked first is drawn for the next', async () => {
  const release = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const clients: (string | undefined)[] = [];
  const app = await appWith({
    preview: async () => PNG,
    async card(_card, _pictures, client) {
      clients.push(client);
      if (clients.length > 1) return PNG;
      asked.resolve();
      await release.promise;
      throw new Busy('too many labels are waiting for a worker');
    },
  });
  const headers = { 'sec-fetch-site': 'none' };
  const first = app.inject({ url: CARD, headers, remoteAddress: '192.0.2.1' });
  await asked.promise;
  const second = app.inject({ url: CARD, headers, remoteAddress: '192.0.2.2' });
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(clients, ['192.0.2.1'], 'they share the drawing');
  release.resolve();
  assert.deepEqual([(await first).statusCode, (await second).statusCode], [503, 200]);
  assert.deepEqual(clients, ['192.0.2.1', '192.0.2.2']);
});
