/** Time from the command to the first response: `npm run bench -- start`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { get, serve } from '../drill/drill.ts';
import { median, type BenchResult } from './figures.ts';

const STARTS = 9;

/** Milliseconds until the response to the first lookup. */
async function timeStart(dataDir: string): Promise<number> {
  const from = performance.now();
  const service = await serve({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const { status } = await get(service.port, `/api/v1/vin/${specimens[0]!.vin}`);
  const ms = performance.now() - from;
  await service.kill('SIGTERM');
  if (status !== 200) throw new Error(`the first lookup returned ${status}`);
  return ms;
}

export async function run(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
  try {
    const times: number[] = [];
    for (let n = 0; n < STARTS; n++) times.push(await timeStart(dataDir));
    const figures = {
      startMs: median(times),
      fastestMs: Math.min(...times),
      slowestMs: Math.max(...times),
    };
    return {
      name: `start: from the command to the first response, ${STARTS} starts`,
      columns: ['', 'median ms', 'fastest ms', 'slowest ms'],
      rows: [['start to first response', ...Object.values(figures).map((ms) => ms.toFixed(0))]],
      figures,
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
