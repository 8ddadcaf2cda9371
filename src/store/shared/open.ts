import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import {
  type BytesCheck,
  type HeldLabel,
  LabelMissing,
  LabelCorrupted,
  LabelWithdrawn,
  type NewLabel,
  type Store,
  StoreUnavailable,
} from '../store.ts';
import { openBucket, UploadMismatch } from './bucket.ts';
import { cacheRows } from './cache-rows.ts';
import { contactRows } from './contact-rows.ts';
import { openDiskCache } from './disk-cache.ts';
import { fetchLeases } from './fetch-leases.ts';
import { rowCopies, withoutDamaged } from './row-copies.ts';
import { labelRows } from './label-rows.ts';
import { sharedSingleFlight } from './shared-single-flight.ts';
import { startMigration, SCHEMA_VERSION } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { MESSAGES_LOST, openRedis } from './redis.ts';
import { stateRows } from './state-rows.ts';
import { openReconcile } from './reconcile.ts';
import { verifiedStream } from './verified-stream.ts';
import { openWithdrawals } from './withdrawals.ts';

/** Size of the disk cache of each instance: about three thousand labels. */
const CACHE_BYTES = 1 << 30;
/** A readiness check is not repeated within this time. */
const READY_MS = 1000;
/** After a successful upload the bucket counts as writable for this long. */
const WRITABLE_MS = 10_000;
/** Longer than the breaker stays open. */
const RETRY_MS = 1200;

const REPLACED = 'monroney:label-replaced';

export interface SharedOptions {
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
  const schemaVersion = db.one<[number]>('SELECT max(version) FROM schema_version');
  const databaseMicros = db.one<[number]>('SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint');
  const labels = labelRows(db);
  const copies = rowCopies(labels, bucket);
  const { forget, forgetBytes, probe, ...cachedRows } = cacheRows(db);
  const labelKey = (sha256: string) => `labels/${sha256}.pdf`;
  const previewKey = (sha256: string, width: number) => `previews/${sha256}-${width}.webp`;
  let readyAt = 0;
  let putAt = -Infinity;
  let closed = false;

  /** Writes an object, because a bucket may be readable but not writable. After a recent upload, reading is enough. */
  async function putProbe(): Promise<void> {
    if (performance.now() - putAt < WRITABLE_MS) return bucket.probe();
    const bytes = Buffer.from('writable\n');
    await bucket.put('probe', bytes, hash('sha256', bytes, 'hex'), 'text/plain');
    putAt = performance.now();
  }

  async function pdf(sha256: string): Promise<Buffer> {
    const cached = await diskCache.get(sha256);
    if (cached) return cached;
    const bytes = await readBack(sha256);
    await diskCache.put(sha256, bytes);
    return bytes;
  }

  /** Reads a label from the bucket and checks its SHA-256; retries once, in case it was corrupted in transit. */
  async function readBack(sha256: string): Promise<Buffer> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const bytes = await bucket.get(labelKey(sha256));
      if (hash('sha256', bytes, 'hex') === sha256) return bytes;
    }
    throw new LabelCorrupted(`The bytes of label ${sha256} are corrupted.`);
  }

  /** An object is missing only when GET, HEAD and the listing agree; any of them may be wrong for a moment. */
  async function checkBytes({ sha256 }: HeldLabel): Promise<BytesCheck> {
    try {
      await readBack(sha256);
      return 'intact';
    } catch (error) {
      if (error instanceof LabelCorrupted) return 'corrupted';
      if (!(error instanceof LabelMissing)) throw error;
    }
    const key = labelKey(sha256);
    if ((await bucket.size(key)) !== null) return 'unclear';
    for await (const page of bucket.list(key)) if (page.length > 0) return 'unclear';
    return 'missing';
  }

  /** Reads a damaged label's bytes once more: they may be back, or in this instance's disk cache. */
  async function recheck(label: HeldLabel): Promise<HeldLabel> {
    if ((await checkBytes(label)) !== 'intact') {
      const cached = await diskCache.get(label.sha256);
      if (!cached) return label;
      await putLabel(label.sha256, cached);
    }
    await labels.clearDamaged(label.vin, label.sha256);
    log.info('store: a damaged label is intact again', { sha256: label.sha256 });
    return withoutDamaged(label);
  }

  const withRecheck = (find: (vin: string) => Promise<HeldLabel | null>) => async (vin: string) => {
    const label = await find(vin);
    return label?.damaged ? recheck(label) : label;
  };

  /** Uploads the bytes and reads them back to verify them. */
  async function putLabel(sha256: string, bytes: Uint8Array): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await bucket.put(labelKey(sha256), bytes, sha256, 'application/pdf');
        await readBack(sha256);
        putAt = performance.now();
        return;
      } catch (error) {
        const isDamaged =
          error instanceof LabelMissing || error instanceof LabelCorrupted || error instanceof UploadMismatch;
        if (isDamaged && attempt === 1) continue;
        throw error instanceof LabelMissing
          ? new StoreUnavailable('The bucket lost a label right after its upload.')
          : error;
      }
    }
  }

  async function add(fresh: HeldLabel, bytes: Uint8Array, replaces: HeldLabel | null): Promise<HeldLabel> {
    if (await withdrawn.withdrawal(fresh.vin)) throw new LabelWithdrawn(fresh.vin);
    await putLabel(fresh.sha256, bytes);
    const stored = await labels.add(fresh, replaces);
    // Checked after writing the row, because withdrawing removes rows after recording the withdrawal.
    if (!stored || (await withdrawn.withdrawal(fresh.vin))) {
      await withdrawn.clear(fresh.vin, fresh.sha256);
      throw new LabelWithdrawn(fresh.vin);
    }
    // Before the row was written, `reconcile` could have removed these bytes as orphans.
    if (stored.sha256 === fresh.sha256 && (await bucket.size(labelKey(fresh.sha256))) === null)
      await putLabel(fresh.sha256, bytes);
    return stored;
  }

  /** Without Redis, other instances notice when they read the bytes. */
  const publishReplaced = (vin: string) =>
    redis.run((client) => client.publish(REPLACED, vin)).catch(() => {});

  async function keep(label: NewLabel, bytes: Uint8Array): Promise<HeldLabel> {
    const sha256 = hash('sha256', bytes, 'hex');
    const held = await withRecheck(labels.label)(label.vin);
    const isIntact = held && !held.damaged && (await bucket.size(labelKey(held.sha256))) === held.bytes;
    if (isIntact && held.sha256 !== sha256) return held;
    // The same label: an earlier attempt may have failed after writing the row, so do the rest again.
    const stored = isIntact ? held : await add({ ...label, bytes: bytes.byteLength, sha256 }, bytes, held);
    if (stored.sha256 === sha256) await diskCache.put(sha256, bytes);
    await forget(label.vin);
    if (held && stored.sha256 !== held.sha256) await publishReplaced(label.vin);
    // The label is stored. Without the copy it just isn't found while PostgreSQL is down.
    await copies.write(stored).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
      log.warn('store: cannot write the copy of a row', { error: error.message });
    });
    return stored;
  }

  const withdrawn = openWithdrawals({
    db,
    bucket,
    labels,
    copies,
    diskCache,
    labelKey,
    forget,
    forgetBytes,
    publishReplaced,
    log,
  });
  const listeners: ((vin: string | null) => void)[] = [];
  redis.subscribe(REPLACED, (vin) => {
    if (vin !== MESSAGES_LOST) copies.forget(vin);
    for (const listener of listeners) listener(vin === MESSAGES_LOST ? null : vin);
  });
  const watch = withdrawn.watch((vin) => {
    for (const listener of listeners) listener(vin);
  });
  const reconcile = openReconcile({ bucket, db, labels, copies, withdrawn, readBack });

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
    label: withRecheck(copies.label),
    // Only verified labels are uploaded.
    prepare: () => () => {},
    keep: (label, bytes) =>
      keep(label, bytes).catch(async (error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
        putAt = -Infinity;
        // Retry: otherwise the label would have to be fetched from the manufacturer again.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        return keep(label, bytes);
      }),
    checkBytes,
    async markDamaged(vin, sha256) {
      await labels.markDamaged(vin, sha256);
      await forget(vin);
      await publishReplaced(vin);
    },
    withdrawal: withdrawn.withdrawal,
    withdrawals: withdrawn.withdrawals,
    withdraw: withdrawn.withdraw,
    onReplaced: (listener) => void listeners.push(listener),
    async updatePaint(vin, paint, reader) {
      await labels.updatePaint(vin, paint, reader);
      const label = await labels.label(vin);
      if (label) await copies.write(label);
    },
    pdf,
    pdfInto: pdf,
    async pdfStream(sha256, start, end) {
      const cached = await diskCache.getRange(sha256, start, end);
      const { stream, totalBytes } = cached ?? (await bucket.getRange(labelKey(sha256), start, end));
      return start === 0 && end + 1 === totalBytes ? verifiedStream(stream, sha256) : stream;
    },
    preview: (sha256, width) =>
      bucket.get(previewKey(sha256, width)).catch((error: unknown) => {
        if (error instanceof LabelMissing) return null;
        throw error;
      }),
    keepPreview: (sha256, width, webp) =>
      bucket.put(previewKey(sha256, width), webp, hash('sha256', webp, 'hex'), 'image/webp'),
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
    async ready() {
      if (Math.abs(Date.now() - readyAt) < READY_MS) return;
      if (!migration.done) throw new StoreUnavailable('The database has not been migrated yet.');
      const [version] = (await schemaVersion()) ?? [0];
      if (version < SCHEMA_VERSION) {
        // An older backup was restored while we run.
        migration.again();
        throw new StoreUnavailable(
          `The database has version ${version}, this program needs ${SCHEMA_VERSION}.`,
        );
      }
      await Promise.all([probe(), putProbe()]);
      readyAt = Date.now();
    },
    async close() {
      if (closed) return;
      closed = true;
      migration.stop();
      watch.stop();
      await Promise.all([db.close(), redis.close()]);
    },
  };
}
