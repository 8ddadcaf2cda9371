import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readConfig } from '../src/config.ts';
import { METRICS } from '../src/lib/metrics.ts';
import { silentLog } from '../src/lib/log.ts';
import type { start as Start } from '../src/main.ts';
import { freshIp } from './service.ts';
import { newCar, startSimulated } from './simulated.ts';

/** The alert rules and the dashboard in `deploy/`, compared with what the service exports. */

const { service, simulator } = await startSimulated({ ownWorkers: true });

const root = fileURLToPath(new URL('..', import.meta.url));
const deployed = (name: string) => path.join(root, 'deploy', name);
const rules = readFileSync(deployed('prometheus-rules.yaml'), 'utf8');
const dashboard = readFileSync(deployed('grafana-dashboard.json'), 'utf8');
const scratch = mkdtempSync(path.join(tmpdir(), 'monroney-alerts-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const skip = spawnSync('promtool', ['--version']).status !== 0 && 'skipped: no promtool';

function promtool(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

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
  monroney_quarantined_total: ['source', 'reason'],
  monroney_canary_total: ['source', 'result'],
  monroney_limit_alone_total: [],
  monroney_worker_deaths_total: ['pool', 'reason'],
  monroney_event_loop_stalls_total: ['running'],
  monroney_source_queue_length: ['host'],
};

test('the dashboard and the rules use only exported metrics and labels, and the dashboard shows all metrics', async () => {
  const vin = newCar('gm');
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

/** A copy of the service with a broken reader for GM's prices. */
async function startWithBrokenReader(): Promise<Awaited<ReturnType<typeof Start>>> {
  const copy = path.join(scratch, 'broken');
  cpSync(path.join(root, 'src'), path.join(copy, 'src'), { recursive: true });
  for (const name of ['bin', 'docs', 'node_modules', 'packages', 'package.json', 'tools'])
    symlinkSync(path.join(root, name), path.join(copy, name));
  const reader = path.join(copy, 'src/makers/gm/prices.ts');
  const original = readFileSync(reader, 'utf8');
  const broken = original.replace(
    'const TOTAL = /^(?:TOTAL VEHICLE PRICE|',
    'const TOTAL = /^(?:GRAND TOTAL|',
  );
  assert.notEqual(broken, original);
  writeFileSync(reader, broken);
  const { start } = (await import(pathToFileURL(path.join(copy, 'src/main.ts')).href)) as {
    start: typeof Start;
  };
  return start(
    readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      LIMIT: 'off',
      SOURCE_PACE_MS: '0',
      SOURCE_ORIGIN: simulator.origin,
      DATA_DIR: path.join(scratch, 'data'),
    }),
    silentLog,
  );
}

const MINUTES_PER_CAR = 5;

test(
  'an alert fires within 40 minutes of a release that breaks a reader, and ends within 40 minutes of the fix',
  { skip },
  async () => {
    const scrapes: string[] = [];
    const traffic = async (origin: string, cars: number, scrape: () => string) => {
      scrapes.push(scrape());
      for (let car = 0; car < cars; car++) {
        for (const source of ['gm', 'ford']) {
          const labelsOf = await fetch(`${origin}/api/v1/vin/${newCar(source)}`, {
            headers: { 'x-forwarded-for': freshIp() },
          });
          assert.equal(
            ((await labelsOf.json()) as { windowSticker: { available: boolean } }).windowSticker.available,
            true,
          );
        }
        scrapes.push(scrape());
      }
    };
    await traffic(service.origin, 4, () => service.runtime.metrics.text());
    const released = scrapes.length * MINUTES_PER_CAR;
    const broken = await startWithBrokenReader();
    try {
      await traffic(broken.origin, 8, () => broken.runtime.metrics.text());
    } finally {
      await broken.close();
    }
    const fixed = scrapes.length * MINUTES_PER_CAR;
    await traffic(service.origin, 8, () => service.runtime.metrics.text());

    const names = [
      ...scrapes.at(-1)!.matchAll(/^(monroney_readings_total\{make="(?:CHEVROLET|FORD)".*\}) /gm),
    ];
    assert.equal(names.length, 8);
    const inputs = names.map(([, series = '']) => ({
      series: series.replace('}', ',job="monroney",instance="a"}'),
      // The value stays the same until the next car.
      values: scrapes
        .flatMap((text) => {
          const value = text
            .split('\n')
            .find((line) => line.startsWith(`${series} `))!
            .split(' ')[1]!;
          return Array.from({ length: MINUTES_PER_CAR }, () => value);
        })
        .join(' '),
    }));
    const firing = {
      exp_labels: { make: 'CHEVROLET', severity: 'ticket' },
      exp_annotations: {
        summary: 'Labels of CHEVROLET can no longer be read or no longer add up.',
        description: 'The manufacturer may have changed its layout. Run admin quarantine.',
      },
    };
    const alertname = 'MonroneyReadingsFail';
    const file = path.join(scratch, 'release.json');
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [deployed('prometheus-rules.yaml')],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: inputs,
            alert_rule_test: [
              { eval_time: `${released}m`, alertname, exp_alerts: [] },
              { eval_time: `${released + 40}m`, alertname, exp_alerts: [firing] },
              { eval_time: `${fixed + 40}m`, alertname, exp_alerts: [] },
            ],
          },
        ],
      }),
    );
    promtool('test', 'rules', file);
  },
);

test(
  'the alert lasts at least a day while the reader stays broken, then ends, and ignores makes that always fail',
  { skip },
  () => {
    // One label every ten minutes, for two days before and two days after the release.
    const series = (make: string, outcome: string, values: string) => ({
      series: `monroney_readings_total{make="${make}",outcome="${outcome}",job="monroney",instance="a"}`,
      values,
    });
    const alertname = 'MonroneyReadingsFail';
    const alerts = (hours: number, makes: string[]) => ({
      eval_time: `${hours}h`,
      alertname,
      exp_alerts: makes.map((make) => ({
        exp_labels: { make, severity: 'ticket' },
        exp_annotations: {
          summary: `Labels of ${make} can no longer be read or no longer add up.`,
          description: 'The manufacturer may have changed its layout. Run admin quarantine.',
        },
      })),
    });
    const file = path.join(scratch, 'days.json');
    writeFileSync(
      file,
      JSON.stringify({
        rule_files: [deployed('prometheus-rules.yaml')],
        evaluation_interval: '5m',
        tests: [
          {
            interval: '10m',
            input_series: [
              series('CHEVROLET', 'adds-up', '0+1x287 288x288'),
              series('CHEVROLET', 'does-not-add-up', '0x287 0+1x288'),
              series('KIA', 'adds-up', '0x576'),
              series('KIA', 'does-not-add-up', '0+1x576'),
            ],
            alert_rule_test: [
              alerts(47, []),
              alerts(49, ['CHEVROLET']),
              alerts(72, ['CHEVROLET']),
              alerts(90, []),
            ],
          },
        ],
      }),
    );
    promtool('test', 'rules', file);
  },
);
