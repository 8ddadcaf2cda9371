import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { METRICS } from '../src/lib/metrics.ts';
import { newVin } from './operator.ts';
import { startSimulated } from './simulated.ts';

const { service, simulator } = await startSimulated({ ownWorkers: true });

const promtool = spawnSync('promtool', ['--version']).status === 0;

const metrics = (): string => service.runtime.metrics.text();

const valueOf = (series: string): number => {
  const line = metrics()
    .split('\n')
    .find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? NaN : Number(line.split(' ').at(-1));
};

test('lookups, label fetches, readings and previews are counted', async () => {
  const vin = newVin('gm');
  await service.get(`/api/v1/vin/${vin}`);
  for (let time = 0; time < 3; time++) await (await service.get(`/api/sticker/${vin}`)).arrayBuffer();
  await service.get(`/api/v1/vin/${vin}/label`);
  await (await service.get(`/api/sticker/${vin}/preview`)).arrayBuffer();
  await service.get('/api/v1/vin/nonsense');
  await service.get('/healthz');
  const all = metrics();
  for (const series of [
    'monroney_http_requests_total{route="/api/v1/vin/{vin}",status="200"} 1',
    'monroney_http_requests_total{route="/api/v1/vin/{vin}",status="400"} 1',
    'monroney_http_requests_total{route="/api/sticker/{vin}",status="200"} 3',
    'monroney_http_request_duration_seconds_count{route="/api/v1/vin/{vin}"} 2',
    'monroney_asks_total{source="gm",outcome="label"} 1',
    'monroney_asks_total{source="kia",outcome="failed"} 0',
    'monroney_ask_duration_seconds_count{source="gm",outcome="label"} 1',
    'monroney_source_queue_wait_seconds_count{source="gm"} 1',
    'monroney_network_up 1',
    'monroney_worker_queue_length{pool="text"} 0',
    'monroney_worker_job_duration_seconds_count{pool="preview"} 1',
    'monroney_cache_requests_total{cache="preview",result="miss"} 1',
    'monroney_store_operation_duration_seconds_count{operation="addLabel"} 1',
    'monroney_store_errors_total{operation="addLabel"} 0',
  ])
    assert.ok(all.includes(`${series}\n`), `${series} is missing from:\n${all}`);
  assert.match(all, /monroney_readings_total\{make="CHEVROLET",outcome="adds-up"\} 1\n/);
  assert.ok(valueOf('process_resident_memory_bytes') > 2 ** 20);
  assert.ok(valueOf('monroney_store_operation_duration_seconds_sum{operation="addLabel"}') > 0);
});

test('a refusal by a source is counted as refused', async () => {
  simulator.set('kia', 'blocked');
  await service.get(`/api/v1/vin/${newVin('kia')}`);
  assert.equal(valueOf('monroney_asks_total{source="kia",outcome="refused"}'), 1);
});

test(
  'every metric has a type and help, and its name passes promtool',
  { skip: !promtool && 'skipped: no promtool' },
  () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: metrics(),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
    for (const line of metrics()
      .split('\n')
      .filter((candidate) => candidate && !candidate.startsWith('#'))) {
      const name = line.split(/[ {]/)[0]!;
      assert.ok(Object.hasOwn(METRICS, name) || /_(bucket|sum|count)$/.test(name), name);
    }
  },
);

test('health probes are not logged', async () => {
  await service.get('/healthz');
  await service.get('/readyz');
  // A request is logged when its response has been sent.
  await (await service.get('/openapi.json')).text();
  service.runtime.log.flush();
  assert.ok(service.logs.some((line) => line.includes('"route":"/openapi.json"')));
  assert.ok(!service.logs.some((line) => /healthz|readyz/.test(line)));
});
