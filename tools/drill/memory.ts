/** After warm-up, 20,000 requests over 2,000 VINs and 500 MB of PDFs raise memory by at most 64 MB. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from '../bench/filled-store.ts';
import { atOnce, get, serve, collectFailures, vitals, type DrillResult } from './drill.ts';

const MAX_MB = 64;

export async function run({ requests = 20_000, vins = 2000, megabytes = 500 } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('memory');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-memory-'));
  const fileBytes = Math.floor((megabytes * 1e6) / vins);
  const { fileVins } = await fillStore(dataDir, { rows: 0, files: vins, fileBytes });
  const service = await serve({ DATA_DIR: dataDir, SOURCE_ORIGIN: 'http://127.0.0.1:9', LOG_LEVEL: 'error' });
  const request = async (n: number): Promise<void> => {
    const vin = fileVins[(n * 7919) % vins]!;
    const response = await get(service.port, n % 2 ? `/api/v1/vin/${vin}` : `/api/sticker/${vin}`);
    expect(response.status === 200, `status ${response.status}`);
  };
  const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);
  try {
    // Two passes over everything fill the caches and compile the code.
    await atOnce(range(0, vins * 2), 32, request);
    const warmMb = vitals(service.pid).rssMb;
    let maxMb = warmMb;
    const watch = setInterval(() => (maxMb = Math.max(maxMb, vitals(service.pid).rssMb)), 100);
    await atOnce(range(0, requests), 32, request);
    clearInterval(watch);
    expect(maxMb - warmMb <= MAX_MB, `grew by ${Math.round(maxMb - warmMb)} MB`);
    return result({
      requests,
      vins,
      megabytes,
      warmMb: Math.round(warmMb),
      maxMb: Math.round(maxMb),
      grownMb: Math.round(maxMb - warmMb),
    });
  } finally {
    await service.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
}
