import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DATABASE, openEmbedded } from './embedded/open.ts';
import { NoStore } from './errors.ts';
import type { Store, StoreOptions } from './store.ts';

/** Opens the shared store when all three of its URLs are given, otherwise the embedded one. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, databaseUrl, redisUrl, s3Url, mayCreate = true } = options;
  if (!databaseUrl && !redisUrl && !s3Url) {
    if (!mayCreate && !hasStore(dataDir)) throw new NoStore(`There is no store in ${resolve(dataDir)}.`);
    return openEmbedded(options);
  }
  if (!databaseUrl || !redisUrl || !s3Url) {
    throw new Error('The shared store needs DATABASE_URL, REDIS_URL and S3_URL together.');
  }
  // Imported on demand: the embedded store doesn't need these three clients.
  const { openShared } = await import('./shared/open.ts');
  return openShared({ ...options, databaseUrl, redisUrl, s3Url });
}

/** Also if the database is lost: the labels are still there. */
const hasStore = (dataDir: string): boolean =>
  [DATABASE, 'labels'].some((name) => lstatSync(join(dataDir, name), { throwIfNoEntry: false }));
