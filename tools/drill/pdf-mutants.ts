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
import { randomFrom } from '../../packages/vin/src/random.ts';
import { vitals } from './drill.ts';
import { compressed } from './hostile-pdfs.ts';

const randomBelow = (random: () => number, end: number): number => Math.floor(random() * end);

type Mutation = (pdf: Buffer, random: () => number, other: Buffer) => Buffer;

const mutations: Record<string, Mutation> = {
  'bits flipped': (pdf, random) => {
    const mutant = Buffer.from(pdf);
    for (let flips = 1 + randomBelow(random, 60); flips > 0; flips--) {
      const position = randomBelow(random, mutant.length);
      mutant[position] = mutant[position]! ^ (1 << randomBelow(random, 8));
    }
    return mutant;
  },
  truncated: (pdf, random) => Buffer.from(pdf.subarray(0, randomBelow(random, pdf.length))),
  'a piece of another PDF inserted': (pdf, random, other) => {
    const from = randomBelow(random, other.length);
    const position = randomBelow(random, pdf.length);
    const piece = other.subarray(from, from + 1 + randomBelow(random, 20_000));
    return Buffer.concat([
      pdf.subarray(0, position),
      piece,
      pdf.subarray(position + randomBelow(random, piece.length)),
    ]);
  },
  'a piece missing': (pdf, random) => {
    const position = randomBelow(random, pdf.length);
    return Buffer.concat([
      pdf.subarray(0, position),
      pdf.subarray(position + 1 + randomBelow(random, 5_000)),
    ]);
  },
  'a piece blanked': (pdf, random) => {
    const mutant = Buffer.from(pdf);
    const position = randomBelow(random, pdf.length);
    return mutant.fill(
      random() < 0.5 ? 0 : 255,
      position,
      Math.min(pdf.length, position + 1 + randomBelow(random, 5_000)),
    );
  },
  // Parsers trust lengths, counts, widths and references.
  'extreme numbers': (pdf, random) => {
    const large = ['-1', '0', '2147483647', '4294967296', '99999999999999999999', '1e308'];
    return Buffer.from(
      pdf
        .toString('latin1')
        .replaceAll(/\b\d{1,6}\b/g, (number) =>
          random() < 0.002 ? large[randomBelow(random, large.length)]! : number,
        ),
      'latin1',
    );
  },
};

const kinds = Object.keys(mutations);

/** The `index`th mutant of `seeds`, the same for the same `seed`. */
function mutant(seeds: readonly Buffer[], seed: number, index: number): Buffer {
  const random = randomFrom(seed * 1_000_003 + index);
  const kind = kinds[index % kinds.length]!;
  const pdf = seeds[randomBelow(random, seeds.length)]!;
  const other = seeds[randomBelow(random, seeds.length)]!;
  return mutations[kind]!(pdf, random, other);
}

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
      const pdf = mutant(labels, seed, next++);
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
    return vitals(pid).peakMb * 1024 * 1000;
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
