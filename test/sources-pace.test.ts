import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createJudge } from '../src/lookup/judge.ts';
import { ask } from '../src/lookup/ask.ts';
import { freshVin, judge, sourceById, startSources } from './source-requests.ts';

/** How often, how long and at which hosts we ask a source. */

const { simulator, quickNet, askSource, passTime } = await startSources();

test('Stellantis: a host that fails is skipped, and the next host’s response is used', async () => {
  const source = sourceById('stellantis');
  for (const [behavior, expected] of [
    ['label', 'label'],
    ['none', 'none'],
  ] as const) {
    const net = quickNet();
    simulator.set('www.chrysler.com', 'server-error');
    simulator.set('www.jeep.com', 'access-denied');
    simulator.set('www.ramtrucks.com', behavior);
    const outcome = await ask(source, freshVin(source), { net, judge, now: Date.now });
    assert.equal(outcome.kind, expected);
    assert.equal(outcome.host, 'www.ramtrucks.com');
  }
  for (const host of ['www.chrysler.com', 'www.jeep.com', 'www.ramtrucks.com']) simulator.set(host, 'label');
});

test('Toyota: if one platform fails, "none" from the others is not accepted, but a label is', async () => {
  const source = sourceById('toyota');
  const [first, second, third] = source.urls.map((url) => new URL(url).host) as [string, string, string];
  simulator.set(first, 'none');
  simulator.set(second, 'server-error');
  simulator.set(third, 'none');
  const unsure = await ask(source, freshVin(source), { net: quickNet(), judge, now: Date.now });
  assert.equal(unsure.kind, 'failed');
  simulator.set(third, 'label');
  const certain = await ask(source, freshVin(source), { net: quickNet(), judge, now: Date.now });
  assert.equal(certain.kind, 'label');
  assert.equal(certain.host, third);
  for (const host of [first, second, third]) simulator.set(host, 'label');
});

test('one time budget covers all URLs: after it, no other host is asked', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const clock = { now: 0 };
  const source = sourceById('stellantis');
  const vin = freshVin(source);
  simulator.set(vin, 'hang');
  const from = simulator.requests.length;
  const net = quickNet({ now: () => clock.now, attemptMs: 8000, totalMs: 20_000 });
  const asking = ask(source, vin, { net, judge, now: Date.now });
  for (const hosts of [1, 2, 3]) {
    await passTime(hosts, from, () => (clock.now += 8000));
  }
  const outcome = await asking;
  assert.ok(outcome.kind === 'failed' && outcome.why === 'timeout');
  assert.equal(simulator.requests.length - from, 3, 'of four hosts');
});

test('a source that keeps refusing is paused, then tried again with one probe', async () => {
  let now = 0;
  const net = quickNet({ hosts: { everyMs: 0, pauseMs: 1000, now: () => now } });
  for (let refusal = 0; refusal < 3; refusal++) await askSource('ford', 'access-denied', net);
  const paused = await askSource('ford', 'label', net);
  assert.equal(paused.requests.length, 0);
  assert.ok(paused.outcome.kind === 'refused' && paused.outcome.why === 'paused');
  assert.equal(paused.outcome.retryAfterMs, 1000);
  now = 1000;
  const probe = await askSource('ford', 'label', net);
  assert.equal(probe.outcome.kind, 'label');
  assert.equal((await askSource('ford', 'label', net)).outcome.kind, 'label');
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
  const gm = sourceById('gm');
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

test('a label that no worker opens within the time budget fails with workers-busy', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const source = sourceById('ford');
  const vin = freshVin(source);
  simulator.set(vin, 'label');
  const judging = Promise.withResolvers<void>();
  const stuckJudge = createJudge({ text: () => (judging.resolve(), new Promise<never>(() => {})) });
  const asking = ask(source, vin, { net: quickNet(), judge: stuckJudge, now: Date.now });
  await judging.promise;
  mock.timers.tick(60_000);
  const outcome = await asking;
  assert.ok(outcome.kind === 'failed' && outcome.why === 'workers-busy');
});

test('a source with one URL has all the time, unless another source comes next', async () => {
  const source = sourceById('ford');
  assert.equal(source.urls.length, 1);
  const timeouts: number[] = [];
  const net = { ...quickNet({ now: () => 0, attemptMs: 8000, totalMs: 20_000 }) };
  const fetch = Object.assign(
    async ({ ms }: { ms: number }) => {
      timeouts.push(ms);
      return { ok: false, reason: 'timeout', host: '' } as const;
    },
    { close() {} },
  );
  for (const othersFollow of [true, false])
    await ask(source, freshVin(source), { net: { ...net, fetch }, judge, now: Date.now, othersFollow });
  assert.deepEqual(timeouts, [8000, 18_500]);
});

test('a car that two sources may have has one time budget for both', async () => {
  const source = sourceById('ford');
  const vin = freshVin(source);
  simulator.set(vin, 'label');
  const net = quickNet({ totalMs: 5000 });
  const options = { net, judge, now: Date.now };
  const from = simulator.requests.length;
  const outcome = await ask(source, vin, { ...options, spentMs: 5000 });
  assert.ok(outcome.kind === 'failed' && outcome.why === 'timeout');
  assert.equal(simulator.requests.length, from);
  assert.equal((await ask(source, vin, { ...options, spentMs: 10 })).kind, 'label');
});
