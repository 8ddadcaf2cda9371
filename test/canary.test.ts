import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { loadBundled } from '@monroney/vin';
import { readConfig } from '../src/config.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { silentLog } from '../src/lib/log.ts';
import { openCanary } from '../src/lookup/canary.ts';
import { createWorkerJudge } from '../src/lookup/judge-in-worker.ts';
import { openLabelWorkers } from '../src/lookup/label-workers.ts';
import { lastLabel, openLastLabels } from '../src/lookup/last-labels.ts';
import { sources } from '../src/makers/index.ts';
import { hostsOf } from '../src/makers/maker.ts';
import { netFor } from '../src/runtime.ts';
import type { StatusReport } from '../src/site/status/report.ts';
import { labelOf } from '../tools/simulator/labels.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { folder, newVin, storeIn } from './operator.ts';
import { startService } from './service.ts';

/** The canary, on a clock of its own, with a real store and simulated sources over HTTP. */

const HOUR = 3_600_000;

const vpic = loadBundled();
const workers = openLabelWorkers();
after(() => workers.close());

async function house(t: TestContext) {
  const simulator = await startSimulator();
  const dataDir = folder(t);
  const store = await storeIn(dataDir);
  const config = readConfig({ SOURCE_ORIGIN: simulator.origin, SOURCE_PACE_MS: '0', DATA_DIR: dataDir });
  const clock = { at: Date.now() };
  const off = new Set<string>();
  const warnings: string[] = [];
  const metrics = createMetrics();
  const now = () => clock.at;
  const opened = () =>
    openCanary({
      sources,
      switches: {
        state: (source) => ({ source, state: off.has(source) ? 'off' : 'on', reason: null, since: 0 }),
        restingMs: () => 0,
      },
      store,
      workers,
      net: netFor(config, store),
      judge: createWorkerJudge(
        workers,
        (vin) => vpic.decode(vin).vehicle?.make ?? null,
        () => () => {},
      ),
      lastLabels: openLastLabels({ store, log: silentLog, now }),
      log: { ...silentLog, warn: (text, fields) => void warnings.push(`${text} ${JSON.stringify(fields)}`) },
      metrics,
      now,
    });
  const canary = opened();
  t.after(async () => {
    canary.close();
    await store.close();
    await simulator.close();
  });
  const hold = async (id: string) => {
    const source = sources.find((one) => one.id === id)!;
    const vin = newVin(id);
    const [host] = hostsOf(source) as [string];
    await store.keep(
      { vin, make: source.makes[0]!, source: id, host, fetched: 1, paint: null, reader: null },
      labelOf(source, host, vin),
    );
    return vin;
  };
  return { simulator, store, dataDir, canary, opened, clock, off, warnings, metrics, hold };
}

test('each source with a held label is asked for one once a day, one source at a time', async (t) => {
  const { simulator, canary, opened, clock, off, hold, store } = await house(t);
  const held = new Map<string, string[]>();
  for (const id of ['ford', 'gm', 'kia', 'subaru']) held.set(id, [await hold(id), await hold(id)]);
  off.add('subaru');
  // Every quarter of an hour for 23 hours, by two instances.
  const second = opened();
  t.after(() => second.close());
  for (let tick = 0; tick < 92; tick++) {
    const before = simulator.requests.length;
    await canary.tick();
    await second.tick();
    assert.ok(new Set(simulator.requests.slice(before).map(({ source }) => source)).size <= 2);
    clock.at += HOUR / 4;
  }
  const asked = () => simulator.requests.map(({ source }) => source).sort();
  assert.deepEqual(asked(), ['ford', 'gm', 'kia']);
  for (const { source, vin } of simulator.requests) assert.ok(held.get(source)!.includes(vin));
  assert.ok((await lastLabel(store, 'ford'))! > 0);
  assert.equal(await lastLabel(store, 'subaru'), null);

  clock.at += 3 * HOUR;
  for (let tick = 0; tick < sources.length; tick++) await canary.tick();
  assert.deepEqual(asked(), ['ford', 'ford', 'gm', 'gm', 'kia', 'kia']);
});

test('a change is a warning and counted; a label that is gone is neither', async (t) => {
  const { simulator, canary, warnings, metrics, hold, store } = await house(t);
  simulator.set(await hold('ford'), 'none');
  simulator.set(await hold('gm'), 'web-page');
  const seen = [];
  for (let tick = 0; tick < sources.length; tick++) {
    const checked = await canary.tick();
    if (checked) seen.push([checked.source, checked.verdict, checked.result]);
  }
  assert.deepEqual(seen, [
    ['ford', 'none', 'as-described'],
    ['gm', 'failed', 'changed'],
  ]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^canary: a source changed; run "admin check" .*"source":"gm"/);
  assert.match(metrics.text(), /^monroney_canary_total\{source="gm",result="changed"\} 1$/m);
  assert.equal(await lastLabel(store, 'ford'), null);
});

test('the status page and its data say when a source last sent a label; CANARY=on asks nobody at start', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const service = await startService({ SOURCE_ORIGIN: simulator.origin, CANARY: 'on' });
  t.after(() => service.close());
  assert.equal(simulator.requests.length, 0);
  const before = Date.now();
  await service.json(`/api/v1/vin/${newVin('gm')}`);
  const { sources: rows } = await service.json<StatusReport>('/status.json');
  const worked = new Map(rows.map(({ source, lastWorked }) => [source, lastWorked]));
  assert.ok(Date.parse(worked.get('gm')!) >= before);
  assert.equal(worked.get('ford'), null);
  const page = await (await service.get('/status', { headers: { accept: 'text/html' } })).text();
  assert.equal(page.match(/Last sticker received: \d+ \w+ 2\d{3}, \d\d:\d\d UTC/g)?.length, 1);
  const markdown = await (await service.get('/status.md')).text();
  assert.match(markdown, /\| General Motors \|.*UTC \|/);
  assert.throws(() => readConfig({ CANARY: 'yes' }), /CANARY must be on or off, got "yes"/);
});
