// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeLookup, FORD, held, readingOf } from '../../test/fake-lookup.ts';
import { bareApp } from '../http/testing.ts';
import { createMemoryCache } from '../lib/memory-cache.ts';
import { unreadableReading } from '@monroney/label/read-text';
import type { Finding } from '../lookup/finding.ts';
import type { Reading } from '@monroney/label/reading/types';
import { presentAsBadge, presentInFrame } from './embed.ts';
import { pages, type PageContext } from './index.ts';
import { presentAsPicture } from './sticker-images.ts';

/** Toyota stickers are copies from dealers. */
const TOYOTA = 'JTEVB5BR3S5900001';
const WRONG_DIGIT = '5GAEVAKW4RJ000000';
const BROWSER = { accept: 'text/html,application/xhtml+xml,image/avif,*/*;q=0.8' };
const IMAGE = { accept: 'image/avif,image/webp,image/svg+xml,*/*;q=0.8' };

async function appWith(finding: Finding, vin = FORD, reading: Reading = readingOf(vin), query = '') {
  const { lookup, calls } = fakeLookup({ findings: { [vin]: finding }, readings: { [vin]: reading } });
  const app = bareApp('http://localhost');
  await app.register(pages, {
    lookup,
    baseUrl: 'http://localhost',
    library: { pages: new Map() },
    memory: createMemoryCache(),
    vinAssets: { base: '/assets/vin-parts-1/', find: async () => null },
  } as unknown as PageContext);
  const card = await app.inject({ url: `/embed/${vin}${query}`, headers: BROWSER });
  const badge = await app.inject({ url: `/badge/${vin}.svg${query}`, headers: IMAGE });
  const picture = await app.inject({ url: `/window-sticker/${vin}/picture${query}`, headers: IMAGE });
  return { app, calls, card, badge, picture, words: wordsOf(badge) };
}

/** What a drawing says. */
const wordsOf = ({ payload }: { payload: string }) => /<title>([^<]*)<\/title>/.exec(payload)?.[1];
/** What a card says below the name of the car. */
const textOf = ({ payload }: { payload: string }) =>
  payload
    .replace(/[^]*<\/h1>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const nextOf = ({ payload }: { payload: string }) =>
  /data-next="([^"]+)" data-seconds="(\d+)"/.exec(payload)?.slice(1) ?? null;

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

test('card, badge and picture are cached as long as the lookup, and say that there is no sticker', async () => {
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
  ];
  for (const [finding, status, cacheControl, expected, says] of cases) {
    const { card, badge, picture, words } = await appWith(finding);
    for (const { statusCode, headers } of [card, badge, picture])
      assert.deepEqual([statusCode, headers['cache-control']], [status, cacheControl], finding.state);
    assert.deepEqual([words, wordsOf(picture)], [expected, expected]);
    assert.match(textOf(card), says);
    assert.doesNotMatch(card.payload, /\$|picture/);
    assert.equal(nextOf(card), null);
  }
  const { card, badge } = await appWith(held(FORD));
  for (const { headers } of [card, badge]) {
    assert.equal(headers['cache-control'], 'public, max-age=86400');
    assert.ok(headers.etag);
  }
});

const WAITING: Finding[] = [
  { state: 'asking', since: 0, retryAfter: 12 },
  { state: 'failed', why: 'timeout', retryAfter: 12 },
  { state: 'failed', why: 'store', retryAfter: 12 },
  { state: 'failed', why: 'busy', retryAfter: 12 },
  { state: 'refused', why: 'x', retryAfter: 12 },
  { state: 'limited', retryAfter: 12 },
];

test('while the sticker isn’t known, a card loads by itself and a badge is a link, whatever the reason', async () => {
  for (const finding of WAITING) {
    const { card, badge, picture, words } = await appWith(finding);
    assert.equal(textOf(card), 'Window sticker: loading View window sticker');
    assert.deepEqual(nextOf(card), [`/embed/${FORD}?waited=12`, '12']);
    assert.deepEqual([words, wordsOf(picture)], ['View window sticker', 'View window sticker']);
    for (const { statusCode, headers } of [card, badge, picture])
      assert.deepEqual([statusCode, headers['cache-control']], [200, 'no-store'], finding.state);
  }
});

test('a card keeps its options while it loads, and after ten minutes it is a link', async () => {
  const [finding] = WAITING;
  const query = '?waited=588&amp;text=plain&amp;none=hide';
  const { card, app } = await appWith(finding!, FORD, undefined, query.replaceAll('amp;', ''));
  assert.deepEqual(nextOf(card), [`/embed/${FORD}${query.replace('588', '600')}`, '12']);
  const last = await app.inject({ url: nextOf(card)![0]!.replaceAll('amp;', ''), headers: BROWSER });
  assert.equal(textOf(last), 'View window sticker');
  assert.equal(nextOf(last), null);
});

test('a card loads again after two seconds at the earliest and a minute at the latest', async () => {
  for (const [retryAfter, seconds] of [
    [1, '2'],
    [3600, '60'],
  ] as const) {
    const { card } = await appWith({ state: 'failed', why: 'x', retryAfter });
    assert.equal(nextOf(card)![1], seconds);
  }
});

test('a source that is switched off leaves a link', async () => {
  const { card, words, picture } = await appWith({ state: 'off', reason: null, since: null });
  assert.equal(textOf(card), 'View window sticker');
  assert.equal(nextOf(card), null);
  assert.deepEqual([words, wordsOf(picture)], ['View window sticker', 'View window sticker']);
});

test('a sticker that wasn’t read in time still loads', async () => {
  const { card, badge, words } = await appWith(held(FORD), FORD, unreadableReading('timeout', FORD));
  assert.equal(words, 'View window sticker');
  assert.ok(nextOf(card));
  for (const { headers } of [card, badge]) assert.equal(headers['cache-control'], 'no-store');
});

test('?text=plain never shows a price', async () => {
  const { card, badge, words } = await appWith(held(FORD), FORD, undefined, '?text=plain');
  assert.equal(words, 'View window sticker');
  assert.match(textOf(card), /See the original sticker$/);
  for (const { payload } of [card, badge]) assert.doesNotMatch(payload, /\$|42,995|picture/);
});

test('?none=hide shows nothing for a car without a sticker, and all others as ever', async () => {
  const none: [Finding, string][] = [
    [{ state: 'no-source' }, FORD],
    [{ state: 'none', why: 'x', until: 0 }, FORD],
    [{ state: 'withdrawn', reason: 'asked', since: 0 }, FORD],
    [{ state: 'not-asked' }, WRONG_DIGIT],
  ];
  for (const [finding, vin] of none) {
    const { card, badge, picture } = await appWith(finding, vin, undefined, '?none=hide');
    assert.match(card.payload, /<main hidden><\/main>/);
    for (const { payload } of [badge, picture])
      assert.match(payload, /^<svg [^>]*width="1" height="28"\/>\n$/, finding.state);
  }
  assert.match((await appWith(held(FORD), FORD, undefined, '?none=hide')).words!, /new · original sticker/);
  assert.match(textOf((await appWith(WAITING[0]!, FORD, undefined, '?none=hide')).card), /loading/);
});

test('nobody is asked about a VIN with a wrong check digit, and a stored sticker is shown anyway', async () => {
  const { calls, words, card, picture } = await appWith({ state: 'not-asked' }, WRONG_DIGIT);
  assert.deepEqual([words, wordsOf(picture)], ['View window sticker', 'View window sticker']);
  assert.equal(textOf(card), 'View window sticker');
  assert.ok(calls.every(({ sticker }) => !sticker));
  assert.match((await appWith(held(WRONG_DIGIT), WRONG_DIGIT)).words!, /new · original sticker/);
});

test('what isn’t a VIN is a link, too, and nothing with ?none=hide', async () => {
  const { app } = await appWith(held(FORD));
  const shown = async (url: string, headers: Record<string, string>) => app.inject({ url, headers });
  const card = await shown('/embed/1FMUK', BROWSER);
  assert.equal(card.statusCode, 400);
  assert.equal(textOf(card), 'View window sticker');
  assert.match(card.payload, /href="\/window-sticker\/1FMUK"/);
  assert.equal(wordsOf(await shown('/badge/1FMUK.svg', IMAGE)), 'View window sticker');
  assert.equal(wordsOf(await shown('/window-sticker/1FMUK/picture', IMAGE)), 'View window sticker');
  assert.match((await shown('/embed/1FMUK?none=hide', BROWSER)).payload, /<main hidden>/);
  assert.equal(wordsOf(await shown('/badge/1FMUK.svg?none=hide', IMAGE)), undefined);
});

test('a card, a badge or a picture over the limit is a link, and the card loads again by itself', async () => {
  const problem = { reason: 'too-many-requests', detail: 'Wait.', retryAfter: 40 } as const;
  const present = async (show: typeof presentInFrame, headers: Record<string, string>) => {
    const app = bareApp('http://localhost');
    app.serve({ template: '/embed/{vin}', limit: 'none', handle: () => problem, present: show });
    const { statusCode, payload } = await app.inject({ url: `/embed/${FORD}?waited=20`, headers });
    assert.equal(statusCode, 429);
    return { payload };
  };
  const card = await present(presentInFrame, BROWSER);
  assert.equal(textOf(card), 'Window sticker: loading View window sticker');
  assert.deepEqual(nextOf(card), [`/embed/${FORD}?waited=60`, '40']);
  assert.equal(wordsOf(await present(presentAsBadge, IMAGE)), 'View window sticker');
  assert.equal(wordsOf(await present(presentAsPicture, IMAGE)), 'View window sticker');
});

test('programs get 404 for a picture that doesn’t exist, and nobody is asked', async () => {
  const { app, calls } = await appWith({ state: 'not-asked' });
  calls.splice(0);
  const { statusCode } = await app.inject({ url: `/window-sticker/${FORD}/picture` });
  assert.equal(statusCode, 404);
  assert.ok(calls.every(({ sticker }) => !sticker));
});

test('a VIN in lower case is redirected', async () => {
  const { app } = await appWith(held(FORD));
  const lower = FORD.toLowerCase();
  const locations = [`/embed/${lower}?text=plain`, `/badge/${lower}.svg`].map(
    async (url) => (await app.inject(url)).headers.location,
  );
  assert.deepEqual(await Promise.all(locations), [`/embed/${FORD}?text=plain`, `/badge/${FORD}.svg`]);
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
  const again = { 'sec-fetch-site': 'same-origin' };
  const [next] = nextOf(card)!;
  assert.equal((await asked(next!, again, '192.0.2.1')).client, card.client);
  const picture = `/window-sticker/${FORD}/picture`;
  assert.match((await asked(picture, { ...IMAGE, referer }, '192.0.2.4')).client, /^site:cars\.example /);
  const page = await asked(`/window-sticker/${FORD}`, { referer }, '192.0.2.1');
  assert.equal(page.client, '192.0.2.1');
});
