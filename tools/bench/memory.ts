/** Resident memory of the service without its workers, idle and under full load: `node tools/bench/memory.ts`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { formatResult, type BenchResult } from './decoder.ts';
import { planOf, startService } from './http-run.ts';
import { callProgram, CLIENT_CORE, pathTo, memoryOf, startProgram } from './processes.ts';
import { fillStore, vinOf } from './filled-store.ts';

const LOAD_MS = 4000;

export async function run(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-memory-'));
  const loadGenerator = startProgram(pathTo('http-load.ts'), [], { core: CLIENT_CORE });
  try {
    const store = await fillStore(dataDir, { rows: 30_000, files: 400, fileBytes: 300_000 });
    const service = await startService(dataDir);
    await wait(3000);
    const idleMb = memoryOf(service.pid).nowMb;
    const loads = [
      store.vins.map((vin) => `/api/v1/vin/${vin}`),
      store.fileVins.map((vin) => `/api/sticker/${vin}`),
      store.fileVins.slice(0, 100).map((vin) => `/api/sticker/${vin}`),
      Array.from({ length: 100_000 }, (_, n) => `/api/v1/vin/${vinOf(n, '1C6SRFFT4TN900000')}?sticker=false`),
      store.vins.slice(0, 5000).map((vin) => `/api/v1/vin/${vin}`),
    ];
    let requests = 0;
    for (const paths of loads) {
      const plan = planOf({
        servers: [service],
        paths,
        turns: 1,
        turnMs: LOAD_MS,
        warmMs: 1,
        connections: 64,
      });
      const [turns] = await callProgram<{ requests: number }[][]>(loadGenerator, plan);
      requests += turns![0]!.requests;
    }
    const { peakMb, nowMb } = memoryOf(service.pid);
    await service.stop();
    return {
      name: `memory: resident, without workers; full load is ${requests.toLocaleString('en')} requests of five kinds, 64 at once`,
      columns: ['', 'MB', 'target'],
      rows: [
        ['idle', idleMb.toFixed(0), '≤ 160'],
        ['peak under full load', peakMb.toFixed(0), '≤ 280'],
        ['right after the load', nowMb.toFixed(0), ''],
      ],
      figures: { idleMb, peakMb, afterMb: nowMb },
      notes: [
        'Kinds: new responses, PDFs of 300 KB from disk (400 of them), PDFs in memory, new VINs, responses in memory.',
      ],
    };
  } finally {
    await loadGenerator.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${formatResult(await run())}\n`);
