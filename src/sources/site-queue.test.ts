import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fakeTime } from '../../test/fake-time.ts';
import { visitorOf } from '../lib/limits.ts';
import { createPace, fairQueues } from './queue.ts';
import { siteQueues } from './site-queue.ts';

const HOST = 'labels.example';
const MINUTE_MS = 60_000;

/** The queues of a host that gets one request per second. `served` says who had the slot of which second. */
function open(t: TestContext, maxWaiting?: number) {
  const time = fakeTime(t);
  const options = { everyMs: 1000, now: time.elapsed };
  const pace = createPace(1000, time.elapsed);
  const own = fairQueues(pace, options);
  const sites = siteQueues(pace, { ...options, maxWaiting });
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
  const { show, lookUp, after, served } = open(t);
  for (let n = 0; n < 3; n++) void show('cars.example');
  await after(1500);
  assert.deepEqual(served, ['0 cars.example', '1 cars.example']);
  for (const client of ['a', 'b', 'c', 'd']) void lookUp(client);
  await after(8000);
  assert.deepEqual(served.slice(2), ['2 own a', '2 own b', '2 own c', '3 own d', '6 cars.example']);
});

test('sites take turns, however many visitors each has', async (t) => {
  const { show, after, served } = open(t);
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
  const { show, after, served } = open(t);
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
  const { show, lookUp, after, served } = open(t);
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
  const { show, after, served } = open(t);
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
  const { show, during } = open(t, 4);
  const many = Array.from({ length: 4 }, () => show('many.example'));
  const few = show('few.example');
  assert.equal(await show('many.example'), false, 'a site with more gets no room');
  const served = await during(Promise.all([...many, few]));
  assert.deepEqual(served, [true, true, true, false, true]);
});

test('whoever has waited for ten minutes is given up, and so are all when the service stops', async (t) => {
  const { show, after, waiting } = open(t);
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
  const { pace, pass } = open(t);
  assert.equal(await pace(HOST), 0);
  assert.equal(await pace.ifIdle(HOST), 1000);
  pass(400);
  assert.equal(await pace.ifIdle(HOST), 600);
  pass(600);
  assert.equal(await pace.ifIdle(HOST), 0);
  assert.deepEqual([await pace(HOST), await pace(HOST), await pace(HOST)], [0, 0, 1000]);
});
