/**
 * Measures every figure that has a target: `npm run bench`, or `npm run bench -- http start` for some parts. Prints a table for
 * each part and one with the targets, and writes `bench/latest.json`, where parts that didn't run keep their figures.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { formatResult, pathTo, type BenchResult } from './figures.ts';
import { compareWithTargets } from './targets.ts';

const parts: Record<string, () => Promise<{ run(): Promise<BenchResult> }>> = {
  decoder: () => import('./decoder.ts'),
  http: () => import('./http.ts'),
  reading: () => import('./reading.ts'),
  start: () => import('./start.ts'),
  memory: () => import('./memory.ts'),
};

interface Latest {
  machine: Record<string, string | number>;
  node: string;
  /** `load` is the load average when the part began, which shows whether the machine was busy. */
  parts: Record<string, { date: string; load: number; figures: BenchResult['figures'] }>;
}

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !(name in parts));
if (unknown.length) {
  process.stderr.write(
    `Unknown bench: ${unknown.join(', ')}. Available: ${Object.keys(parts).join(', ')}.\n`,
  );
  process.exit(2);
}

const file = pathTo('../../bench/latest.json');
const latest: Latest = {
  parts: existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Latest).parts : {},
  machine: {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
  },
  node: process.version,
};

for (const [name, load] of Object.entries(parts)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  const busy = Math.round(loadavg()[0]! * 10) / 10;
  const result = await (await load()).run();
  process.stdout.write(`${formatResult(result)}\n\n`);
  const figures = Object.entries(result.figures).map(([key, value]) => [key, Number(value.toPrecision(4))]);
  latest.parts[name] = { date: new Date().toISOString(), load: busy, figures: Object.fromEntries(figures) };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(latest, null, 2)}\n`);
}
const rows = compareWithTargets((part, name) => latest.parts[part]?.figures[name]);
const summary = { name: 'targets', columns: ['', 'measured', 'target', ''], rows, figures: {} };
process.stdout.write(`${formatResult(summary)}\n`);
process.exit(0);
