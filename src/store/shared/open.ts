import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { createReadiness } from '../readiness.ts';
import { type Store, StoreUnavailable } from '../legacy-store.ts';
import { openBucket } from './bucket.ts';
import { cacheRows } from './cache-rows.ts';
import { contactRows, stateRows } from './state-rows.ts';
import { openDiskCache, labelBytes } from './label-bytes.ts';
import { fetchLeases, sharedSingleFlight } from './leases.ts';
import { labelKeeper } from './keep-label.ts';
import { labelRows, rowCopies } from './label-rows.ts';
import { startMigration, SCHEMA_VERSION } from './migrations.ts';
import { openPostgres, type Postgres } from './postgres.ts';
import { openReconcile } from './reconcile.ts';
import { MESSAGES_LOST, openRedis } from './redis.ts';
import { openWithdrawals } from './withdrawals.ts';

/** Size of the disk cache of each instance: about three thousand labels. */
const CACHE_BYTES = 1 << 30;

const REPLACED = 'monroney:label-replaced';

interface SharedOptions {
  dataDir: string;
  databaseUrl: string;
  redisUrl: string;
  s3Url: string;
  log: Log;
  cacheBytes?: number;
}

/** Rows in PostgreSQL, bytes in S3, leases and messages in Redis, for any number of instances. */
export async function openShared(options: SharedOptions): Promise<Store> {
  const { dataDir, databaseUrl, redisUrl, s3Url, log, cacheBytes = CACHE_BYTES } = options;
  // Whatever can fail permanently comes first, so that a failed start leaves nothing open.
  const bucket = openBucket(s3Url, log);
  await bucket.probe().catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
    log.error('store: cannot reach the label bucket', { error: error.message });
  });
  const diskCache = openDiskCache(join(dataDir, 'cache'), cacheBytes);
  const migration = await startMigration(databaseUrl, log);
  const db = openPostgres(databaseUrl, log);
  const redis = await openRedis(redisUrl, log);
  const databaseMicros = db.one<[number]>('SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint');
  const labels = labelRows(db);
  const copies = rowCopies(labels, bucket);
  const bytes = labelBytes(bucket, diskCache);
  const { forget, forgetBytes, probe, ...cachedRows } = cacheRows(db);

  /** Without Redis, other instances notice when they read the bytes. */
  const publishReplaced = (vin: string) =>
    redis.run((client) => client.publish(REPLACED, vin)).catch(() => {});
  const withdrawn = openWithdrawals({
    db,
    bucket,
    labels,
    copies,
    diskCache,
    forget,
    forgetBytes,
    publishReplaced,
    log,
  });
  const { label, recover, keep } = labelKeeper({
    labels,
    copies,
    bytes,
    diskCache,
    withdrawn,
    forget,
    publishReplaced,
    log,
  });
  const reconcile = openReconcile({ bucket, db, labels, copies, withdrawn, readBack: bytes.readBack });

  const listeners: ((vin: string | null) => void)[] = [];
  redis.subscribe(REPLACED, (vin) => {
    if (vin !== MESSAGES_LOST) copies.forget(vin);
    for (const listener of listeners) listener(vin === MESSAGES_LOST ? null : vin);
  });
  const watch = withdrawn.watch((vin) => {
    for (const listener of listeners) listener(vin);
  });
  let closed = false;

  return {
    kind: 'shared',
    coordination: {
      singleFlight: sharedSingleFlight(redis, log, {
        leases: fetchLeases(db, log),
        clock: async () => (await databaseMicros())![0],
      }),
      redis,
      backends: () => ({ postgresql: db.up, redis: redis.up, s3: bucket.up }),
      reconcile,
    },
    label,
    recover,
    // Only verified labels are uploaded.
    prepare: () => () => {},
    keep,
    checkBytes: ({ sha256 }) => bytes.check(sha256),
    async markDamaged(vin, sha256) {
      await labels.markDamaged(vin, sha256);
      await forget(vin);
      await publishReplaced(vin);
    },
    withdrawal: withdrawn.withdrawal,
    withdrawals: withdrawn.withdrawals,
    withdraw: withdrawn.withdraw,
    onReplaced: (listener) => void listeners.push(listener),
    async updateRead(vin, read) {
      await labels.updateRead(vin, read);
      const updated = await labels.label(vin);
      if (updated) await copies.write(updated);
    },
    pdf: bytes.pdf,
    pdfInto: bytes.pdf,
    pdfStream: bytes.pdfStream,
    preview: bytes.preview,
    keepPreview: bytes.keepPreview,
    labels: labels.labels,
    rebuild: async () => {
      const { restored, orphans, withdrawnAgain } = await reconcile({ repair: true, olderThanMs: 0 });
      const { labels: present } = await labels.counts();
      return {
        added: restored,
        present: present - restored,
        missing: 0,
        withdrawn: withdrawnAgain,
        unknown: orphans,
      };
    },
    counts: labels.counts,
    ...cachedRows,
    ...stateRows(db),
    contacts: contactRows(db),
    ready: readiness(db, migration, () => Promise.all([probe(), bytes.probeWritable()])),
    async close() {
      if (closed) return;
      closed = true;
      migration.stop();
      watch.stop();
      await Promise.all([db.close(), redis.close()]);
    },
  };
}

/** Checks that the database has our schema and that database and bucket are writable. */
function readiness(
  db: Postgres,
  migration: Awaited<ReturnType<typeof startMigration>>,
  probe: () => Promise<unknown>,
): Store['ready'] {
  const schemaVersion = db.one<[number]>('SELECT max(version) FROM schema_version');
  return createReadiness(async () => {
    if (!migration.done) throw new StoreUnavailable('The database has not been migrated yet.');
    const [version] = (await schemaVersion()) ?? [0];
    if (version < SCHEMA_VERSION) {
      // An older backup was restored while we run.
      migration.restart();
      throw new StoreUnavailable(
        `The database has version ${version}, this program needs ${SCHEMA_VERSION}.`,
      );
    }
    await probe();
  });
}
