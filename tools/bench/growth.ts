/** The cost of a lookup as the store grows: `node tools/bench/growth.ts`. Rows are generated; 200 have their own file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatResult, type BenchResult } from './decoder.ts';
import { cpuMicros, figure, median, perSecond } from './figures.ts';
import type { Turn } from './http-load.ts';
import { planOf, captureResponse, startService } from './http-run.ts';
import { callProgram, CLIENT_CORE, pathTo, startProgram } from './processes.ts';
import { copyResponses, fillStore, vinOf } from './filled-store.ts';

const SIZES = [1000, 100_000, 1_000_000];
/** Requested repeatedly, spread evenly over all rows. */
const WORKING_SET = 1000;
/** More than the service caches, so that each is read from the store. */
const FROM_STORE = 20_000;

interface Size {
  rows: number;
  dataDir: string;
  workingSet: string[];
  fromStore: string[];
}

export async function run(sizes: number[] = SIZES): Promise<BenchResult> {
  const root = await mkdtemp(join(tmpdir(), 'bench-growth-'));
  const loadGenerator = startProgram(pathTo('http-load.ts'), [], { core: CLIENT_CORE });
  try {
    const stores: Size[] = [];
    for (const rows of sizes) stores.push(await fill(join(root, String(rows)), rows));
    const services = await Promise.all(stores.map(({ dataDir }) => startService(dataDir)));
    const unknown = Array.from(
      { length: 100_000 },
      (_, n) => `/api/v1/vin/${vinOf(n, '1C6SRFFT4TN900000')}?sticker=false`,
    );
    const scenarios: [key: string, name: string, paths: (size: Size) => string[]][] = [
      [
        'held',
        `stored, the same ${WORKING_SET.toLocaleString('en')} requested`,
        ({ workingSet }) => workingSet,
      ],
      ['fromStore', 'stored, each read from the store', ({ fromStore }) => fromStore],
      ['unknown', 'not stored (decoded)', () => unknown],
    ];
    const figures: Record<string, number> = {};
    const rows: string[][] = [];
    for (const [key, name, paths] of scenarios) {
      const turns: Turn[][] = stores.map(() => []);
      for (let round = 0; round < 12; round++) {
        for (const [index, size] of stores.entries()) {
          const all = paths(size);
          // Each round continues where the last one ended; otherwise responses would come from the cache.
          const rotated = [
            ...all.slice((round * all.length) / 12),
            ...all.slice(0, (round * all.length) / 12),
          ];
          if (rotated.length === 0) continue;
          const plan = planOf({
            servers: [services[index]!],
            paths: rotated,
            turns: 2,
            warmMs: round === 0 ? 1500 : 20,
          });
          turns[index]!.push(...(await callProgram<Turn[][]>(loadGenerator, plan))[0]!);
        }
      }
      const micros = turns.map((all) => median(all.map(cpuMicros)));
      const rates = turns.map((all) => median(all.map(perSecond)));
      const first = micros.find(Number.isFinite)!;
      const growth = micros.at(-1)! / first - 1;
      figures[`${key}Growth`] = growth;
      stores.forEach(({ rows: count }, index) => {
        figures[`${key}Micros${count}`] = micros[index]!;
        figures[`${key}PerSecond${count}`] = rates[index]!;
      });
      rows.push([
        name,
        ...stores.map((_, index) =>
          Number.isFinite(micros[index]) ? `${micros[index]!.toFixed(1)} (${figure(rates[index]!)})` : '–',
        ),
        `${growth >= 0 ? '+' : '−'}${Math.abs(growth * 100).toFixed(0)} %`,
        '≤ 15%',
      ]);
    }
    await Promise.all(services.map((service) => service.stop()));
    return {
      name: 'growth: CPU µs per lookup (lookups per second) by number of stored labels',
      columns: ['', ...sizes.map((rows) => rows.toLocaleString('en')), 'last vs. first', 'target'],
      rows,
      figures,
      notes: [
        `"Each read from the store" needs more rows than the ${(16_384).toLocaleString('en')} responses cached in memory.`,
      ],
    };
  } finally {
    await loadGenerator.stop();
    await rm(root, { recursive: true, force: true });
  }
}

async function fill(dataDir: string, rows: number): Promise<Size> {
  const { vins } = await fillStore(dataDir, { rows, files: 200, fileBytes: null });
  const service = await startService(dataDir);
  await captureResponse(service.port, `/api/v1/vin/${vins[0]}`);
  await service.stop();
  copyResponses(dataDir, vins[0]!, vins);
  const spread = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => `/api/v1/vin/${vins[Math.floor((n * vins.length) / count)]}`);
  // Shuffled, so that the store can't benefit from the order.
  const shuffled = spread(FROM_STORE).map((_, n, all) => all[(n * 7919) % all.length]!);
  return { rows, dataDir, workingSet: spread(WORKING_SET), fromStore: rows >= FROM_STORE ? shuffled : [] };
}

if (import.meta.main)
  process.stdout.write(
    `${formatResult(await run(process.argv.slice(2).map(Number).filter(Boolean).length ? process.argv.slice(2).map(Number) : SIZES))}\n`,
  );
