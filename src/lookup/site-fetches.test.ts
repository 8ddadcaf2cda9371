// lane: service
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { vpic } from '../../test/decoder.ts';
import { fakeTime } from '../../test/fake-time.ts';
import { newVin } from '../../test/operator.ts';
import { createLimiter, visitorOf } from '../lib/limits.ts';
import { silentLog } from '../lib/log.ts';
import { inMemorySingleFlight } from '../lib/promises.ts';
import { sources } from '../makers/index.ts';
import { sourcesFor, type Source } from '../makers/maker.ts';
import { createPace, fairQueues, openHosts, openNet, type Net } from '../sources/hosts.ts';
import type { HeldLabel, Miss, VinRow } from '../store/store.ts';
import { ask, type AskOptions } from './ask.ts';
import { FETCH_BUDGET, find, type FindDependencies } from './find.ts';
import { openSiteFetches, siteQueues } from './site-fetches.ts';

/** The complete flow in fake time: a source that takes half a second and gets one request per second. */
function open(t: TestContext, { fails = (_vin: string): boolean => false } = {}) {
  const { during, after, sleep, elapsed: now } = fakeTime(t);
  const hosts = openHosts({ everyMs: 1000, now });
  const requested: string[] = [];
  const fetch = async ({ url }: { url: string }) => {
    requested.push(sentVin(url));
    await sleep(500);
    return { ok: true, status: 200, headers: {}, body: Buffer.alloc(0), host: 'x', release() {} };
  };
  const net = { ...openNet({ baseUrl: 'http://labels.example' }), hosts, now, fetch } as unknown as Net;
  const judge = async (_: unknown, vin: string) =>
    fails(vin)
      ? ({ kind: 'failed', why: 'status' } as const)
      : ({ kind: 'label', pdf: Buffer.from(vin), host: 'labels.example' } as const);
  const limit = createLimiter(FETCH_BUDGET, now);
  const dependencies = {
    vpic,
    sources: { for: (vin: string, make: string) => sourcesFor(vin, make, sources) },
    switches: { state: () => ({ state: 'on' }), restingMs: () => 0, responded() {} },
    store: memoryStore(),
    textsAndPreviews: { refresh() {} },
    singleFlight: inMemorySingleFlight(),
    limit,
    sites: openSiteFetches({ hosts, limit }),
    ask: (source: Source, vin: string, options: AskOptions) =>
      ask(source, vin, { net, judge, now: Date.now, ...options }),
    recordOutcome() {},
    log: silentLog,
    now: Date.now,
  } as unknown as FindDependencies;
  const findingOf = async (vin: string, client: string, maxWaitMs?: number) =>
    (await find(vin, { sticker: true, client, maxWaitMs }, dependencies)).finding;
  const stateOf = async (...args: Parameters<typeof findingOf>) => (await findingOf(...args)).state;
  let addresses = 0;
  const address = () => `192.0.2.${++addresses}`;
  return {
    during,
    requested,
    after,
    /** A lookup by a new client. */
    lookUp: (vin = newVin('ford')) => stateOf(vin, address()),
    /** Cards on a page of the site, for one visitor, until all have their stickers: when each was loaded, in milliseconds. */
    async loadCards(site: string, vins: readonly string[]): Promise<number[]> {
      const client = visitorOf(site, address());
      const start = now();
      const loads: number[] = [];
      const loadCard = async (vin: string): Promise<void> => {
        loads.push(now() - start);
        const finding = await findingOf(vin, client, 150);
        if (finding.state === 'held') return;
        await sleep(('retryAfter' in finding ? finding.retryAfter : 2) * 1000);
        return loadCard(vin);
      };
      await during(Promise.all(vins.map(loadCard)));
      return loads.toSorted((a, b) => a - b);
    },
    /** A badge on a page of the site, for a new visitor. */
    show: (site: string, vin = newVin('ford')) => stateOf(vin, visitorOf(site, address()), 150),
  };
}

const sentVin = (url: string): string => /[A-HJ-NPR-Z0-9]{17}/.exec(url)![0];

/** The disk takes real time, so this one has none. */
function memoryStore() {
  const rows = new Map<string, VinRow>();
  const find = async (vin: string) => rows.get(vin) ?? { label: null, miss: null, withdrawal: null };
  return {
    find,
    findOrRecover: find,
    ready: async () => {},
    cache: async () => {},
    async addLabel(label: HeldLabel) {
      const added = { ...label, bytes: 1, sha256: '' };
      rows.set(label.vin, { label: added, miss: null, withdrawal: null });
      return added;
    },
    async addMiss(miss: Miss) {
      rows.set(miss.vin, { label: null, miss, withdrawal: null });
    },
  };
}

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

test('badges on a page that fifty people see take no label from fifteen people who look up the same make', async (t) => {
  const { show, lookUp, during, after } = open(t);
  const badges = times(50, () => show('cars.example'));
  await after(1000);
  const found = await during(Promise.all(times(15, () => lookUp())));
  assert.deepEqual(found, Array<string>(15).fill('held'));
  const shown = await Promise.all(badges);
  assert.ok(shown.every((state) => state === 'held' || state === 'asking'));
});

test('a label that waits for its site is fetched in the background, and served at once afterwards', async (t) => {
  const { show, after, requested } = open(t);
  const vins = times(12, () => newVin('ford'));
  for (const vin of vins) void show('cars.example', vin);
  await after(15_000);
  for (const vin of vins) assert.equal(await show('other.example', vin), 'held');
  assert.deepEqual(requested.toSorted(), vins.toSorted(), 'one request each');
});

test('twelve cards of new cars are complete within a minute', async (t) => {
  const { loadCards } = open(t);
  const loads = await loadCards(
    'cars.example',
    times(12, () => newVin('ford')),
  );
  assert.ok(loads.at(-1)! < 60_000, `the last was loaded after ${loads.at(-1)} ms`);
  assert.ok(loads.length <= 3 * 12, `${loads.length} loads`);
});

test('sixty cards of new cars are complete without one visitor loading more than 200 in any minute', async (t) => {
  const { loadCards, requested } = open(t);
  const vins = times(60, () => newVin('ford'));
  const loads = await loadCards('cars.example', vins);
  const inAMinute = loads.map((start) => loads.filter((at) => at >= start && at < start + 60_000).length);
  assert.ok(Math.max(...inAMinute) <= 200, `${Math.max(...inAMinute)} loads in a minute`);
  assert.ok(loads.at(-1)! < 600_000);
  assert.deepEqual(requested.toSorted(), vins.toSorted(), 'one request each');
});

test('a site gets twenty new labels in a minute; more wait, and other sites don’t wait for them', async (t) => {
  const { show, after, requested } = open(t);
  const vins = times(25, () => newVin('ford'));
  for (const vin of vins) void show('many.example', vin);
  await after(30_000);
  assert.equal(requested.length, 20);
  const other = newVin('ford');
  void show('few.example', other);
  await after(3000);
  assert.equal(requested.at(-1), other);
  await after(40_000);
  assert.deepEqual(requested.toSorted(), [...vins, other].toSorted());
});

test('whoever looks up a car that waits for a site doesn’t wait with it', async (t) => {
  const { show, lookUp, during, requested } = open(t);
  const vins = times(40, () => newVin('ford'));
  for (const vin of vins) void show('cars.example', vin);
  const last = vins.at(-1)!;
  assert.equal(await during(lookUp(last)), 'held');
  assert.ok(requested.indexOf(last) < 3, 'it was next');
});

test('failures of one site, whoever its visitors are, pause the source for nobody else', async (t) => {
  const made = new Set(times(60, () => newVin('ford')));
  const { show, lookUp, during, after } = open(t, { fails: (vin) => made.has(vin) });
  for (const vin of made) void show('hostile.example', vin);
  await after(30_000);
  assert.equal(await during(lookUp()), 'held');
  void show('cars.example');
  const vin = newVin('ford');
  void show('cars.example', vin);
  await after(5000);
  assert.equal(await show('cars.example', vin), 'held');
});

const HOST = 'labels.example';
const MINUTE_MS = 60_000;

/** The queues of a host that gets one request per second. `served` says who had the slot of which second. */
function openQueues(t: TestContext, maxWaiting?: number) {
  const time = fakeTime(t);
  const pace = createPace(1000, time.elapsed);
  const pacing = { pace, everyMs: 1000, now: time.elapsed };
  const own = fairQueues(pacing);
  const sites = siteQueues(pacing, maxWaiting);
  const served: string[] = [];
  const note = (name: string) => served.push(`${Math.round(time.elapsed() / 1000)} ${name}`);
  let visitors = 0;
  return {
    ...time,
    served,
    pace,
    lookUp: (client: string) =>
      own.wait(HOST, 17_000, client).then(({ granted }) => granted && note(`own ${client}`)),
    /** A request by a new visitor of the site. */
    show: (site: string, options?: Parameters<typeof sites.wait>[2]) =>
      sites.wait(HOST, visitorOf(site, `192.0.2.${++visitors}`), options).then((granted) => {
        if (granted) note(site);
        return granted;
      }),
    waiting: () => sites.lengths().map(([, length]) => length),
  };
}

test('sites use the slots that nobody else uses, and delay no own lookup', async (t) => {
  const { show, lookUp, after, served } = openQueues(t);
  for (let n = 0; n < 3; n++) void show('cars.example');
  await after(1500);
  assert.deepEqual(served, ['0 cars.example', '1 cars.example']);
  for (const client of ['a', 'b', 'c', 'd']) void lookUp(client);
  await after(8000);
  assert.deepEqual(served.slice(2), ['2 own a', '2 own b', '2 own c', '3 own d', '6 cars.example']);
});

test('sites take turns, however many visitors each has', async (t) => {
  const { show, after, served } = openQueues(t);
  for (let n = 0; n < 20; n++) void show('many.example');
  for (let n = 0; n < 2; n++) void show('few.example');
  for (let n = 0; n < 2; n++) void show('');
  await after(6500);
  assert.deepEqual(
    served.map((entry) => entry.split(' ')[1]),
    ['many.example', 'few.example', '', 'many.example', 'few.example', '', 'many.example'],
  );
});

test('hosts of one domain share its turns', async (t) => {
  const { show, after, served } = openQueues(t);
  for (let n = 0; n < 9; n++) void show(`${n}.many.example`);
  for (let n = 0; n < 2; n++) void show('www.few.example');
  await after(3500);
  assert.deepEqual(served, [
    '0 0.many.example',
    '1 www.few.example',
    '2 1.many.example',
    '3 www.few.example',
  ]);
});

test('while own lookups keep the host busy, sites still get about one of ten slots', async (t) => {
  const { show, lookUp, after, served } = openQueues(t);
  for (let n = 0; n < 5; n++) void show('cars.example');
  for (let second = 0; second < 40; second++) {
    void lookUp('one');
    void lookUp('other');
    await after(1000);
  }
  const seconds = served.filter((entry) => entry.endsWith('cars.example')).map((entry) => parseInt(entry));
  assert.equal(seconds[0], 0);
  assert.ok(seconds.length >= 4 && seconds.length <= 5, `served in seconds ${seconds.join()}`);
});

test('a site at its limit is passed over, waits and is served later', async (t) => {
  const { show, after, served } = openQueues(t);
  let mayStart = false;
  const limited = show('limited.example', { mayStart: () => mayStart });
  void show('other.example');
  await after(5000);
  assert.deepEqual(served, ['0 other.example']);
  mayStart = true;
  await after(2500);
  assert.equal(await limited, true);
});

test('when too many wait, the site with most of them loses its newest', async (t) => {
  const { show, during } = openQueues(t, 4);
  const many = Array.from({ length: 4 }, () => show('many.example'));
  const few = show('few.example');
  assert.equal(await show('many.example'), false, 'a site with more gets no room');
  const served = await during(Promise.all([...many, few]));
  assert.deepEqual(served, [true, true, true, false, true]);
});

test('whoever has waited for ten minutes is given up, and so are all when the service stops', async (t) => {
  const { show, after, waiting } = openQueues(t);
  const stopping = new AbortController();
  const never = { mayStart: () => false };
  const given = [show('a.example', never), show('b.example', { ...never, signal: stopping.signal })];
  await after(1000);
  assert.deepEqual(waiting(), [2]);
  stopping.abort();
  assert.equal(await given[1], false);
  await after(10 * MINUTE_MS);
  assert.equal(await given[0], false);
  assert.deepEqual(waiting(), []);
});

test('a slot is taken only if the host is idle', async (t) => {
  const { pace, pass } = openQueues(t);
  assert.equal(await pace(HOST), 0);
  assert.equal(await pace.ifIdle(HOST), 1000);
  pass(400);
  assert.equal(await pace.ifIdle(HOST), 600);
  pass(600);
  assert.equal(await pace.ifIdle(HOST), 0);
  assert.deepEqual([await pace(HOST), await pace(HOST), await pace(HOST)], [0, 0, 1000]);
});
