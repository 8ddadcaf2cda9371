import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { silentLog } from '../src/lib/log.ts';
import { ask } from '../src/lookup/ask.ts';
import { healthChecks } from '../src/lookup/health-check.ts';
import { judge, named } from './judge.ts';
import { storeIn, temporaryFolder } from './operator.ts';
import { freshVin, startSources } from './source-requests.ts';
import { storeLabel } from './stored-label.ts';

/** Health checks with a real store and simulated sources over HTTP. `src/sources/hosts.test.ts` shows what follows from them. */

const { simulator, quickNet } = await startSources();

async function setUp(t: TestContext) {
  const store = await storeIn(temporaryFolder(t));
  t.after(() => store.close());
  const net = quickNet({ now: () => 0 });
  const off = new Set<string>();
  const dependencies = {
    net,
    judge,
    isAvailable: ({ id }: { id: string }) => !off.has(id),
    now: () => 0,
    signal: new AbortController().signal,
  };
  const findHealthCheck = healthChecks({ ...dependencies, store, log: silentLog });
  const find = (id: string) => findHealthCheck(named(id), named(id).urls[0]!);
  const from = simulator.requests.length;
  const requested = () => simulator.requests.slice(from).map(({ vin }) => vin);
  return { store, findHealthCheck, find, off, dependencies, requested };
}

test('a label that the source sent before is requested once, and nothing is stored', async (t) => {
  const { store, find, requested } = await setUp(t);
  await storeLabel(store, 'gm');
  const vin = await storeLabel(store, 'ford');
  const before = await store.find(vin);
  for (const [behavior, result] of [
    ['label', 'responded'],
    ['none', 'responded'],
    ['access-denied', 'refused'],
    ['server-error', 'failed'],
    // A lookup would retry it.
    ['empty', 'failed'],
  ] as const) {
    const sent = requested().length;
    simulator.set(vin, behavior);
    assert.equal((await (await find('ford'))!()).result, result, behavior);
    assert.deepEqual(requested().slice(sent), [vin]);
  }
  assert.deepEqual(await store.find(vin), before);
  assert.equal((await store.counts()).labels, 2);
});

test('there is no health check with a withdrawn or damaged label, or one of another source', async (t) => {
  const { store, find } = await setUp(t);
  await storeLabel(store, 'gm');
  await store.withdraw({ vin: await storeLabel(store, 'ford'), reason: 'x', at: 1 });
  const { label } = await store.find(await storeLabel(store, 'ford'));
  await store.markDamaged(label!);
  assert.equal(await find('ford'), null);
});

test('a source that is switched off gets no health check', async (t) => {
  const { store, find, off, requested } = await setUp(t);
  await storeLabel(store, 'ford');
  const check = await find('ford');
  off.add('ford');
  assert.equal((await check!()).result, 'unknown');
  assert.deepEqual(requested(), []);
});

test('clients whose VINs a source refuses do not pause it for others, because it sends a label it sent before', async (t) => {
  const { store, findHealthCheck, dependencies, requested } = await setUp(t);
  const known = await storeLabel(store, 'ford');
  const ford = named('ford');
  const look = async (client: string, behavior: 'label' | 'access-denied') => {
    const vin = freshVin(ford);
    simulator.set(vin, behavior);
    const outcome = await ask(ford, vin, { ...dependencies, client, findHealthCheck });
    return outcome.kind === 'label' ? 'label' : outcome.why;
  };
  for (const client of ['one', 'two', 'three', 'four', 'five'])
    assert.notEqual(await look(client, 'access-denied'), 'paused');
  assert.equal(await look('visitor', 'label'), 'label');
  assert.equal(requested().filter((vin) => vin === known).length, 1);
});
