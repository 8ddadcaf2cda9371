import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DATABASE, openEmbedded } from './embedded/open.ts';
import { NoStore } from './errors.ts';
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
  /** False: throws `NoStore` instead of creating a store. */
  mayCreate?: boolean;
  /** Multiplies the timeouts of the shared store's servers, for tests on a busy machine. */
  timeoutFactor?: number | undefined;
}

/** Opens the shared store when all three of its URLs are given, otherwise the embedded one. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, databaseUrl, redisUrl, s3Url, log, timeoutFactor } = options;
  const { exclusive = true, mayCreate = true } = options;
  if (!databaseUrl && !redisUrl && !s3Url) {
    if (!mayCreate && !hasStore(dataDir)) throw new NoStore(`There is no store in ${resolve(dataDir)}.`);
    return openEmbedded({ dataDir, log, exclusive });
  }
  if (!databaseUrl || !redisUrl || !s3Url) {
    throw new Error('The shared store needs DATABASE_URL, REDIS_URL and S3_URL together.');
  }
  // Imported on demand: the embedded store doesn't need these three clients.
  const { openShared } = await import('./shared/open.ts');
  return openShared({ databaseUrl, redisUrl, s3Url, log, mayCreate, timeoutFactor });
}

/** Also if the database is lost: the labels are still there. */
const hasStore = (dataDir: string): boolean =>
  [DATABASE, 'labels'].some((name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false }));
