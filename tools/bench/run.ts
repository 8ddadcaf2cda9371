/**
 * Measures every figure that has a target: `npm run bench`, or `npm run bench -- http start` for some parts. Prints a table for
 * each part, and one with the targets.
 */
import { cpus, loadavg } from 'node:os';
import { formatResult, type BenchResult } from './figures.ts';
import { compareWithTargets } from './targets.ts';

const parts: Record<string, () => Promise<{ run(): Promise<BenchResult> }>> = {
  decoder: () => import('./decoder.ts'),
  tables: () => import('./tables.ts'),
  http: () => import('./http.ts'),
  reading: () => import('./reading.ts'),
  start: () => import('./start.ts'),
  files: () => import('./files.ts'),
  memory: () => import('./memory.ts'),
};

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !(name in parts));
if (unknown.length) {
  process.stderr.write(
    `Unknown bench: ${unknown.join(', ')}. Available: ${Object.keys(parts).join(', ')}.\n`,
  );
  process.exit(2);
}

const figures: Record<string, BenchResult['figures']> = {};
for (const [name, load] of Object.entries(parts)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  // Shows whether the machine was busy.
  const before = `Load ${loadavg()[0]!.toFixed(1)} on ${cpus().length} cores when it began.`;
  const result = await (await load()).run();
  process.stdout.write(`${formatResult({ ...result, notes: [...(result.notes ?? []), before] })}\n\n`);
  figures[name] = result.figures;
}
const rows = compareWithTargets((part, name) => figures[part]?.[name]);
const summary = { name: 'targets', columns: ['', 'measured', 'target', ''], rows, figures: {} };
process.stdout.write(`${formatResult(summary)}\n`);
process.exit(0);
