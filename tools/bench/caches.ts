/** CPU time of what the caches save, with and without them: `node tools/bench/caches.ts`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createMemoryCache } from '../../src/lib/memory-cache.ts';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { openRuntime } from '../../src/runtime.ts';
import { cpuMsOf } from './figures.ts';
import { fillStore } from './filled-store.ts';

const BROWSER = { accept: 'text/html', 'accept-encoding': 'gzip, br' };

async function cpuMicros(times: number, request: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < times / 4; n++) await request();
  const ms = await cpuMsOf(async () => {
    for (let n = 0; n < times; n++) await request();
  });
  return (ms * 1000) / times;
}

const dataDir = await mkdtemp(join(tmpdir(), 'bench-caches-'));
const { fileVins } = await fillStore(dataDir, { rows: 0, files: 1, fileBytes: 300_000 });
const config = readConfig({
  DATA_DIR: dataDir,
  LIMIT: 'off',
  PORT: '0',
  SOURCE_ORIGIN: 'http://127.0.0.1:9',
});
const runtime = await openRuntime(config, silentLog);
// The response cache drops what the store says was replaced.
let dropAll: (vin: null) => void = () => {};
const store = { ...runtime.store, onReplaced: (listener: typeof dropAll) => void (dropAll = listener) };

const vin = specimens[0]!.vin;
const urls: readonly [url: string, times: number][] = [
  [`/api/v1/vin/${fileVins[0]}`, 2000],
  [`/api/sticker/${fileVins[0]}`, 500],
  [`/window-sticker/${vin}`, 100],
  [`/window-sticker/${vin}/preview.png`, 8],
  [`/api/v1/vin/${vin}/label`, 200],
  ['/openapi.json', 40],
];
for (const isCached of [true, false]) {
  const memory = isCached ? runtime.memory : createMemoryCache(1);
  const app = createApp(config, { ...runtime, store, memory });
  for (const [url, times] of urls) {
    const micros = await cpuMicros(times, () => {
      if (!isCached) dropAll(null);
      return app.inject({ url, headers: BROWSER });
    });
    process.stdout.write(`${isCached ? 'with' : 'without'}\t${Math.round(micros)} µs\t${url}\n`);
  }
}
await runtime.close();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
