import { openEmbedded } from './embedded/open.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from './store.ts';

export interface StoreOptions {
  dataDir: string;
  databaseUrl?: string | null;
  redisUrl?: string | null;
  s3Url?: string | null;
  log: Log;
  /** False for a command beside a running service on the same DATA_DIR. */
  exclusive?: boolean;
  /** Multiplies the timeouts of the shared store's servers, for tests on a busy machine. */
  timeoutFactor?: number | undefined;
}

/** Opens the shared store when all three of its URLs are given, otherwise the embedded one. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, databaseUrl, redisUrl, s3Url, log, exclusive = true, timeoutFactor } = options;
  if (!databaseUrl && !redisUrl && !s3Url) return openEmbedded({ dataDir, log, exclusive });
  if (!databaseUrl || !redisUrl || !s3Url) {
    throw new Error('The shared store needs DATABASE_URL, REDIS_URL and S3_URL together.');
  }
  // Imported on demand: the embedded store doesn't need these three clients.
  const { openShared } = await import('./shared/open.ts');
  return openShared({ databaseUrl, redisUrl, s3Url, log, timeoutFactor });
}
