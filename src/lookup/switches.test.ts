import assert from 'node:assert/strict';
import test from 'node:test';
import { silentLog } from '../lib/log.ts';
import type { SourceSwitch } from '../store/store.ts';
import { openSwitches } from './switches.ts';

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
