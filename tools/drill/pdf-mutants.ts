/**
 * Opens thousands of damaged PDFs in the worker processes: node tools/drill/pdf-mutants.ts [count] [seed]
 * The main process must not fail, and no worker may exceed its memory limit.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sample } from '../../test/samples.ts';
import { MEMORY_LIMIT_BYTES } from '../../src/pdf/child-process.ts';
import { openPool, type Opened } from '../../src/pdf/pool.ts';
import type { ChildKind } from '../../src/pdf/child-messages.ts';
import { silentLog } from '../../src/lib/log.ts';
import { compressed } from './hostile-pdfs.ts';
import { mutant } from './mutants.ts';

export interface MutantRun {
  mutants: number;
  /** Counts by outcome: `read`, or why not. */
  outcomes: Record<string, number>;
  /** The highest memory use of a worker; null if unknown. */
  peakBytes: number | null;
  /** Workers started to replace those that died or were recycled. */
  replaced: number;
  slowestMs: number;
  /** Whether an intact label can be opened at the end. */
  worksAfterwards: boolean;
}

/** The labels to damage: our specimens, and real labels if available. */
export function seeds(): Buffer[] {
  const own = globSync(fileURLToPath(new URL('../../src/lookup/specimens/*.pdf', import.meta.url)));
  const real = sample('samples/labels');
  const all = [...own, ...(real ? globSync(`${real}/**/*.pdf`).filter((_, index) => index % 8 === 0) : [])];
  return [compressed(['MONRONEY', 'TOTAL PRICE: $12,345']), ...all.map((file) => readFileSync(file))];
}

export async function runMutants(
  labels: readonly Buffer[],
  { count, seed, kind }: { count: number; seed: number; kind: ChildKind },
): Promise<MutantRun> {
  const pool = openPool({
    kind,
    children: 2,
    warm: true,
    deadlineMs: 8_000,
    maxQueued: 64,
    maxWaitMs: 60_000,
    log: silentLog,
  });
  const run = {
    mutants: count,
    outcomes: {} as Record<string, number>,
    peakBytes: null as number | null,
    slowestMs: 0,
  };
  const pids = new Set<number>();
  const watch = setInterval(() => {
    for (const pid of pool.pids()) {
      pids.add(pid);
      run.peakBytes = Math.max(run.peakBytes ?? 0, peakOf(pid)) || null;
    }
  }, 20);
  let next = 0;
  const client = async () => {
    while (next < count) {
      const { pdf } = mutant(labels, seed, next++);
      const started = performance.now();
      const outcome = outcomeOf(await pool.open({ pdf, width: 320 }));
      run.outcomes[outcome] = (run.outcomes[outcome] ?? 0) + 1;
      run.slowestMs = Math.max(run.slowestMs, Math.round(performance.now() - started));
    }
  };
  await Promise.all([client(), client()]);
  const after = await pool.open({ pdf: labels[0]!, width: 320 });
  clearInterval(watch);
  await pool.close();
  return {
    ...run,
    replaced: Math.max(0, pids.size - 2),
    worksAfterwards: after.ok,
  };
}

const outcomeOf = (opened: Opened): string => (opened.ok ? 'read' : opened.reason);

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

if (import.meta.main) {
  const [count = 2_000, seed = 1] = process.argv.slice(2).map(Number);
  for (const kind of ['text', 'preview'] as const) {
    const run = await runMutants(seeds(), { count, seed, kind });
    const within = run.peakBytes === null || run.peakBytes <= MEMORY_LIMIT_BYTES;
    process.stdout.write(`${JSON.stringify({ kind, seed, ...run, within })}\n`);
    if (!within || !run.worksAfterwards) process.exitCode = 1;
  }
}
