import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readConfig } from '../src/config.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { lastLabel } from '../src/lookup/source-states.ts';
import { sources } from '../src/makers/index.ts';
import type { StatusReport } from '../src/site/status/report.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { openTestCanary } from './canary-instance.ts';
import { temporaryFolder, newVin, storeIn } from './operator.ts';
import { startService } from './service.ts';
import { storeLabel } from './stored-label.ts';

/** The canary with a real store, simulated sources over HTTP and a fake clock. */

const HOUR = 3_600_000;

async function setUp(t: TestContext) {
  const simulator = await startSimulator();
  const dataDir = temporaryFolder(t);
  const store = await storeIn(dataDir);
  t.after(async () => {
    await store.close();
    await simulator.close();
  });
  const config = readConfig({ SOURCE_ORIGIN: simulator.origin, SOURCE_PACE_MS: '0', DATA_DIR: dataDir });
  // The store has the real clock, for which what the canary writes must not have expired.
  const clock = { now: Date.UTC(2200, 0, 1) };
  const off = new Set<string>();
  const warnings: string[] = [];
  const metrics = createMetrics();
  const canary = openTestCanary(t, { config, store, now: () => clock.now, off, warnings, metrics });
  return { simulator, store, canary, clock, off, warnings, metrics };
}

test('each source with a stored label gets one request per day, one source at a time', async (t) => {
  const { simulator, canary, clock, off, store } = await setUp(t);
  const stored = new Map<string, string[]>();
  for (const id of ['ford', 'gm', 'kia', 'subaru'])
    stored.set(id, [await storeLabel(store, id), await storeLabel(store, id)]);
  off.add('subaru');
  // Every 15 minutes for 23 hours.
  for (let tick = 0; tick < 92; tick++) {
    const before = simulator.requests.length;
    await canary.tick();
    assert.ok(new Set(simulator.requests.slice(before).map(({ source }) => source)).size <= 1);
    clock.now += HOUR / 4;
  }
  const requestedSources = () => simulator.requests.map(({ source }) => source).sort();
  assert.deepEqual(requestedSources(), ['ford', 'gm', 'kia']);
  for (const { source, vin } of simulator.requests) assert.ok(stored.get(source)!.includes(vin));
  assert.ok((await lastLabel(store, 'ford'))! > 0);
  assert.equal(await lastLabel(store, 'subaru'), null);

  clock.now += 3 * HOUR;
  for (let tick = 0; tick < sources.length; tick++) await canary.tick();
  assert.deepEqual(requestedSources(), ['ford', 'ford', 'gm', 'gm', 'kia', 'kia']);
});

test('a source that is switched off while its request waits gets none', async (t) => {
  const { simulator, canary, off, store } = await setUp(t);
  await storeLabel(store, 'ford');
  const { labels } = store;
  store.labels = (...page) => (off.add('ford'), labels(...page));
  let checked = null;
  for (let tick = 0; tick < sources.length; tick++) checked ??= await canary.tick();
  assert.deepEqual([checked?.result, checked?.note], ['not-checked', 'switched off or resting']);
  assert.equal(simulator.requests.length, 0);
});

test('a changed source is logged as a warning and counted; a label that no longer exists is not', async (t) => {
  const { simulator, canary, warnings, metrics, store } = await setUp(t);
  simulator.set(await storeLabel(store, 'ford'), 'none');
  simulator.set(await storeLabel(store, 'gm'), 'web-page');
  const results = [];
  for (let tick = 0; tick < sources.length; tick++) {
    const checked = await canary.tick();
    if (checked) results.push([checked.source, checked.verdict, checked.result]);
  }
  assert.deepEqual(results, [
    ['ford', 'none', 'as-described'],
    ['gm', 'failed', 'changed'],
  ]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^canary: a source changed; run "admin check" .*"source":"gm"/);
  assert.match(metrics.text(), /^monroney_canary_total\{source="gm",result="changed"\} 1$/m);
  assert.equal(await lastLabel(store, 'ford'), null);
});

test('/status and /status.json show when a source last sent a label; CANARY=on sends no request at startup', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const service = await startService({ SOURCE_ORIGIN: simulator.origin, CANARY: 'on' });
  t.after(() => service.close());
  assert.equal(simulator.requests.length, 0);
  await service.json(`/api/v1/vin/${newVin('gm')}`);
  const { sources: rows } = await service.json<StatusReport>('/status.json');
  const worked = new Map(rows.map(({ source, lastWorked }) => [source, lastWorked]));
  assert.match(worked.get('gm')!, /^2\d{3}-\d\d-\d\dT/);
  assert.equal(worked.get('ford'), null);
  const page = await (await service.get('/status', { headers: { accept: 'text/html' } })).text();
  assert.equal(page.match(/Last sticker received: \w+ \d+, 2\d{3}, \d\d:\d\d UTC/g)?.length, 1);
  const markdown = await (await service.get('/status.md')).text();
  assert.match(markdown, /\| General Motors \|.*UTC \|/);
  assert.throws(() => readConfig({ CANARY: 'yes' }), /CANARY must be on or off, got "yes"/);
});
