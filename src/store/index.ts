import { openEmbedded } from './embedded/open.ts';
import type { Log } from '../log.ts';
import type { Store } from './store.ts';

export interface StoreOptions {
  dataDir: string;
  databaseUrl?: string | null;
  redisUrl?: string | null;
  s3Url?: string | null;
  log: Log;
  /** False for a command beside a running service on the same DATA_DIR. */
  exclusive?: boolean;
}

/** The embedded store, or the shared one when all three of its addresses are given. */
export async function openStore({ dataDir, log, exclusive = true }: StoreOptions): Promise<Store> {
  return openEmbedded({ dataDir, log, exclusive });
}
