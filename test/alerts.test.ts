// lane: drill
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readConfig } from '../src/config.ts';
import { silentLog } from '../src/lib/log.ts';
import type { start as Start } from '../src/main.ts';
import { freshIp } from './service.ts';
import { linkModules } from './linked-modules.ts';
import { newVin } from './operator.ts';
import { startSimulated } from './simulated.ts';
import { deployed, promtool, root, withoutPromtool as skip } from './promtool.ts';

/** When an alert fires and ends. */

const { service, simulator } = await startSimulated();

const scratch = mkdtempSync(path.join(tmpdir(), 'monroney-alerts-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** A copy of the service with a broken reader for GM's prices. */
async function startWithBrokenReader(): Promise<Awaited<ReturnType<typeof Start>>> {
  const copy = path.join(scratch, 'broken');
  for (const name of ['packages', 'src'])
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  linkModules(root, copy);
  for (const name of ['bin', 'docs', 'package.json', 'tools'])
    symlinkSync(path.join(root, name), path.join(copy, name));
  const reader = path.join(copy, 'packages/label/src/makers/gm/prices.ts');
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
          const labelsOf = await fetch(`${origin}/api/v1/vin/${newVin(source)}`, {
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

test('an alert fires when the vPIC data has missed a release, and ends with new data', { skip }, () => {
  const alertname = 'MonroneyVpicOld';
  const day = 86_400;
  const firing = {
    exp_labels: { instance: 'a', job: 'monroney', severity: 'ticket' },
    exp_annotations: {
      summary: 'The vPIC data of a is more than 60 days old. Run admin vpic update and restart.',
    },
  };
  const file = path.join(scratch, 'vpic.json');
  writeFileSync(
    file,
    JSON.stringify({
      rule_files: [deployed('prometheus-rules.yaml')],
      evaluation_interval: '1h',
      tests: [
        {
          interval: '1h',
          // Released when the test's time begins, and replaced after 70 days.
          input_series: [
            {
              series: 'monroney_vpic_released_timestamp_seconds{job="monroney",instance="a"}',
              values: `0x${70 * 24 - 1} ${60 * day}x${20 * 24}`,
            },
          ],
          alert_rule_test: [
            { eval_time: '59d', alertname, exp_alerts: [] },
            { eval_time: '65d', alertname, exp_alerts: [firing] },
            { eval_time: '75d', alertname, exp_alerts: [] },
          ],
        },
      ],
    }),
  );
  promtool('test', 'rules', file);
});
