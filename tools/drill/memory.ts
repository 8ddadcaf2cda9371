/** Memory stays flat: 20,000 requests over 2,000 VINs and 500 MB of PDFs raise it by 64 MB at most after warming up. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeStock } from '../bench/stock.ts';
import { atOnce, get, serve, verdict, vitals, type DrillResult } from './drill.ts';

const MOST_MB = 64;

export async function run({ requests = 20_000, vins = 2000, megabytes = 500 } = {}): Promise<DrillResult> {
  const { holds, result } = verdict('memory');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-memory-'));
  const fileBytes = Math.floor((megabytes * 1e6) / vins);
  const { fileVins } = await makeStock(dataDir, { rows: 0, files: vins, fileBytes });
  const service = await serve({ DATA_DIR: dataDir, SOURCE_ORIGIN: 'http://127.0.0.1:9', LOG_LEVEL: 'error' });
  const ask = async (n: number): Promise<void> => {
    const vin = fileVins[(n * 7919) % vins]!;
    const answer = await get(service.port, n % 2 ? `/api/v1/vin/${vin}` : `/api/sticker/${vin}`);
    holds(answer.status === 200, `status ${answer.status}`);
  };
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);
  try {
    // Twice over all of it: caches and compiled code are then what they stay.
    await atOnce(numbers(0, vins * 2), 32, ask);
    const warm = vitals(service.pid).rssMb;
    let most = warm;
    const watch = setInterval(() => (most = Math.max(most, vitals(service.pid).rssMb)), 100);
    await atOnce(numbers(0, requests), 32, ask);
    clearInterval(watch);
    holds(most - warm <= MOST_MB, `grew by ${Math.round(most - warm)} MB`);
    return result({
      requests,
      vins,
      megabytes,
      warmMb: Math.round(warm),
      mostMb: Math.round(most),
      grownMb: Math.round(most - warm),
    });
  } finally {
    await service.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}
