/** Latency of held lookups at half of what one core can do: `node tools/bench/latency.ts`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printed, type BenchResult } from './decoder.ts';
import { figure, percentile } from './figures.ts';
import type { Turn } from './http-caller.ts';
import type { Pace } from './http-pacer.ts';
import { planOf, startService } from './http-run.ts';
import { ask, CLIENT_CORE, here, startProgram } from './processes.ts';
import { makeStock } from './stock.ts';

const ROUNDS = 5;
const ROUND_MS = 3000;

export async function run(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-latency-'));
  const caller = startProgram(here('http-caller.ts'), [], { core: CLIENT_CORE });
  const pacer = startProgram(here('http-pacer.ts'), [], { core: CLIENT_CORE });
  try {
    const { vins } = await makeStock(dataDir, { rows: 2000, files: 20, fileBytes: null });
    const paths = vins.map((vin) => `/api/v1/vin/${vin}`);
    const service = await startService(dataDir);
    const plan = planOf({ servers: [service], paths, turns: 10, warmMs: 3000 });
    const [turns] = await ask<Turn[][]>(caller, plan);
    const full = percentile(
      turns!.map((turn) => (turn.requests * 1000) / turn.wallMs),
      50,
    );
    const pace: Pace = { port: service.port, paths, perSecond: full / 2, ms: ROUND_MS, connections: 64 };
    const rounds: number[][] = [];
    for (let n = 0; n < ROUNDS; n++) rounds.push(await ask<number[]>(pacer, pace));
    await service.stop();
    const of = (percent: number) =>
      percentile(
        rounds.map((took) => percentile(took, percent)),
        50,
      );
    const figures = {
      fullPerSecond: full,
      p50Ms: of(50),
      p99Ms: of(99),
      p999Ms: of(99.9),
      p99OverP50: percentile(
        rounds.map((took) => percentile(took, 99) / percentile(took, 50)),
        50,
      ),
    };
    return {
      name: `latency: held lookups at half load, ${ROUNDS} rounds of ${ROUND_MS / 1000} s, from the moment each was due`,
      columns: ['', 'a second', 'p50 ms', 'p99 ms', 'p99.9 ms', 'p99 / p50', 'target'],
      rows: [
        [
          'half load',
          figure(full / 2),
          figures.p50Ms.toFixed(2),
          figures.p99Ms.toFixed(2),
          figures.p999Ms.toFixed(2),
          figures.p99OverP50.toFixed(1),
          '≤ 4',
        ],
      ],
      figures,
      notes: ['Medians of the rounds. The asking process spins on a core of its own.'],
    };
  } finally {
    await Promise.all([caller.stop(), pacer.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${printed(await run())}\n`);
