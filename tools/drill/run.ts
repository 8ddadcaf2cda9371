/**
 * Runs the drills: `npm run drill`, or `npm run drill -- kill siege` for some. `--short` makes them as short as in the tests;
 * `--kills 1000`, `--minutes 20` and `--seed 1` set the length. `--attack TEXT` chooses the attacks of the siege whose number and name
 * contain TEXT.
 */
import { parseArgs } from 'node:util';
import type { DrillResult } from './drill.ts';

interface Lengths {
  short: boolean;
  kills: number;
  minutes: number;
  seed: number;
}

const drills: Record<string, (lengths: Lengths) => Promise<DrillResult>> = {
  kill: async ({ kills }) => (await import('./kill.ts')).run({ kills }),
  'power-cut': async ({ short }) =>
    (await import('./power-cut.ts')).run(short ? { labels: 4, every: 3 } : {}),
  history: async ({ short, minutes, seed }) =>
    (await import('./history.ts')).run({ seconds: short ? 15 : Math.min(minutes, 5) * 60, seed }),
  siege: async ({ short }) =>
    (await import('./siege.ts')).run({
      short,
      ...(attack ? { only: ({ number, name }) => `${number} ${name}`.includes(attack) } : {}),
    }),
  'fuzz-readers': async ({ short, minutes, seed }) =>
    (await import('./fuzz-readers.ts')).run({ minutes: short ? 0.1 : Math.min(minutes, 10), seed }),
  soak: async ({ minutes, seed }) => (await import('./soak.ts')).run({ minutes, seed }),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    kills: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    attack: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { short, attack } = values;
const lengths: Lengths = {
  short,
  kills: Number(values.kills ?? (short ? 10 : 1000)),
  minutes: Number(values.minutes ?? (short ? 0.5 : 20)),
  seed: Number(values.seed ?? 1),
};
const unknown = positionals.filter((name) => !(name in drills));
if (values.help || unknown.length) {
  process.stderr.write(
    `${unknown.length ? `Unknown drill: ${unknown.join(', ')}.\n` : ''}Usage: npm run drill -- [${Object.keys(drills).join('] [')}] [--short] [--kills N] [--minutes N] [--seed N] [--attack TEXT]\n`,
  );
  process.exit(values.help ? 0 : 2);
}
let failed = 0;
for (const [name, drill] of Object.entries(drills)) {
  if (positionals.length && !positionals.includes(name)) continue;
  const from = performance.now();
  const { ok, figures, failures } = await drill(lengths);
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  process.stdout.write(
    `${ok ? 'passed' : 'FAILED'} ${name.padEnd(9)} ${seconds.padStart(5)} s  ${JSON.stringify(figures)}\n`,
  );
  for (const line of failures) process.stdout.write(`         ${line}\n`);
  if (!ok) failed++;
}
process.exit(failed ? 1 : 0);
