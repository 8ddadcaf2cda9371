/** The service in a separate process, to measure its CPU and memory. Talks to its parent over IPC only. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readConfig } from '../../src/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { start } from '../../src/main.ts';

/** The process's use of resources so far. */
export interface Usage {
  cpuMs: number;
  /** After a full garbage collection. */
  heapMb: number;
  rssMb: number;
}

// Exposes gc() without a command-line flag, so that flags such as --cpu-prof can be used.
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const dataDir = mkdtempSync(join(tmpdir(), 'bench-mcp-'));
const env = { PORT: '0', HOST: '127.0.0.1', SOURCE_PACE_MS: '0', DATA_DIR: dataDir, LIMIT: 'off' };
const service = await start(readConfig({ ...env, SOURCE_ORIGIN: process.env.SOURCE_ORIGIN }), silentLog);
process.send!({ origin: service.origin });

process.on('message', (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage();
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    process.send!({
      cpuMs: (user + system) / 1000,
      heapMb: heapUsed / 1e6,
      rssMb: rss / 1e6,
    } satisfies Usage);
  } else if (message === 'stop') void stop();
});
process.once('disconnect', () => void stop());

async function stop(): Promise<void> {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
}
