import { lazy } from '../../lib/promises.ts';
import { createStore } from '../create-store.ts';
import { StoreUnavailable } from '../errors.ts';
import { SCHEMA_VERSION } from '../sql.ts';
import type { Store, StoreOptions } from '../store.ts';
import { openBucket } from './bucket.ts';
import { bucketFiles } from './bucket-files.ts';
import { sharedSingleFlight } from './leases.ts';
import { openPostgres, startMigration } from './postgres.ts';
import { MESSAGES_LOST, openRedis } from './redis.ts';

const REPLACED = 'monroney:label-replaced';

/** Rows in PostgreSQL, bytes in S3, leases and messages in Redis, for any number of instances. */
export async function openShared(
  options: StoreOptions & Record<'databaseUrl' | 'redisUrl' | 's3Url', string>,
): Promise<Store> {
  const { databaseUrl, redisUrl, s3Url, log, timeoutFactor } = options;
  // Whatever can fail permanently comes first, so that a failed start leaves nothing open.
  const bucket = openBucket(s3Url, log, timeoutFactor);
  await bucket.probe().catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
    log.error('store: cannot reach the label bucket', { error: error.message });
  });
  const migration = await startMigration(databaseUrl, log, options);
  const db = openPostgres(databaseUrl, log, timeoutFactor);
  const redis = await openRedis(redisUrl, log, timeoutFactor);
  const schemaVersion = db.one<[number]>('SELECT max(version) FROM schema_version');
  const core = createStore({
    main: db,
    cache: db,
    files: bucketFiles(bucket),
    log,
    async assertUsable() {
      if (!migration.done) throw new StoreUnavailable('The database has no tables yet.');
      const [version] = (await schemaVersion()) ?? [0];
      if (version < SCHEMA_VERSION)
        throw new StoreUnavailable(
          `The database has schema ${version}, this program needs ${SCHEMA_VERSION}: was an older one restored?`,
        );
      // Before a source is asked for the first time: the database may be an older backup.
      await syncWithdrawals();
    },
    // Without Redis, other instances notice when they read the bytes, and withdrawals within seconds.
    publishReplaced: (vin) => void redis.run((client) => client.publish(REPLACED, vin)).catch(() => {}),
  });
  redis.subscribe(REPLACED, (vin) => core.notifyReplaced(vin === MESSAGES_LOST ? null : vin));
  const stopWatching = core.watchWithdrawals();
  const syncWithdrawals = lazy(core.syncWithdrawals);
  let closed = false;

  return {
    ...core.store,
    kind: 'shared',
    coordination: {
      singleFlight: sharedSingleFlight(redis, log),
      redis,
      backends: () => ({ postgresql: db.up, redis: redis.up, s3: bucket.up }),
    },
    async close() {
      if (closed) return;
      closed = true;
      migration.stop();
      stopWatching();
      await Promise.all([db.close(), redis.close()]);
    },
  };
}
