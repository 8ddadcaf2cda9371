/**
 * Runs the drills: `npm run drill`, or `npm run drill -- power-cut siege` for some. `--short` makes them as short as in the tests;
 * `--minutes 20` and `--seed 1` set the length. `--attack TEXT` chooses the attacks of the siege whose name contains TEXT.
 */
import { parseArgs } from 'node:util';
import type { DrillResult } from './drill.ts';

const drills: Record<string, () => Promise<DrillResult>> = {
  'power-cut': async () => (await import('./power-cut.ts')).run(short ? { labels: 4, every: 3 } : {}),
  history: async () =>
    (await import('./history.ts')).run({ seconds: short ? 15 : Math.min(minutes, 5) * 60, seed }),
  siege: async () => (await import('./siege.ts')).run({ short, only: values.attack }),
  'fuzz-readers': async () =>
    (await import('./fuzz-readers.ts')).run({ minutes: short ? 0.1 : Math.min(minutes, 10), seed }),
  soak: async () => (await import('./soak.ts')).run({ minutes, seed }),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    attack: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { short } = values;
const minutes = Number(values.minutes ?? (short ? 0.5 : 20));
const seed = Number(values.seed ?? 1);
const unknown = positionals.filter((name) => !(name in drills));
if (values.help || unknown.length) {
  process.stderr.write(
    `${unknown.length ? `Unknown drill: ${unknown.join(', ')}.\n` : ''}Usage: npm run drill -- [${Object.keys(drills).join('] [')}] [--short] [--minutes N] [--seed N] [--attack TEXT]\n`,
  );
  process.exit(values.help ? 0 : 2);
}
let failed = 0;
for (const [name, drill] of Object.entries(drills)) {
  if (positionals.length && !positionals.includes(name)) continue;
  const from = performance.now();
  const { figures, failures } = await drill();
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  process.stdout.write(
    `${failures.length === 0 ? 'passed' : 'FAILED'} ${name.padEnd(9)} ${seconds.padStart(5)} s  ${JSON.stringify(figures)}\n`,
  );
  for (const line of failures) process.stdout.write(`         ${line}\n`);
  failed += failures.length;
}
process.exit(failed ? 1 : 0);
