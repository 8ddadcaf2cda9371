import assert from 'node:assert/strict';
import test from 'node:test';
import { createLog, silentLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { sources } from '../makers/index.ts';
import type { SourceSwitch } from '../store/store.ts';
import type { TimedOutcome } from './ask.ts';
import { openOutcomes, openSwitches } from './source-states.ts';

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

async function open(startOff: string[] = []) {
  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const store = rows();
  const now = () => clock.now;
  const switches = await openSwitches({ store, startOff, log: silentLog, now });
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

test('setting the clock back does not lengthen a rest', async (t) => {
  const { clock, switches } = await open();
  t.after(() => switches.close());
  switches.rest('gm');
  await settle();
  assert.equal(switches.restingMs('gm'), 15 * MINUTE);
  clock.now -= 365 * 24 * 60 * MINUTE;
  assert.equal(switches.restingMs('gm'), 0);
});

test('a source rests with exponential backoff, up to six hours, until it responds', async (t) => {
  const { clock, switches } = await open();
  t.after(() => switches.close());
  for (const minutes of [15, 30, 60, 120, 240, 360, 360]) {
    switches.rest('gm');
    switches.rest('gm');
    await settle();
    assert.equal(switches.state('gm').state, 'resting');
    assert.equal(switches.restingMs('gm'), minutes * MINUTE);
    clock.now += minutes * MINUTE;
    assert.equal(switches.restingMs('gm'), 0);
  }
  switches.responded('gm');
  await settle();
  assert.equal(switches.state('gm').state, 'on');
  switches.rest('gm');
  await settle();
  assert.equal(switches.restingMs('gm'), 15 * MINUTE);
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
  const { store, switches } = await open();
  t.after(() => switches.close());
  const off = { source: 'gm', state: 'off', reason: 'by hand', since: 1 } as const;
  await store.setSwitch(off);
  switches.rest('gm');
  await settle();
  assert.deepEqual(await store.switches(), [off], 'it does not begin to rest');

  await store.setSwitch({ ...off, state: 'resting' });
  await switches.refresh();
  await store.setSwitch(off);
  switches.responded('gm');
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

const [source] = sources as [(typeof sources)[number]];
const FAILED: TimedOutcome = { kind: 'failed', why: 'timeout', ms: 1 };
const REFUSED: TimedOutcome = { kind: 'refused', why: 'blocked', ms: 1 };
const PAUSED: TimedOutcome = { kind: 'failed', why: 'paused', ms: 1 };
/** The host is paused for everybody. */
const REFUSES_ALL: TimedOutcome = { kind: 'refused', why: 'paused', retryAfterMs: 61_000, ms: 1 };
const NONE: TimedOutcome = { kind: 'none', why: 'no', ms: 1 };
const OUR_FAILURE: TimedOutcome = { kind: 'failed', why: 'no-network', ms: 1 };

/** Records outcomes at given minutes, and returns what is logged as a warning. */
function setUp() {
  let minute = 0;
  const warnings: string[] = [];
  const unsent: string[] = [];
  const rests: (number | 'responded')[] = [];
  const labels: string[] = [];
  const metrics = createMetrics();
  const record = openOutcomes({
    outages: { noteUnsent: (id) => void unsent.push(id) },
    store: { countSourceRequest: async () => {} },
    switches: { rest: () => void rests.push(minute), responded: () => void rests.push('responded') },
    lastLabels: { record: (id) => void labels.push(id) },
    metrics,
    log: createLog('warn', (line) => {
      const { message, source: id } = JSON.parse(line) as { message: string; source: string };
      warnings.push(`${minute} ${id} ${message}`);
    }),
    now: () => minute * MINUTE,
  });
  const at = (time: number, outcome: TimedOutcome) => {
    minute = time;
    record(source, outcome);
  };
  const isFailing = () => metrics.text().includes(`monroney_source_failing{source="${source.id}"} 1\n`);
  return { at, warnings, unsent, rests, labels, isFailing };
}

test('a source that has failed for ten minutes is logged once, and again when it responds', () => {
  const { at, warnings, isFailing } = setUp();
  for (let minute = 1; minute < 11; minute++) at(minute, minute % 2 ? FAILED : REFUSED);
  assert.deepEqual(warnings, []);
  assert.ok(!isFailing());
  for (const minute of [11, 12, 30]) at(minute, PAUSED);
  assert.deepEqual(warnings, [`11 ${source.id} source: has failed for ten minutes`]);
  assert.ok(isFailing());
  for (const minute of [40, 41]) at(minute, NONE);
  assert.deepEqual(warnings.slice(1), [`40 ${source.id} source: responds again`]);
  assert.ok(!isFailing());
  at(50, FAILED);
  at(59, FAILED);
  assert.equal(warnings.length, 2, 'ten minutes count anew');
  at(60, FAILED);
  assert.equal(warnings.length, 3);
});

test('a response in between, a failure of ours or a pause alone is no reason for a warning', () => {
  const { at, warnings } = setUp();
  at(0, FAILED);
  at(5, NONE);
  at(11, FAILED);
  at(12, { kind: 'failed', why: 'wrong-vin', ms: 1 });
  for (const minute of [20, 31]) at(minute, OUR_FAILURE);
  for (const minute of [40, 51]) at(minute, PAUSED);
  assert.deepEqual(warnings, []);
});

test('only requests that a failure of ours kept from being sent are noted as such', () => {
  const { at, unsent } = setUp();
  for (const outcome of [NONE, FAILED, REFUSED, PAUSED]) at(1, outcome);
  assert.deepEqual(unsent, []);
  at(2, OUR_FAILURE);
  assert.deepEqual(unsent, [source.id]);
});

test('a source rests when its host is paused for all because it refuses us, after half an hour without a response', () => {
  const { at, rests } = setUp();
  for (let minute = 1; minute < 30; minute++) at(minute, minute % 2 ? REFUSED : REFUSES_ALL);
  at(31, REFUSED);
  // Not if one client alone is refused, nor if the source failed, which is no refusal.
  at(32, { ...REFUSES_ALL, retryAfterMs: 60_000 });
  at(33, { ...REFUSES_ALL, kind: 'failed' });
  assert.deepEqual(rests, []);
  at(34, REFUSES_ALL);
  assert.deepEqual(rests, [34]);
  at(35, NONE);
  at(36, REFUSED);
  at(65, REFUSES_ALL);
  assert.deepEqual(rests, [34, 'responded'], 'half an hour counts anew');
  for (let minute = 100; minute < 200; minute += 10) at(minute, FAILED);
  assert.deepEqual(rests, [34, 'responded']);
});

test('the time of a label is recorded, and of nothing else', () => {
  const { at, labels } = setUp();
  for (const outcome of [NONE, FAILED, REFUSED, OUR_FAILURE]) at(1, outcome);
  assert.deepEqual(labels, []);
  at(2, { kind: 'label', pdf: Buffer.alloc(0), host: 'labels.example', ms: 1 });
  assert.deepEqual(labels, [source.id]);
});
