/**
 * Measures every figure that has a target: `npm run bench`, or `npm run bench -- http start` for some, `http.firstHit` for
 * one row. Prints a table for each part and one with the targets, and writes `bench/latest.json`, where parts that didn't
 * run keep their figures.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { formatResult, type BenchResult } from './decoder.ts';
import { pathTo } from './processes.ts';
import { meets, targets } from './targets.ts';

const parts: Record<string, () => Promise<{ run(options?: { only: string[] }): Promise<BenchResult> }>> = {
  decoder: () => import('./decoder.ts'),
  http: () => import('./http.ts'),
  mcp: () => import('./mcp.ts'),
  reading: () => import('./reading.ts'),
  start: () => import('./start.ts'),
  memory: () => import('./memory.ts'),
};

interface Measured {
  date: string;
  /** The load average when the part began, which shows whether the machine was busy. */
  load: number;
  figures: BenchResult['figures'];
}
interface Latest {
  machine: Record<string, string | number>;
  node: string;
  parts: Record<string, Measured>;
}

const selected = new Map<string, string[]>();
for (const [part = '', row] of process.argv.slice(2).map((name) => name.split('.')))
  selected.set(part, [...(selected.get(part) ?? []), ...(row ? [row] : [])]);
const unknown = [...selected.keys()].filter((name) => !(name in parts));
if (unknown.length) {
  process.stderr.write(
    `Unknown bench: ${unknown.join(', ')}. Available: ${Object.keys(parts).join(', ')}.\n`,
  );
  process.exit(2);
}

const file = pathTo('../../bench/latest.json');
const before: Pick<Latest, 'parts'> = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { parts: {} };
const latest: Latest = {
  machine: {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
  },
  node: process.version,
  parts: before.parts,
};

for (const [name, load] of Object.entries(parts)) {
  if (selected.size > 0 && !selected.has(name)) continue;
  const only = selected.get(name) ?? [];
  const busy = Math.round(loadavg()[0]! * 10) / 10;
  const result = await (await load()).run(only.length > 0 ? { only } : undefined);
  process.stdout.write(`${formatResult(result)}\n\n`);
  const otherFigures = only.length > 0 ? latest.parts[name]?.figures : {};
  const figures = { ...otherFigures, ...rounded(result.figures) };
  latest.parts[name] = { date: new Date().toISOString(), load: busy, figures };
  mkdirSync(pathTo('../../bench'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(latest, null, 2)}\n`);
}
process.stdout.write(`${formatResult(summary())}\n`);
process.exit(0);

function rounded(figures: BenchResult['figures']): BenchResult['figures'] {
  const short = (value: number | string | null) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, short(value)]));
}

function summary(): BenchResult {
  const rows = targets.map((target) => {
    const value = latest.parts[target.part]?.figures[target.figure];
    const bound = target.min === undefined ? `≤ ${target.max}` : `≥ ${target.min}`;
    if (typeof value !== 'number') return [target.what, '–', bound, ''];
    return [target.what, String(value), bound, meets(target, value) ? 'met' : 'missed'];
  });
  return { name: 'targets', columns: ['', 'measured', 'target', ''], rows, figures: {}, notes: [] };
}
