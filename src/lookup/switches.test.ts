import assert from 'node:assert/strict';
import test from 'node:test';
import { silentLog } from '../lib/log.ts';
import type { HostResult } from '../sources/breaker.ts';
import type { SourceSwitch } from '../store/store.ts';
import { openSwitches, type Switches } from './switches.ts';

const MINUTE = 60_000;

function rows() {
  const kept = new Map<string, SourceSwitch>();
  return {
    switches: async () => [...kept.values()],
    setSwitch: async (row: SourceSwitch) => void kept.set(row.source, row),
  };
}

/** A store that is unavailable when the service starts. */
function away() {
  const kept = rows();
  let gone = true;
  const when = async <T>(answer: () => Promise<T>): Promise<T> => {
    if (gone) throw new Error('away');
    return answer();
  };
  return {
    back: () => void (gone = false),
    switches: async () => when(kept.switches),
    setSwitch: async (row: SourceSwitch) => when(() => kept.setSwitch(row)),
  };
}

async function open(startOff: string[] = [], checkHealth?: () => Promise<HostResult | null>) {
  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const store = rows();
  const now = () => clock.now;
  const switches = await openSwitches({ store, startOff, log: silentLog, now, checkHealth });
  return { clock, store, switches };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a source in SOURCES_OFF starts off, and the operator can switch it on', async (t) => {
  const { store, switches } = await open(['kia']);
  t.after(() => switches.close());
  assert.equal(switches.state('kia').state, 'off');
  assert.equal(switches.state('ford').state, 'on');
  await store.setSwitch({ source: 'kia', state: 'on', reason: null, since: 1 });
  await switches.refresh();
  assert.equal(switches.state('kia').state, 'on');
});

async function refuseForHalfAnHour(switches: Switches, clock: { now: number }): Promise<void> {
  for (let i = 0; i < 9; i++) switches.report('gm', 'refused');
  clock.now += 31 * MINUTE;
  switches.report('gm', 'refused');
  await settle();
}

test('setting the clock back does not lengthen a rest', async (t) => {
  const { clock, switches } = await open();
  t.after(() => switches.close());
  await refuseForHalfAnHour(switches, clock);
  assert.equal(switches.restingMs('gm'), 15 * MINUTE);
  clock.now -= 365 * 24 * 60 * MINUTE;
  assert.equal(switches.restingMs('gm'), 0);
});

test('a source that refuses everything for half an hour rests, with exponential backoff, until it responds', async (t) => {
  const { clock, switches } = await open();
  t.after(() => switches.close());
  await refuseForHalfAnHour(switches, clock);
  assert.equal(switches.state('gm').state, 'resting');
  assert.equal(switches.restingMs('gm'), 15 * MINUTE);
  clock.now += 16 * MINUTE;
  assert.equal(switches.restingMs('gm'), 0);
  switches.report('gm', 'refused');
  assert.equal(switches.restingMs('gm'), 30 * MINUTE);
  clock.now += 31 * MINUTE;
  switches.report('gm', 'label');
  await settle();
  assert.equal(switches.state('gm').state, 'on');
  assert.equal(switches.restingMs('gm'), 0);
});

test('a source does not rest while a health check succeeds, and its refusals are counted anew', async (t) => {
  let checks = 0;
  const { clock, switches } = await open([], async () => (checks++, 'responded'));
  t.after(() => switches.close());
  await refuseForHalfAnHour(switches, clock);
  assert.deepEqual([switches.state('gm').state, checks], ['on', 1]);
  switches.report('gm', 'refused');
  await settle();
  assert.deepEqual([switches.state('gm').state, checks], ['on', 1]);
  await refuseForHalfAnHour(switches, clock);
  assert.deepEqual([switches.state('gm').state, checks], ['on', 2]);
});

test('a source rests if the health check is refused too, or if there is none, but not if it failed or was not sent', async (t) => {
  for (const [result, state] of [
    ['refused', 'resting'],
    [null, 'resting'],
    ['failed', 'on'],
    ['unknown', 'on'],
  ] as const) {
    const { clock, switches } = await open([], async () => result);
    t.after(() => switches.close());
    await refuseForHalfAnHour(switches, clock);
    assert.equal(switches.state('gm').state, state, `${result}`);
    assert.equal(switches.restingMs('gm'), state === 'resting' ? 15 * MINUTE : 0);
  }
});

test('a refusal lengthens a rest only if the health check fails, and a health check that succeeds ends it', async (t) => {
  const results: HostResult[] = ['refused', 'unknown', 'failed', 'responded'];
  const { clock, switches } = await open([], async () => results.shift()!);
  t.after(() => switches.close());
  await refuseForHalfAnHour(switches, clock);
  for (const [state, minutes] of [
    ['resting', 0],
    ['resting', 30],
    ['on', 0],
  ] as const) {
    clock.now += 31 * MINUTE;
    switches.report('gm', 'refused');
    await settle();
    assert.deepEqual([switches.state('gm').state, switches.restingMs('gm')], [state, minutes * MINUTE]);
  }
});

test('one health check decides about a rest, and a label that arrives meanwhile wins', async (t) => {
  const ended = Promise.withResolvers<HostResult>();
  let checks = 0;
  const { clock, switches } = await open([], () => (checks++, ended.promise));
  t.after(() => switches.close());
  await refuseForHalfAnHour(switches, clock);
  switches.report('gm', 'refused');
  assert.deepEqual([switches.state('gm').state, checks], ['on', 1]);
  switches.report('gm', 'label');
  ended.resolve('refused');
  await settle();
  assert.equal(switches.state('gm').state, 'on');
});

test('a few refusals, or any number of failures, do not make a source rest', async (t) => {
  const { clock, switches } = await open();
  t.after(() => switches.close());
  for (let i = 0; i < 50; i++) switches.report('gm', 'failed');
  for (let i = 0; i < 9; i++) switches.report('gm', 'refused');
  clock.now += 60 * MINUTE;
  await settle();
  assert.equal(switches.state('gm').state, 'on');
});

test('a change of another process applies within two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { store, switches } = await open();
  t.after(() => switches.close());
  await store.setSwitch({ source: 'kia', state: 'off', reason: 'by hand', since: 1 });
  assert.equal(switches.state('kia').state, 'on');
  t.mock.timers.tick(2000);
  await settle();
  assert.equal(switches.state('kia').state, 'off');
});

test('SOURCES_OFF applies while the store is unavailable, and is stored when it is back', async (t) => {
  const store = away();
  const switches = await openSwitches({ store, startOff: ['kia'], log: silentLog, now: () => 5 });
  t.after(() => switches.close());
  assert.deepEqual([switches.state('kia').state, switches.state('ford').state], ['off', 'on']);
  store.back();
  await switches.refresh();
  const reason = 'switched off when the service was started';
  assert.deepEqual(await store.switches(), [{ source: 'kia', state: 'off', reason, since: 5 }]);
});

test("SOURCES_OFF overrides the state of an earlier run, but not the operator's reason", async (t) => {
  const store = rows();
  await store.setSwitch({ source: 'kia', state: 'on', reason: null, since: 1 });
  await store.setSwitch({ source: 'gm', state: 'resting', reason: 'x', since: 1 });
  await store.setSwitch({ source: 'ford', state: 'off', reason: 'by hand', since: 1 });
  const startOff = ['kia', 'gm', 'ford'];
  const switches = await openSwitches({ store, startOff, log: silentLog, now: () => 5 });
  t.after(() => switches.close());
  assert.deepEqual(
    startOff.map((id) => [switches.state(id).state, switches.state(id).since]),
    [
      ['off', 5],
      ['off', 5],
      ['off', 1],
    ],
  );
  assert.equal(switches.state('ford').reason, 'by hand');
});

test("the operator's switch is kept while a source rests or starts to rest", async (t) => {
  const { clock, store, switches } = await open();
  t.after(() => switches.close());
  const off = { source: 'gm', state: 'off', reason: 'by hand', since: 1 } as const;
  for (let i = 0; i < 9; i++) switches.report('gm', 'refused');
  clock.now += 31 * MINUTE;
  await store.setSwitch(off);
  switches.report('gm', 'refused');
  await settle();
  assert.deepEqual(await store.switches(), [off], 'it does not begin to rest');

  await store.setSwitch({ ...off, state: 'resting' });
  await switches.refresh();
  await store.setSwitch(off);
  switches.report('gm', 'label');
  await settle();
  assert.deepEqual(await store.switches(), [off], 'nor does an answer that was under way switch it on');
});

test('SOURCES_OFF ends when it is no longer set, but what the operator switched off stays off', async (t) => {
  const store = rows();
  const reason = 'switched off when the service was started';
  await store.setSwitch({ source: 'kia', state: 'off', reason, since: 1 });
  await store.setSwitch({ source: 'ford', state: 'off', reason: 'by hand', since: 1 });
  const switches = await openSwitches({ store, startOff: [], log: silentLog, now: () => 5 });
  t.after(() => switches.close());
  assert.deepEqual([switches.state('kia').state, switches.state('ford').state], ['on', 'off']);
});

test('concurrent refusals cause one rest, and a failure does not end it', async (t) => {
  const { clock, switches } = await open();
  t.after(() => switches.close());
  await refuseForHalfAnHour(switches, clock);
  for (let i = 0; i < 4; i++) switches.report('gm', 'refused');
  await settle();
  assert.equal(switches.restingMs('gm'), 15 * MINUTE);
  clock.now += 16 * MINUTE;
  switches.report('gm', 'failed');
  switches.report('gm', 'failed');
  assert.equal(switches.restingMs('gm'), 30 * MINUTE);
  assert.equal(switches.state('gm').state, 'resting');
});
