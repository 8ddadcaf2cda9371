import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { get, serve } from '../../tools/drill/drill.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { freePort } from '../../tools/free-port.ts';
import { eventually } from '../operator.ts';

/** A real Prometheus scrapes a real service, loads our rules and runs the dashboard's queries as Grafana sends them. */

const PROMETHEUS = '/usr/bin/prometheus';
const skip = existsSync(PROMETHEUS) ? false : 'skipped: install it first (apt-get install prometheus)';
const deployed = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** What a healthy service on one machine has nothing to show for. */
const EMPTY = ['Source queue length', 'Unexplained source responses', 'Daily checks of a stored label'];

void test('Prometheus loads the rules, and every panel of the dashboard shows data', { skip }, async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'monroney-dashboard-'));
  const simulator = await startSimulator();
  const [adminPort, port] = [await freePort(), await freePort()];
  const service = await serve({
    DATA_DIR: join(root, 'data'),
    ADMIN_PORT: String(adminPort),
    SOURCE_ORIGIN: simulator.origin,
    LOG_LEVEL: 'error',
  });
  writeFileSync(
    join(root, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '5s', scrape_timeout: '5s', evaluation_interval: '5s' },
      rule_files: [deployed('prometheus-rules.yaml')],
      scrape_configs: [{ job_name: 'monroney', static_configs: [{ targets: [`127.0.0.1:${adminPort}`] }] }],
    }),
  );
  const prometheus = spawn(
    PROMETHEUS,
    [
      `--config.file=${root}/prometheus.yml`,
      `--storage.tsdb.path=${root}/prometheus`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  t.after(async () => {
    prometheus.kill('SIGKILL');
    await service.kill('SIGKILL');
    await simulator.close();
    rmSync(root, { recursive: true, force: true });
  });

  const api = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
    assert.equal(status, 'success', `${decodeURIComponent(path)}: ${error}`);
    return data;
  };
  const shows = async (expr: string): Promise<boolean> => {
    const asSent = expr
      .replaceAll('$job', 'monroney')
      // What Grafana sends for "All".
      .replaceAll('$instance', '.+')
      .replaceAll('$__rate_interval', '10m');
    return (await api<{ result: unknown[] }>(`query?query=${encodeURIComponent(asSent)}`)).result.length > 0;
  };

  const { panels } = JSON.parse(readFileSync(deployed('grafana-dashboard.json'), 'utf8')) as Dashboard;
  const failing = specimens.find((each) => JSON.stringify(each).includes('fail'))!.vin;
  const traffic = async (n: number) => {
    // A new car each time: increase() misses what happened before the first scrape.
    const vin = `1FTEW2LP7TKE1${String(n).padStart(4, '0')}`;
    for (const path of [`/api/v1/vin/${vin}/label`, `/api/sticker/${vin}/preview`, `/api/sticker/${failing}`])
      await get(service.port, path);
    // At once, so that they exceed the limit on any machine.
    const requests = Array.from({ length: 40 }, () =>
      get(service.port, `/api/v1/vin/${vin}`, { 'X-Forwarded-For': '192.0.2.1' }),
    );
    await Promise.all(requests);
  };
  /** The titles of panels without data. */
  const emptyPanels = async (): Promise<string[]> => {
    const empty = [];
    for (const { title, targets } of panels) {
      const shown = [];
      for (const { expr } of targets) shown.push(await shows(expr));
      if (!shown.includes(true)) empty.push(title);
    }
    return empty;
  };
  let cars = 0;
  await eventually(
    async () => {
      await traffic(cars++);
      // Prometheus may not be listening yet.
      return emptyPanels().catch((error: Error) => {
        if (error instanceof TypeError && prometheus.exitCode === null) return [];
        throw error;
      });
    },
    (empty) => empty.join() === EMPTY.join(),
  );

  interface Rules {
    groups: { rules: { name: string; health: string }[] }[];
  }
  const rules = await eventually(
    async () => (await api<Rules>('rules')).groups.flatMap((group) => group.rules),
    (all) => all.every(({ health }) => health !== 'unknown'),
  );
  assert.ok(rules.length > 10);
  for (const { name, health } of rules) assert.equal(health, 'ok', name);
});
