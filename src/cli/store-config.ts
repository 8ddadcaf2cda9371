import { resolve } from 'node:path';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { becomeOwnerOf } from '../lib/file-system.ts';
import type { Log } from '../lib/log.ts';
import { NoStore } from '../store/errors.ts';
import { openStore } from '../store/index.ts';
import type { Store } from '../store/store.ts';

/**
 * The settings of a command that uses the store of a service, or what is wrong with them. Root becomes the owner of DATA_DIR, unless the command also
 * uses files of its caller, which that owner may not be allowed to read or write.
 */
export function storeConfig({ hasFiles = false } = {}): Config | string {
  try {
    const config = readConfig(process.env);
    if (!hasFiles) becomeOwnerOf(config.dataDir);
    return config;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

type StoreSettings = Pick<Config, 'dataDir' | 'databaseUrl' | 'redisUrl' | 's3Url'>;

const HINT =
  'Set DATA_DIR to the folder of the service (DATA_DIR=/var/lib/monroney), or DATABASE_URL, REDIS_URL and S3_URL to its servers.';
const SHARED_HINT = 'Is it the one of the service? Starting that, or admin migrate, creates the tables.';

/** Opens the store for an operator's command, and says which it is. Unless `mayCreate`, it must exist: a new one would hide a wrong setting. */
export async function openStoreOf(
  config: StoreSettings,
  log: Log,
  { mayCreate = false } = {},
): Promise<Store> {
  try {
    const store = await openStore({ ...config, log, exclusive: false, mayCreate });
    printStore(config);
    return store;
  } catch (error) {
    if (!(error instanceof NoStore)) throw error;
    throw new Error(
      config.databaseUrl
        ? `There is no store in ${nameOf(config)}. ${SHARED_HINT}`
        : `${error.message} ${HINT}`,
      { cause: error },
    );
  }
}

/** On standard error, so that the output of a command can be parsed. */
export function printStore(config: StoreSettings): void {
  process.stderr.write(`Store: ${nameOf(config)}\n`);
}

/** Without the passwords in the URLs. */
function nameOf({ dataDir, databaseUrl, s3Url }: StoreSettings): string {
  if (!databaseUrl || !s3Url) return resolve(dataDir);
  const [database, bucket] = [databaseUrl, s3Url].map((url) => {
    const { host, pathname } = new URL(url);
    return host + pathname;
  });
  return `PostgreSQL at ${database}, S3 at ${bucket}`;
}
