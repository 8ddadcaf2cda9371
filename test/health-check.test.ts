import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { silentLog } from '../src/lib/log.ts';
import { ask } from '../src/lookup/ask.ts';
import { createHealthChecks } from '../src/lookup/health-check.ts';
import { sources } from '../src/makers/index.ts';
import { behaviors } from '../tools/simulator/behaviors.ts';
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
  const checks = createHealthChecks({ ...dependencies, sources, store, log: silentLog });
  const find = (id: string) => checks.find(named(id), named(id).urls[0]!);
  const from = simulator.requests.length;
  const requested = () => simulator.requests.slice(from).map(({ vin }) => vin);
  return { store, checks, find, off, dependencies, requested };
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
  const { store, checks, find } = await setUp(t);
  await storeLabel(store, 'gm');
  await store.withdraw({ vin: await storeLabel(store, 'ford'), reason: 'x', at: 1 });
  const { label } = await store.find(await storeLabel(store, 'ford'));
  await store.markDamaged(label!);
  assert.equal(await find('ford'), null);
  assert.equal(await checks.check('ford'), null);
});

test('a source that is switched off gets no health check', async (t) => {
  const { store, find, off, requested } = await setUp(t);
  await storeLabel(store, 'ford');
  const check = await find('ford');
  off.add('ford');
  assert.equal((await check!()).result, 'unknown');
  assert.deepEqual(requested(), []);
});

test('a source with several hosts is healthy if one of them responds; each gets one request', async (t) => {
  for (const [atThird, result, requests] of [
    ['label', 'responded', 3],
    ['access-denied', 'refused', 4],
  ] as const) {
    const { store, checks, requested } = await setUp(t);
    const vin = await storeLabel(store, 'stellantis');
    simulator.set(vin, (response, request) =>
      behaviors[request.host === 'www.ramtrucks.com' ? atThird : 'access-denied'](response, request),
    );
    // The second time, the results of less than a pause ago count.
    for (let n = 0; n < 2; n++) assert.equal(await checks.check('stellantis'), result);
    assert.deepEqual(requested(), Array(requests).fill(vin));
  }
});

test('clients whose VINs a source refuses do not pause it for others, because it sends a label it sent before', async (t) => {
  const { store, checks, dependencies, requested } = await setUp(t);
  const known = await storeLabel(store, 'ford');
  const ford = named('ford');
  const look = async (client: string, behavior: 'label' | 'access-denied') => {
    const vin = freshVin(ford);
    simulator.set(vin, behavior);
    const outcome = await ask(ford, vin, { ...dependencies, client, findHealthCheck: checks.find });
    return outcome.kind === 'label' ? 'label' : outcome.why;
  };
  for (const client of ['one', 'two', 'three', 'four', 'five'])
    assert.notEqual(await look(client, 'access-denied'), 'paused');
  // Joins the check, or returns its result.
  assert.equal(await checks.check('ford'), 'responded');
  assert.equal(await look('visitor', 'label'), 'label');
  assert.equal(requested().filter((vin) => vin === known).length, 1);
});
