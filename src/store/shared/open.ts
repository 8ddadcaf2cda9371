import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../../log.ts';
import { type HeldLabel, LabelGone, type Store, StoreUnavailable } from '../store.ts';
import { openBucket } from './bucket.ts';
import { cacheRows } from './cache-rows.ts';
import { contactRows } from './contact-rows.ts';
import { openDiskCache } from './disk-cache.ts';
import { knownLabels } from './known-labels.ts';
import { labelRows } from './label-rows.ts';
import { sharedOneAtATime } from './lease.ts';
import { migrateInTime } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openRedis } from './redis.ts';
import { stateRows } from './state-rows.ts';

/** Of hot labels on each instance's own disk: some three thousand. */
const CACHE_BYTES = 1 << 30;
/** A readiness check is not repeated within this time. */
const READY_MS = 1000;

export interface SharedOptions {
  dataDir: string;
  databaseUrl: string;
  redisUrl: string;
  s3Url: string;
  log: Log;
  cacheBytes?: number;
}

/** Rows in PostgreSQL, bytes in S3, short-lived agreement in Redis: any number of instances. */
export async function openShared(options: SharedOptions): Promise<Store> {
  const { dataDir, databaseUrl, redisUrl, s3Url, log, cacheBytes = CACHE_BYTES } = options;
  // What can be refused comes first: nothing is left open behind a start that fails.
  const bucket = openBucket(s3Url);
  await bucket.probe().catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
    log.error('store: the label bucket is not there yet', { error: error.message });
  });
  const hot = openDiskCache(join(dataDir, 'cache'), cacheBytes);
  const migration = await migrateInTime(databaseUrl, log);
  const db = openPostgres(databaseUrl, log);
  const redis = await openRedis(redisUrl, log);
  const labels = labelRows(db);
  const known = knownLabels(labels, bucket);
  const { forget, probe, ...cached } = cacheRows(db);
  const labelKey = (sha256: string) => `labels/${sha256}.pdf`;
  const previewKey = (sha256: string, width: number) => `previews/${sha256}-${width}.webp`;
  let readyAt = 0;
  let closed = false;

  async function pdf(sha256: string): Promise<Buffer> {
    const near = await hot.get(sha256);
    if (near) return near;
    const bytes = await bucket.get(labelKey(sha256));
    if (hash('sha256', bytes, 'hex') !== sha256)
      throw new LabelGone(`The bytes of label ${sha256} are spoilt.`);
    await hot.put(sha256, bytes);
    return bytes;
  }

  return {
    kind: 'shared',
    together: { once: sharedOneAtATime(redis, log), redis },
    label: known.label,
    async keep(label, bytes) {
      const sha256 = hash('sha256', bytes, 'hex');
      const held = await labels.label(label.vin);
      if (held && (await bucket.size(labelKey(held.sha256))) === held.bytes) return held;
      const fresh: HeldLabel = { ...label, bytes: bytes.byteLength, sha256 };
      await Promise.all([bucket.put(labelKey(sha256), bytes, sha256, 'application/pdf'), known.write(fresh)]);
      const now = await labels.add(fresh, held);
      if (now.sha256 === sha256) await hot.put(sha256, bytes);
      else await known.write(now);
      await forget(label.vin);
      return now;
    },
    async unkeep(vin, sha256) {
      if (!(await labels.remove(vin, sha256))) return;
      await Promise.all([forget(vin), known.remove(vin)]);
      hot.drop(sha256);
      if (!(await labels.hasBytes(sha256))) await bucket.remove(labelKey(sha256));
    },
    async repaint(vin, paint, reader) {
      await labels.repaint(vin, paint, reader);
      const label = await labels.label(vin);
      if (label) await known.write(label);
    },
    pdf,
    async pdfStream(sha256, start, end) {
      const near = await hot.part(sha256, start, end);
      if (near) return near;
      return bucket.part(labelKey(sha256), start, end);
    },
    preview: (sha256, width) =>
      bucket.get(previewKey(sha256, width)).catch((error: unknown) => {
        if (error instanceof LabelGone) return null;
        throw error;
      }),
    keepPreview: (sha256, width, webp) =>
      bucket.put(previewKey(sha256, width), webp, hash('sha256', webp, 'hex'), 'image/webp'),
    labels: labels.labels,
    counts: labels.counts,
    ...cached,
    ...stateRows(db),
    contacts: contactRows(db),
    async ready() {
      if (Date.now() - readyAt < READY_MS) return;
      if (!migration.done)
        throw new StoreUnavailable('The database has not been brought to this version yet.');
      await Promise.all([probe(), bucket.probe()]);
      readyAt = Date.now();
    },
    async close() {
      if (closed) return;
      closed = true;
      migration.stop();
      await Promise.all([db.close(), redis.close()]);
    },
  };
}
