/**
 * One service on the shared store compared with one on the embedded store, and two compared with one:
 * `node tools/bench/shared.ts`. Needs PostgreSQL and Redis on this machine; S3 is a test server.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/lib/log.ts';
import { copyStore } from '../../src/store/copy.ts';
import { openStore } from '../../src/store/index.ts';
import { startServers, withoutServers } from '../../test/shared/servers.ts';
import { formatResult, type BenchResult } from './decoder.ts';
import { cpuMicros, figure, median, perSecond } from './figures.ts';
import type { Turn } from './http-load.ts';
import { planOf, startService } from './http-run.ts';
import { callProgram, CLIENT_CORE, pathTo, startProgram } from './processes.ts';
import { fillStore } from './filled-store.ts';

const ROWS = 2000;

export async function run(): Promise<BenchResult> {
  const name = 'shared: lookups of stored labels on the shared store compared with the embedded one';
  const columns = ['', 'CPU µs', 'per second', '× embedded, CPU'];
  const missing = withoutServers();
  if (missing) return { name, columns, rows: [], figures: {}, notes: [missing] };
  const root = await mkdtemp(join(tmpdir(), 'bench-shared-'));
  const servers = await startServers();
  const loadGenerator = startProgram(pathTo('http-load.ts'), [], { core: CLIENT_CORE });
  try {
    const dataDir = join(root, 'embedded');
    const { vins } = await fillStore(dataDir, { rows: ROWS, files: 20, fileBytes: null });
    const urls = {
      databaseUrl: await servers.database('bench'),
      redisUrl: servers.redisUrl(),
      s3Url: servers.s3Url(),
    };
    await copyToShared(dataDir, join(root, 'cache'), urls);
    const env = { DATABASE_URL: urls.databaseUrl, REDIS_URL: urls.redisUrl, S3_URL: urls.s3Url };
    const embedded = await startService(dataDir);
    const one = await startService(join(root, 'one'), env);
    const two = await startService(join(root, 'two'), env);
    const paths = vins.map((vin) => `/api/v1/vin/${vin}`);
    const plan = planOf({ servers: [embedded, one, two], paths, turns: 12, warmMs: 3000 });
    const turns = await callProgram<Turn[][]>(loadGenerator, plan);
    await Promise.all([embedded, one, two].map((service) => service.stop()));
    const micros = turns.map((all) => median(all.map(cpuMicros)));
    const rates = turns.map((all) => median(all.map(perSecond)));
    const label = ['embedded store', 'shared store, first of two', 'shared store, second of two'];
    return {
      name,
      columns,
      rows: label.map((text, index) => [
        text,
        micros[index]!.toFixed(1),
        figure(rates[index]!),
        (micros[0]! / micros[index]!).toFixed(2),
      ]),
      figures: {
        embeddedMicros: micros[0]!,
        sharedMicros: micros[1]!,
        secondMicros: micros[2]!,
        sharedAgainstEmbedded: micros[0]! / micros[1]!,
      },
      notes: ['With the shared store, the limit costs a round trip to Redis per request.'],
    };
  } finally {
    await loadGenerator.stop();
    await servers.stop();
    await rm(root, { recursive: true, force: true });
  }
}

async function copyToShared(dataDir: string, cacheDir: string, urls: Record<string, string>): Promise<void> {
  const from = await openStore({ dataDir, log: silentLog });
  const to = await openStore({ dataDir: cacheDir, log: silentLog, ...urls });
  await copyStore(from, to);
  await from.close();
  await to.close();
}

if (import.meta.main) {
  process.stdout.write(`${formatResult(await run())}\n`);
  process.exit(0);
}
