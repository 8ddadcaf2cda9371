import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { ask } from '../src/lookup/ask.ts';
import { createJudge } from '../src/lookup/judge.ts';
import { judge, named } from './judge.ts';
import { storeIn, temporaryFolder } from './operator.ts';
import { freshVin, startSources } from './source-requests.ts';
import { lateRequests } from './switched-off.ts';

/** How often, how long and at which hosts we ask a source. */

const { simulator, quickNet, askSource, passTime } = await startSources();

test('one time budget covers all URLs: after it, no other host is asked', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const clock = { now: 0 };
  const source = named('stellantis');
  const vin = freshVin(source);
  simulator.set(vin, 'hang');
  const from = simulator.requests.length;
  const net = { ...quickNet({ now: () => clock.now }), attemptMs: 8000 };
  const asking = ask(source, vin, { net, judge, now: Date.now });
  for (const hosts of [1, 2, 3]) {
    await passTime(hosts, from, () => (clock.now += 8000));
  }
  const outcome = await asking;
  assert.ok(outcome.kind === 'failed' && outcome.why === 'timeout');
  assert.equal(simulator.requests.length - from, 3, 'of four hosts');
});

test('requests identify Monroney and have only the headers that a source needs', async () => {
  for (const id of ['gm', 'hyundai', 'genesis']) {
    const { requests } = await askSource(id, 'label');
    assert.equal(requests[0]?.headers['user-agent'], 'Monroney/1.0 (+https://stickers.example)');
    assert.deepEqual(
      Object.keys(requests[0]?.headers ?? {}).sort(),
      ['accept', 'connection', 'host', 'user-agent'],
      id,
    );
  }
});

test('50 cars of one maker are requested one after the other, and another maker’s car does not wait for them', async () => {
  const net = quickNet({ hosts: { everyMs: 5 } });
  const gm = named('gm');
  const from = simulator.requests.length;
  simulator.set('gm', 'none');
  const lookups = Array.from({ length: 50 }, () => ask(gm, freshVin(gm), { net, judge, now: Date.now }));
  await askSource('genesis', 'empty', net);
  const outcomes = await Promise.all(lookups);
  simulator.set('gm', 'label');
  assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ['none']);
  const requests = simulator.requests.slice(from);
  assert.equal(requests.length, 51);
  assert.ok(
    requests.findIndex(({ source }) => source === 'genesis') < 50,
    'the Genesis was requested before the last Chevrolet',
  );
});

test('a source with one URL has all the time, unless another source comes next', async () => {
  const source = named('ford');
  assert.equal(source.urls.length, 1);
  const timeouts: number[] = [];
  const net = quickNet({ now: () => 0 });
  const fetch = Object.assign(
    async ({ ms }: { ms: number }) => {
      timeouts.push(ms);
      return { ok: false, reason: 'timeout', host: '' } as const;
    },
    { close() {} },
  );
  for (const othersFollow of [true, false])
    await ask(source, freshVin(source), { net: { ...net, fetch }, judge, now: Date.now, othersFollow });
  assert.deepEqual(timeouts, [10_000, 18_500]);
});

test('a car that two sources may have has one time budget for both', async () => {
  const source = named('ford');
  const vin = freshVin(source);
  simulator.set(vin, 'label');
  const net = quickNet();
  const options = { net, judge, now: Date.now };
  const from = simulator.requests.length;
  const outcome = await ask(source, vin, { ...options, spentMs: 20_000 });
  assert.ok(outcome.kind === 'failed' && outcome.why === 'timeout');
  assert.equal(simulator.requests.length, from);
  assert.equal((await ask(source, vin, { ...options, spentMs: 10 })).kind, 'label');
});

test('a label that no worker opens within the time budget fails with workers-busy', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const source = named('ford');
  const vin = freshVin(source);
  simulator.set(vin, 'label');
  const judging = Promise.withResolvers<void>();
  const stuckJudge = createJudge({ text: () => (judging.resolve(), new Promise<never>(() => {})) });
  const asking = ask(source, vin, { net: quickNet({ now: () => 0 }), judge: stuckJudge, now: () => 0 });
  await judging.promise;
  mock.timers.tick(60_000);
  const outcome = await asking;
  assert.ok(outcome.kind === 'failed' && outcome.why === 'workers-busy');
});

test('a source that is switched off gets no request later than five seconds, however many wait', async (t) => {
  const folder = temporaryFolder(t);
  const [store, operator] = [await storeIn(folder), await storeIn(folder)];
  t.after(() => Promise.all([store.close(), operator.close()]));
  const openNet = (now: () => number) => quickNet({ now, hosts: { everyMs: 1000 } });
  assert.equal(await lateRequests(t, { store, operator, simulator, openNet }), 0);
});

test('a source that is switched off gets no retry', async () => {
  const source = named('ford');
  const vin = freshVin(source);
  const state = { isOn: true };
  simulator.set(vin, (response) => {
    state.isOn = false;
    response.end();
  });
  const from = simulator.requests.length;
  const isAvailable = () => state.isOn;
  const outcome = await ask(source, vin, { net: quickNet(), judge, isAvailable, now: () => 0 });
  assert.ok(outcome.kind === 'failed' && outcome.why === 'unavailable');
  assert.equal(simulator.requests.length - from, 1);
});
