import assert from 'node:assert/strict';
import test from 'node:test';
import { silentLog } from '../log.ts';
import type { SourceSwitch } from '../store/store.ts';
import { openSwitches } from './switches.ts';

const MINUTE = 60_000;

function rows() {
  const kept = new Map<string, SourceSwitch>();
  return {
    switches: () => [...kept.values()],
    setSwitch: (row: SourceSwitch) => void kept.set(row.source, row),
  };
}

async function open(startOff: string[] = []) {
  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const store = rows();
  const switches = await openSwitches({ store, startOff, log: silentLog, now: () => clock.now });
  return { clock, store, switches };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a source named in SOURCES_OFF starts off, and the operator may switch it on', async (t) => {
  const { store, switches } = await open(['kia']);
  t.after(() => switches.close());
  assert.equal(switches.state('kia').state, 'off');
  assert.equal(switches.state('ford').state, 'on');
  store.setSwitch({ source: 'kia', state: 'on', reason: null, since: 1 });
  await switches.refresh();
  assert.equal(switches.state('kia').state, 'on');
});

test('a source that refuses everything for half an hour rests, with growing pauses, until it answers', async (t) => {
  const { clock, switches } = await open();
  t.after(() => switches.close());
  for (let i = 0; i < 9; i++) switches.heard('gm', 'refused');
  clock.now += 31 * MINUTE;
  switches.heard('gm', 'refused');
  await settle();
  assert.equal(switches.state('gm').state, 'resting');
  assert.equal(switches.restsFor('gm'), 15 * MINUTE);
  clock.now += 16 * MINUTE;
  assert.equal(switches.restsFor('gm'), 0);
  switches.heard('gm', 'refused');
  assert.equal(switches.restsFor('gm'), 30 * MINUTE);
  clock.now += 31 * MINUTE;
  switches.heard('gm', 'label');
  await settle();
  assert.equal(switches.state('gm').state, 'on');
  assert.equal(switches.restsFor('gm'), 0);
});

test('a few refusals, or failures however many, do not make a source rest', async (t) => {
  const { clock, switches } = await open();
  t.after(() => switches.close());
  for (let i = 0; i < 50; i++) switches.heard('gm', 'failed');
  for (let i = 0; i < 9; i++) switches.heard('gm', 'refused');
  clock.now += 60 * MINUTE;
  await settle();
  assert.equal(switches.state('gm').state, 'on');
});
