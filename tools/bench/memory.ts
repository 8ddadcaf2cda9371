/** Resident memory of the service without its workers, idle and under full load: `npm run bench -- memory`. */
import { setTimeout as wait } from 'node:timers/promises';
import { vitals } from '../drill/drill.ts';
import type { BenchResult } from './figures.ts';
import { fillStore, vinOf } from './filled-store.ts';
import { withPrograms } from './programs.ts';

export const run = (): Promise<BenchResult> =>
  withPrograms(async (bench) => {
    const { vins, fileVins } = await fillStore(bench.dataDir, {
      rows: 30_000,
      files: 400,
      fileBytes: 300_000,
    });
    const { pid, port, kill } = await bench.start();
    await wait(3000);
    const idleMb = vitals(pid).rssMb;
    const loads = [
      vins.map((vin) => `/api/v1/vin/${vin}`),
      fileVins.map((vin) => `/api/sticker/${vin}`),
      fileVins.slice(0, 100).map((vin) => `/api/sticker/${vin}`),
      Array.from({ length: 100_000 }, (_, n) => `/api/v1/vin/${vinOf(n, '1C6SRFFT4TN900000')}?sticker=false`),
      vins.slice(0, 5000).map((vin) => `/api/v1/vin/${vin}`),
    ];
    let requests = 0;
    for (const paths of loads) {
      const load = { turns: 1, turnMs: 4000, warmMs: 1, connections: 64 };
      const [turns] = await bench.load({ servers: [{ port, pid }], paths, ...load });
      requests += turns![0]!.requests;
    }
    const { peakMb, rssMb: afterMb } = vitals(pid);
    await kill('SIGTERM');
    return {
      name: `memory: resident, without workers; full load is ${requests.toLocaleString('en')} requests of five kinds, 64 at once`,
      columns: ['', 'MB'],
      rows: [
        ['idle', idleMb.toFixed(0)],
        ['peak under full load', peakMb.toFixed(0)],
        ['right after the load', afterMb.toFixed(0)],
      ],
      figures: { idleMb, peakMb, afterMb },
      notes: [
        'Kinds: new responses, PDFs of 300 KB from disk (400 of them), PDFs in memory, new VINs, responses in memory.',
      ],
    };
  });
