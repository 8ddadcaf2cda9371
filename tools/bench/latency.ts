/** Latency of lookups of stored labels at half of one core's capacity: `node tools/bench/latency.ts`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatResult, type BenchResult } from './decoder.ts';
import { figure, median, percentile, perSecond } from './figures.ts';
import type { Turn } from './http-load.ts';
import type { PacedLoad, PacedResult } from './http-pacer.ts';
import { planOf, captureResponse, startBare, startService } from './http-run.ts';
import { callProgram, CLIENT_CORE, pathTo, startProgram } from './processes.ts';
import { fillStore } from './filled-store.ts';

const ROUNDS = 5;
const ROUND_MS = 3000;
/** A window has about 7,000 requests. Most windows pass without an interruption of milliseconds. */
const WINDOW_MS = 250;

export async function run(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-latency-'));
  const loadGenerator = startProgram(pathTo('http-load.ts'), [], { core: CLIENT_CORE });
  // Enough memory for a complete round: a garbage collection here would count as latency.
  const nodeFlags = ['--max-semi-space-size=256', '--expose-gc'];
  const pacer = startProgram(pathTo('http-pacer.ts'), [], { core: CLIENT_CORE, nodeFlags });
  try {
    const { vins } = await fillStore(dataDir, { rows: 2000, files: 20, fileBytes: null });
    const paths = vins.map((vin) => `/api/v1/vin/${vin}`);
    const service = await startService(dataDir, {}, process.env.BENCH_NODE_FLAGS?.split(' '));
    const bare = await startBare(await captureResponse(service.port, paths[0]!));
    const plan = planOf({ servers: [service, bare], paths, turns: 10, warmMs: 3000 });
    const [turns] = await callProgram<Turn[][]>(loadGenerator, plan);
    const fullRate = median(turns!.map(perSecond));
    const windows: Record<'ours' | 'bare', Float64Array[]> = { ours: [], bare: [] };
    for (let n = 0; n < ROUNDS; n++) {
      for (const [server, { port }] of [['ours', service] as const, ['bare', bare] as const]) {
        const pace: PacedLoad = { port, paths, perSecond: fullRate / 2, ms: ROUND_MS, connections: 64 };
        windows[server].push(...splitIntoWindows(await callProgram<PacedResult>(pacer, pace)));
      }
    }
    await Promise.all([service.stop(), bare.stop()]);
    const interruptedShare = await callProgram<number>(pacer, { measureInterruptionsMs: ROUND_MS });
    const ours = summarize(windows.ours);
    const theirs = summarize(windows.bare);
    return {
      name: `latency: lookups of stored labels at half load, ${ROUNDS} rounds of ${ROUND_MS / 1000} s, measured from when each was due`,
      columns: ['', 'per second', 'p50 ms', 'p90 ms', 'p99 ms', 'p99.9 ms', 'p99 / p50', 'target'],
      rows: [
        ['half load', figure(fullRate / 2), ...ours.row, '≤ 4'],
        ['bare node:http, the same rate', figure(fullRate / 2), ...theirs.row, ''],
      ],
      figures: {
        fullPerSecond: fullRate,
        machineAway: interruptedShare,
        ...ours.figures,
        ...Object.fromEntries(Object.entries(theirs.figures).map(([key, value]) => [`bare_${key}`, value])),
      },
      notes: [
        `An idle loop on the same core lost ${(interruptedShare * 100).toFixed(1)} % of its time to interruptions of more than 0.1 ms.`,
        `Medians over windows of ${WINDOW_MS} ms; the two servers take turns. The load generator has its own core.`,
      ],
    };
  } finally {
    await Promise.all([loadGenerator.stop(), pacer.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  }
}

function splitIntoWindows({ took, due }: PacedResult): Float64Array[] {
  return Array.from({ length: ROUND_MS / WINDOW_MS }, (_, n) =>
    took.filter((_ms, index) => Math.floor(due[index]! / WINDOW_MS) === n),
  );
}

/** Medians over the windows. */
function summarize(windows: Float64Array[]) {
  const medianOf = (figureOf: (took: Float64Array) => number) => percentile(windows.map(figureOf), 50);
  const percentileOf = (percent: number) => medianOf((took) => percentile(took, percent));
  const figures = {
    p50Ms: percentileOf(50),
    p90Ms: percentileOf(90),
    p99Ms: percentileOf(99),
    p999Ms: percentileOf(99.9),
    p99OverP50: medianOf((took) => percentile(took, 99) / percentile(took, 50)),
  };
  const { p99OverP50, ...times } = figures;
  return { figures, row: [...Object.values(times).map((ms) => ms.toFixed(3)), p99OverP50.toFixed(1)] };
}

if (import.meta.main) process.stdout.write(`${formatResult(await run())}\n`);
