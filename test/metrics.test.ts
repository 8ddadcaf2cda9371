import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { METRICS } from '../src/lib/metrics.ts';
import { newVin } from './operator.ts';
import { deployed, promtool, withoutPromtool as skip } from './promtool.ts';
import { freshIp } from './service.ts';
import { startSimulated } from './simulated.ts';

const { service, simulator } = await startSimulated({ ownWorkers: true });

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

test('a label that is fetched to be read is read once', async () => {
  await service.get(`/api/v1/vin/${newVin('subaru')}/label`);
  assert.match(metrics(), /monroney_readings_total\{make="SUBARU",outcome="adds-up"\} 1\n/);
});

test('a refusal by a source is counted as refused', async () => {
  simulator.set('kia', 'blocked');
  await service.get(`/api/v1/vin/${newVin('kia')}`);
  assert.equal(valueOf('monroney_asks_total{source="kia",outcome="refused"}'), 1);
});

test('the log, the metrics and the status page count the same outcomes', async () => {
  const outcomes = { label: 'label', none: 'none', refused: 'blocked', failed: 'server-error' } as const;
  // More than the breaker allows one client.
  const lookups = 6;
  const expected: Record<string, Record<string, number>> = {};
  for (const [index, [outcome, behavior]] of Object.entries(outcomes).entries()) {
    const source = ['toyota', 'ford', 'hyundai', 'stellantis'][index]!;
    simulator.set(source, behavior);
    const client = { headers: { 'x-forwarded-for': freshIp() } };
    for (let each = 0; each < lookups; each++) await service.get(`/api/v1/vin/${newVin(source)}`, client);
    expected[source] = { label: 0, none: 0, refused: 0, failed: 0, [outcome]: lookups };
  }
  // A source that refused three cars of this client is not asked about the others.
  expected.hyundai!.refused = 3;

  service.runtime.log.flush();
  const logged = service.logs
    .map((line) => JSON.parse(line) as { message: string; source: string; outcome: string })
    .filter(({ message }) => message === 'source');
  const { sources } = await service.json<{ sources: ({ source: string } & Record<'day', object>)[] }>(
    '/status.json',
  );
  for (const [source, counts] of Object.entries(expected)) {
    const { day } = sources.find((each) => each.source === source)!;
    for (const [outcome, count] of Object.entries(counts)) {
      const lines = logged.filter((line) => line.source === source && line.outcome === outcome);
      assert.deepEqual(
        {
          log: lines.length,
          metric: valueOf(`monroney_asks_total{source="${source}",outcome="${outcome}"}`),
          status: day[outcome as keyof typeof day],
        },
        { log: count, metric: count, status: count },
        `${source} ${outcome}`,
      );
    }
  }
  assert.equal(valueOf('monroney_asks_total{source="hyundai",outcome="not-asked"}'), 3);
});

test('every metric has a type and help, and its name passes promtool', { skip }, () => {
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
});

test('health probes are not logged', async () => {
  await service.get('/healthz');
  await service.get('/readyz');
  // A request is logged when its response has been sent.
  await (await service.get('/openapi.json')).text();
  service.runtime.log.flush();
  assert.ok(service.logs.some((line) => line.includes('"route":"/openapi.json"')));
  assert.ok(!service.logs.some((line) => /healthz|readyz/.test(line)));
});

/** The alert rules and the dashboard in `deploy/`, compared with what the service exports. */

const rules = readFileSync(deployed('prometheus-rules.yaml'), 'utf8');
const dashboard = readFileSync(deployed('grafana-dashboard.json'), 'utf8');
const scratch = mkdtempSync(path.join(tmpdir(), 'monroney-alerts-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Label names of each series by the metric's name. */
function labelsIn(text: string): Map<string, Set<string>> {
  const labelsOf = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = labelsOf.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) names.add(label);
    labelsOf.set(name, names);
  }
  return labelsOf;
}

interface Dashboard {
  templating: { list: { name: string; label: string; type: string; allValue?: string }[] };
  panels: {
    title: string;
    description: string;
    datasource: { uid: string };
    targets: { expr: string; datasource: { uid: string } }[];
  }[];
}

function expressions(): { where: string; expr: string }[] {
  const { panels } = JSON.parse(dashboard) as Dashboard;
  const fromPanels = panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ where: title, expr })),
  );
  const alerts = rules.split(/^ +- alert: /m).slice(1);
  return [
    ...fromPanels,
    ...alerts.map((text) => ({
      where: text.split('\n')[0]!,
      expr: /expr: \|?([\s\S]*?)\n {8}(?:for|labels):/.exec(text)![1]!,
    })),
  ];
}

/** Labels of metrics that a single service doesn't export in a test. */
const NOT_EXPORTED_HERE: Record<string, string[]> = {
  monroney_backend_up: ['backend'],
  monroney_source_failing: ['source'],
  // On the admin port.
  monroney_ready: [],
  monroney_store_writable: [],
  monroney_quarantined_total: ['source', 'reason'],
  monroney_canary_total: ['source', 'result'],
  monroney_limit_alone_total: [],
  monroney_worker_deaths_total: ['pool', 'reason'],
  monroney_event_loop_stalls_total: ['running'],
  monroney_source_queue_length: ['host'],
  monroney_site_queue_length: ['host'],
};

test('the dashboard and the rules use only exported metrics and labels, and the dashboard shows all metrics', async () => {
  const vin = newVin('gm');
  await (await service.get(`/api/sticker/${vin}`)).arrayBuffer();
  await (await service.get(`/api/sticker/${vin}/preview`)).arrayBuffer();
  const exported = labelsIn(service.runtime.metrics.text());
  for (const [name, labels] of Object.entries(NOT_EXPORTED_HERE)) {
    assert.ok(Object.hasOwn(METRICS, name), name);
    exported.set(name, new Set(labels));
  }
  const all = expressions();
  assert.ok(all.length > 30);
  for (const { where, expr } of all) {
    for (const [, name = '', selected = ''] of expr.matchAll(
      /\b((?:monroney|process|nodejs)_\w+)(?:\{([^}]*)\})?/g,
    )) {
      const labels = exported.get(name);
      assert.ok(labels, `${where}: ${name} is not exported`);
      const grouped = expr.matchAll(/\bby \(([^)]*)\)/g).flatMap(([, by = '']) => by.split(/, */));
      const matched = selected.matchAll(/(\w+)(?:=|!)/g).map(([, label = '']) => label);
      for (const label of [...grouped, ...matched])
        assert.ok(
          labels.has(label) || ['job', 'instance', 'le'].includes(label),
          `${where}: ${name} has no ${label}`,
        );
    }
  }
  for (const name of Object.keys(METRICS))
    if (!/_(info|start_time_seconds|dropped_total|stalls_total)$/.test(name))
      assert.ok(dashboard.includes(name), `the dashboard does not show ${name}`);
});

test('promtool accepts the rules and every expression of the dashboard', { skip }, () => {
  promtool('check', 'rules', '--lint=all', deployed('prometheus-rules.yaml'));
  const file = path.join(scratch, 'dashboard.json');
  const asRules = expressions().map(({ expr }, index) => ({
    record: `panel:${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  // YAML is a superset of JSON.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }));
  promtool('check', 'rules', file);
});

test("the dashboard follows the rules of Grafana's dashboard-linter", () => {
  const { panels, templating } = JSON.parse(dashboard) as Dashboard;
  assert.deepEqual(
    templating.list.map(({ name, label, type, allValue }) => [name, label, type, allValue]),
    [
      ['datasource', 'Data source', 'datasource', undefined],
      ['job', 'Job', 'query', '.+'],
      ['instance', 'Instance', 'query', '.+'],
    ],
  );
  for (const { title, description, datasource, targets } of panels) {
    assert.ok(title && description, title);
    for (const { uid } of [datasource, ...targets.map((target) => target.datasource)])
      assert.equal(uid, '${datasource}', title);
    for (const { expr } of targets) {
      // A range of $__interval can be shorter than the time between two scrapes, and then shows nothing.
      for (const [, range] of expr.matchAll(/\[([^\]]+)\]/g))
        assert.ok(range === '$__rate_interval' || range === '1d', `${title}: ${range}`);
      for (const [, selected = ''] of expr.matchAll(/\b(?:monroney|process|nodejs)_\w+(?:\{([^}]*)\})?/g))
        assert.ok(selected.startsWith('job=~"$job",instance=~"$instance"'), `${title}: ${expr}`);
    }
  }
});
