import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeLookup, FORD, held, readingOf } from '../../test/fake-lookup.ts';
import { bareApp } from '../http/testing.ts';
import { createMemoryCache } from '../lib/memory-cache.ts';
import { unreadableReading } from '@monroney/label/read-text';
import type { Finding } from '../lookup/finding.ts';
import type { Reading } from '@monroney/label/reading/types';
import { pages, type PageContext } from './index.ts';

/** Toyota stickers are copies from dealers. */
const TOYOTA = 'JTEVB5BR3S5900001';
const WRONG_DIGIT = '5GAEVAKW4RJ000000';
const BROWSER = { accept: 'text/html,application/xhtml+xml,image/avif,*/*;q=0.8' };
const IMAGE = { accept: 'image/avif,image/webp,image/svg+xml,*/*;q=0.8' };

async function appWith(finding: Finding, vin = FORD, reading: Reading = readingOf(vin)) {
  const { lookup, calls } = fakeLookup({ findings: { [vin]: finding }, readings: { [vin]: reading } });
  const app = bareApp('http://localhost');
  await app.register(pages, {
    lookup,
    baseUrl: 'http://localhost',
    library: { pages: new Map() },
    memory: createMemoryCache(),
    vinAssets: { base: '/assets/vin-parts-1/', find: async () => null },
  } as unknown as PageContext);
  const card = await app.inject({ url: `/embed/${vin}`, headers: BROWSER });
  const badge = await app.inject({ url: `/badge/${vin}.svg`, headers: IMAGE });
  const words = /<title>([^<]*)<\/title>/.exec(badge.payload)?.[1];
  return { app, calls, card, badge, words };
}

test('a badge says the price when new and whose file the sticker is', async () => {
  const { badge, words } = await appWith(held(FORD));
  assert.equal(words, '$42,995 new · original sticker');
  assert.equal(badge.headers['content-type'], 'image/svg+xml');
  assert.equal(badge.headers['cross-origin-resource-policy'], 'cross-origin');
  assert.equal((await appWith(held(TOYOTA), TOYOTA)).words, '$42,995 new · sticker copy');
  const { prices } = readingOf(FORD).label!;
  const canadian = readingOf(FORD, { prices: { ...prices, currency: 'CAD' } });
  assert.equal((await appWith(held(FORD), FORD, canadian)).words, '$42,995 CAD new · original sticker');
});

test('card and badge are cached as long as the lookup, and say why there is no sticker', async () => {
  const cases: [Finding, number, string, string, RegExp][] = [
    [{ state: 'no-source' }, 200, 'public, max-age=86400', 'No window sticker', /doesn’t publish/],
    [
      { state: 'none', why: 'x', until: 0 },
      200,
      'public, max-age=3600',
      'No window sticker',
      /has no window sticker/,
    ],
    [
      { state: 'withdrawn', reason: 'asked', since: 0 },
      451,
      'public, max-age=3600',
      'Window sticker withdrawn',
      /withdrawn/,
    ],
    [
      { state: 'off', reason: null, since: null },
      200,
      'no-store',
      'Window sticker lookups paused',
      /We’ve paused/,
    ],
    ...(
      [
        [{ state: 'failed', why: 'timeout', retryAfter: 30 }, /’s site isn’t answering right now/],
        [{ state: 'failed', why: 'store', retryAfter: 10 }, /storage is temporarily unavailable/],
        [{ state: 'refused', why: 'x', retryAfter: 30 }, /refused our request/],
        [{ state: 'limited', retryAfter: 30 }, /too many new stickers/],
        [{ state: 'asking', since: 0, retryAfter: 2 }, /still fetching/],
      ] as const
    ).map(([finding, says]): [Finding, number, string, string, RegExp] => [
      finding,
      200,
      'no-store',
      'Window sticker status unknown',
      says,
    ]),
  ];
  for (const [finding, status, cacheControl, expected, says] of cases) {
    const { card, badge, words } = await appWith(finding);
    for (const { statusCode, headers } of [card, badge])
      assert.deepEqual([statusCode, headers['cache-control']], [status, cacheControl], finding.state);
    assert.equal(words, expected);
    assert.match(card.payload, says);
    assert.doesNotMatch(card.payload, /\$|picture/);
  }
  const { card, badge } = await appWith(held(FORD));
  for (const { headers } of [card, badge]) {
    assert.equal(headers['cache-control'], 'public, max-age=86400');
    assert.ok(headers.etag);
  }
});

test('a reading that wasn’t finished in time is not cached', async () => {
  const { card, badge, words } = await appWith(held(FORD), FORD, unreadableReading('timeout', FORD));
  assert.equal(words, 'Original sticker');
  for (const { headers } of [card, badge]) assert.equal(headers['cache-control'], 'no-store');
});

test('nobody is asked about a VIN with a wrong check digit, and a stored sticker is shown anyway', async () => {
  const { calls, words, card } = await appWith({ state: 'not-asked' }, WRONG_DIGIT);
  assert.equal(words, 'One character in this VIN looks wrong');
  assert.match(card.payload, /One character in this VIN looks wrong\./);
  assert.ok(calls.every(({ sticker }) => !sticker));
  assert.match((await appWith(held(WRONG_DIGIT), WRONG_DIGIT)).words!, /new · original sticker/);
});

test('a VIN in lower case is redirected', async () => {
  const { app } = await appWith(held(FORD));
  const lower = FORD.toLowerCase();
  const locations = [`/embed/${lower}`, `/badge/${lower}.svg`].map(
    async (url) => (await app.inject(url)).headers.location,
  );
  assert.deepEqual(await Promise.all(locations), [`/embed/${FORD}`, `/badge/${FORD}.svg`]);
});

test('card and badge ask for the site that shows them, whoever its visitor is, and a page for its client', async () => {
  const { app, calls } = await appWith({ state: 'asking', since: 0, retryAfter: 2 });
  const asked = async (url: string, headers: Record<string, string>, remoteAddress: string) => {
    calls.splice(0);
    const { payload } = await app.inject({ url, headers: { ...BROWSER, ...headers }, remoteAddress });
    return { client: calls.find(({ sticker }) => sticker)?.client ?? '', payload };
  };
  const referer = 'https://cars.example/stock';
  const card = await asked(`/embed/${FORD}`, { referer, 'sec-fetch-site': 'cross-site' }, '192.0.2.1');
  assert.match(card.client, /^site:cars\.example [0-9a-f]{4}$/);
  const badge = await asked(`/badge/${FORD}.svg`, { origin: 'https://cars.example' }, '192.0.2.2');
  assert.match(badge.client, /^site:cars\.example /);
  assert.match((await asked(`/badge/${FORD}.svg`, {}, '192.0.2.3')).client, /^site: /);
  const [, ready] = /data-asking="([^"]+)"/.exec(card.payload)!;
  const again = { 'sec-fetch-site': 'same-origin' };
  for (const url of [ready!, `/embed/${FORD}`])
    assert.equal((await asked(url, again, '192.0.2.1')).client, card.client, url);
  const page = await asked(`/window-sticker/${FORD}`, { referer }, '192.0.2.1');
  assert.equal(page.client, '192.0.2.1');
});
