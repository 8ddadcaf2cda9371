import { sources } from '../../src/makers/index.ts';
import type { Behavior } from '../../tools/simulator/behaviors.ts';
import { message } from '../mcp-client.ts';
import { vinOf } from '../operator.ts';
import { BROWSER, get, head, NOW, post, send, type Case, type Group } from './case.ts';

/** Cars that a simulated source is asked for, announced changes, withdrawn labels and limits. */

const car = (sourceId: string, number: number): string => vinOf(sourceId, 10_000 + number);

const PAUSED = 'kia';
const ASKED = sources.filter(({ id }) => id !== PAUSED);

/** A car of every source: what is fetched, and then held. */
const fetched: readonly Case[] = ASKED.flatMap(({ id }) => {
  const vin = car(id, 1);
  return [
    get(`/api/v1/vin/${vin}?sticker=false`),
    get(`/api/v1/vin/${vin}`),
    head(`/api/sticker/${vin}`),
    get(`/api/v1/vin/${vin}/label`),
  ];
});

const FORD = car('ford', 1);
const held: readonly Case[] = [
  get(`/api/sticker/${FORD}`),
  get(`/api/sticker/${FORD}`, { 'If-Modified-Since': '{modified}' }),
  get(`/api/sticker/${FORD}`, { Range: 'bytes=0-9', 'If-Range': '{modified}' }),
  get(`/api/v1/vin/${FORD}`, { 'If-None-Match': '{etag}' }),
  get(`/api/v1/vin/${FORD}?sticker=false`, {}, { note: 'now held' }),
  get(`/api/sticker/${FORD}/preview?width=320`),
  get(`/window-sticker/${FORD}`, BROWSER),
  get(`/window-sticker/${FORD}/picture?width=320`),
  get(`/window-sticker/${FORD}/ready`),
];

/** Each outcome without a label, at a source of its own: failures put a source on hold. */
const OUTCOMES: readonly [source: string, behavior: Behavior][] = [
  ['ford', 'none'],
  ['gm', 'access-denied'],
  ['subaru', 'garbage'],
  ['hyundai', 'too-many'],
];
const outcomes: readonly Case[] = [...OUTCOMES.map(([id]) => car(id, 2)), car(PAUSED, 2)].flatMap((vin) => [
  get(`/api/v1/vin/${vin}`),
  get(`/api/sticker/${vin}`),
  get(`/api/v1/vin/${vin}/label`),
  get(`/api/sticker/${vin}/preview`),
  get(`/window-sticker/${vin}`, BROWSER),
]);

const SLOW = car('genesis', 3);
const waiting: readonly Case[] = [
  get(`/api/v1/vin/${SLOW}`, { Prefer: 'wait=0' }),
  get(`/api/sticker/${SLOW}`, { Prefer: 'wait=0' }),
  get(`/api/v1/vin/${SLOW}/label`, { Prefer: 'wait=0' }),
  get(`/api/sticker/${SLOW}/preview`, { Prefer: 'wait=0' }),
  get(`/window-sticker/${SLOW}`, BROWSER),
  get(`/window-sticker/${SLOW}?waited=60`, BROWSER),
  get(`/compare?vins=${SLOW},${FORD}`, BROWSER),
  get(`/api/v1/vin/${SLOW}?sticker=false`, {}, { note: 'while asking' }),
];

/** Through the tools, whose own limit is higher than that of new labels. */
const lookUp = (vin: string, more: Partial<Case> = {}): Case => {
  const { headers, body } = message('2025-11-25', 'tools/call', {
    name: 'get_window_sticker',
    arguments: { vin },
  });
  return { ...post('/mcp', 'application/json', JSON.stringify(body), headers), ...more };
};
const greedy = { client: 'who asks for many labels' };
const OVER = car('ford', 99);
const askLimit: readonly Case[] = [
  get(
    `/api/v1/vin/${OVER}`,
    {},
    {
      ...greedy,
      note: 'the 21st in a minute',
      before: Array.from({ length: 20 }, (_, index) => lookUp(car('ford', 10 + index), greedy)),
    },
  ),
  get(`/api/sticker/${OVER}`, {}, greedy),
  get(`/api/v1/vin/${OVER}/label`, {}, greedy),
  get(`/window-sticker/${OVER}`, BROWSER, greedy),
  lookUp(OVER, greedy),
  get(`/api/v1/vin/${car('ford', 10)}`, {}, { ...greedy, note: 'already known' }),
];

const withdrawn: readonly Case[] = ['', '/label']
  .map((end) => get(`/api/v1/vin/${FORD}${end}`, {}, { note: 'withdrawn' }))
  .concat(
    ['', '/preview'].map((end) => get(`/api/sticker/${FORD}${end}`, {}, { note: 'withdrawn' })),
    ['', '/picture', '/preview.png'].map((end) =>
      get(`/window-sticker/${FORD}${end}`, BROWSER, { note: 'withdrawn' }),
    ),
    [lookUp(FORD, { name: 'get_window_sticker (withdrawn)' })],
  );

const GM = car('gm', 1);
const announced: readonly Case[] = [
  get(`/api/v1/vin/${GM}`, {}, { note: 'deprecated' }),
  head(`/api/sticker/${GM}`, {}, { note: 'deprecated with a sunset' }),
  get('/docs/limits', BROWSER, { note: 'deprecated' }),
];

const DAY_MS = 86_400_000;

export const askingGroups: readonly Group[] = [
  {
    area: 'asking',
    server: 'asking',
    prepare(_, simulator) {
      for (const [id, behavior] of OUTCOMES) simulator.set(car(id, 2), behavior);
      simulator.set(SLOW, 'hang');
      for (let index = 0; index < 20; index++) simulator.set(car('ford', 10 + index), 'none');
    },
    cases: [...fetched, ...held, ...outcomes, ...waiting, ...askLimit],
  },
  {
    area: 'asking',
    server: 'asking',
    async prepare({ asking: { runtime } }) {
      await runtime.store.withdraw({ vin: FORD, reason: 'asked by the owner', at: NOW });
      const link = 'https://stickers.example/docs/versioning';
      const [deprecated, sunset] = [NOW - DAY_MS, NOW + 180 * DAY_MS];
      await runtime.store.contacts.announce({ route: '/api/v1/vin/{vin}', deprecated, sunset: null, link });
      await runtime.store.contacts.announce({ route: '/api/sticker/{vin}', deprecated, sunset, link });
      await runtime.store.contacts.announce({ route: '/docs/{page}', deprecated, sunset, link });
      await runtime.lifecycles.refresh();
    },
    cases: [...withdrawn, ...announced],
  },
];

const PATH = '/api/v1/vin/1HGCV3F53MA000000';
const busy = { client: 'who sends many requests' };
const reader = { client: 'who opens many pages' };

/** The limits of the API and of the pages. */
export const limitCases: readonly Case[] = [
  get(
    PATH,
    {},
    { ...busy, note: 'the 10th in 10 seconds', before: Array.from({ length: 9 }, () => get(PATH, {}, busy)) },
  ),
  get(PATH, {}, { ...busy, note: 'the 11th' }),
  head(PATH, {}, { ...busy, note: 'blocked' }),
  get('/vpic/api/vehicles/GetAllMakes', {}, { ...busy, note: 'blocked' }),
  get('/api/v1/vin/x', {}, { ...busy, note: 'blocked' }),
  send('POST', '/api/v1/decode', {}, { ...busy, body: '{}', note: 'blocked' }),
  send('OPTIONS', PATH, {}, { ...busy, note: 'never blocked' }),
  get('/healthz', {}, { ...busy, note: 'never blocked' }),
  get('/docs', BROWSER, { ...busy, note: 'not blocked by the limit of the API' }),
  get('/unsubscribe', BROWSER, {
    ...reader,
    note: 'the 301st page in a minute',
    before: Array.from({ length: 300 }, () => head('/terms', {}, reader)),
  }),
  get('/unsubscribe', {}, { ...reader, note: 'the 302nd, as a program' }),
  get('/nothing.json', BROWSER, { ...reader, note: 'the 303rd' }),
  lookUp('1HGCV3F53MA000000', { ...reader, name: 'get_window_sticker (the 304th)' }),
  get('/robots.txt', {}, { ...reader, note: 'never blocked' }),
  get('/assets/nothing', {}, { ...reader, note: 'never blocked' }),
];
