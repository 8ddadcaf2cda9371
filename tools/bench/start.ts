/** Time from the command to the first response: `node tools/bench/start.ts`. */
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { formatResult, type BenchResult } from './decoder.ts';
import { percentile } from './figures.ts';
import { pathTo, startProgram } from './processes.ts';
import { freePort } from '../free-port.ts';

const STARTS = 9;

const responds = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    http
      .get({ port, path, host: '127.0.0.1', agent: false }, (res) => {
        res.resume();
        res.on('end', () => resolve(res.statusCode === 200));
      })
      .on('error', () => resolve(false));
  });

/** Milliseconds until the response to the first lookup. */
async function timeStart(dataDir: string): Promise<number> {
  const port = await freePort();
  const from = performance.now();
  const service = startProgram(pathTo('../../bin/monroney.mjs'), ['serve'], {
    env: { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    quiet: true,
    // An IPC channel would keep the service from restarting itself with fewer permissions.
    withoutIpc: true,
  });
  try {
    while (!(await responds(port, `/api/v1/vin/${specimens[0]!.vin}`))) {
      if (performance.now() - from > 30_000) throw new Error('the service did not start within 30 seconds');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return performance.now() - from;
  } finally {
    await service.stop();
  }
}

export async function run(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
  try {
    const durationsMs: number[] = [];
    for (let n = 0; n < STARTS; n++) durationsMs.push(await timeStart(dataDir));
    const figures = {
      startMs: percentile(durationsMs, 50),
      fastestMs: Math.min(...durationsMs),
      slowestMs: Math.max(...durationsMs),
    };
    return {
      name: `start: from the command to the first response, ${STARTS} starts`,
      columns: ['', 'median ms', 'fastest ms', 'slowest ms', 'target'],
      rows: [
        [
          'start to first response',
          ...[figures.startMs, figures.fastestMs, figures.slowestMs].map((ms) => ms.toFixed(0)),
          '≤ 1000',
        ],
      ],
      figures,
      notes: [],
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${formatResult(await run())}\n`);
