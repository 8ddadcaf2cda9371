import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Sql } from './sql.ts';
import type { HeldLabel, SourceOutcome, SourceRequestCount, Store } from './store.ts';

type CacheMethods = 'cached' | 'cache' | 'preview' | 'cachePreview' | 'countSourceRequest' | 'sourceRequests';

/** What can be computed again, in one table by VIN, kind and version, and the counts of requests to sources. */
export interface CacheRows extends Pick<Store, CacheMethods> {
  /** Deletes everything cached for a VIN. */
  forget(vin: string): Promise<void>;
  /** Rejects when the database can't be written. */
  probe(): Promise<void>;
}

/** Counts are kept for 100 days: the status page shows 90. */
const REQUEST_COUNT_HOURS = 100 * 24;
/** More than any text, reading or preview, compressed or not. */
const MAX_BYTES = 16 * 2 ** 20;
/** Every 64th count also deletes old ones. */
const DELETE_EVERY = 64;

export function cacheRows(sql: Sql): CacheRows {
  const read = sql.one<[string, Uint8Array]>(
    `SELECT version, body FROM cache WHERE vin = $1 AND kind = $2 AND length(body) <= ${MAX_BYTES}`,
  );
  const write = sql.run(`
    INSERT INTO cache (vin, kind, version, body) VALUES ($1, $2, $3, $4)
    ON CONFLICT (vin, kind) DO UPDATE SET version = excluded.version, body = excluded.body`);
  const forget = sql.run('DELETE FROM cache WHERE vin = $1');
  const count = sql.run(`
    INSERT INTO requests (hour, source, outcome, bucket, count) VALUES ($1, $2, $3, $4, 1)
    ON CONFLICT (hour, source, outcome, bucket) DO UPDATE SET count = requests.count + 1`);
  const counts = sql.all<[number, string, SourceOutcome, number, number]>(
    'SELECT hour, source, outcome, bucket, count FROM requests WHERE hour >= $1',
  );
  const deleteCounts = sql.run('DELETE FROM requests WHERE hour < $1');
  const probe = sql.run('UPDATE probe SET at = now_ms()');
  let counted = 0;

  /** The digest is part of the version, so what was computed from replaced bytes is never returned. */
  const versionOf = ({ sha256 }: HeldLabel, version: string) => `${sha256} ${version}`;

  async function readBody(vin: string, kind: string, version: string): Promise<Uint8Array | null> {
    const row = await read(vin, kind);
    return row?.[0] === version ? row[1] : null;
  }

  return {
    async cached(label, kind, version) {
      const body = await readBody(label.vin, kind, versionOf(label, version));
      return body && decompressJson(body);
    },
    cache: async (label, kind, version, value) =>
      void (await write(label.vin, kind, versionOf(label, version), compressJson(value))),
    async preview(label, width) {
      const body = await readBody(label.vin, `preview-${width}`, versionOf(label, ''));
      return body && Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    },
    cachePreview: async (label, width, webp) =>
      void (await write(label.vin, `preview-${width}`, versionOf(label, ''), webp)),
    async countSourceRequest(source, at, outcome, ms) {
      await count(hourOf(at), source, outcome, bucketOf(ms));
      if (++counted % DELETE_EVERY === 0) await deleteCounts(hourOf(at) - REQUEST_COUNT_HOURS);
    },
    sourceRequests: async (sinceHour) => toRequestCounts(await counts(sinceHour)),
    forget: async (vin) => void (await forget(vin)),
    probe: async () => void (await probe()),
  };
}

// Zstandard at its default level shrinks a label's text from 30 KB to 8 KB in a third of a millisecond. Its checksum,
// because SQLite doesn't notice if a disk changes the bytes of a row.
const WITH_CHECKSUM = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

function compressJson(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value), WITH_CHECKSUM);
}

/** Null if the bytes are damaged or decompress to too many: everything compressed here can be computed again. */
function decompressJson<T>(bytes: Uint8Array): T | null {
  try {
    return JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES }).toString()) as T;
  } catch {
    return null;
  }
}

const hourOf = (at: number): number => Math.floor(at / 3_600_000);

/** Four buckets per doubling, so a median is accurate to about a tenth; 10 s falls into bucket 53. */
const bucketOf = (ms: number): number => Math.round(4 * Math.log2(Math.max(0, ms) + 1));

const msOf = (bucket: number): number => Math.round(2 ** (bucket / 4) - 1);

/** Groups rows of (hour, source, outcome, bucket, count) by hour and source, oldest first. */
function toRequestCounts(
  rows: Iterable<[number, string, SourceOutcome, number, number]>,
): SourceRequestCount[] {
  const hours = new Map<string, { count: SourceRequestCount; times: Map<number, number> }>();
  for (const [hour, source, outcome, bucket, n] of rows) {
    const key = `${hour} ${source}`;
    let entry = hours.get(key);
    if (!entry) {
      entry = {
        count: { source, hour, label: 0, none: 0, refused: 0, failed: 0, medianMs: null },
        times: new Map(),
      };
      hours.set(key, entry);
    }
    entry.count[outcome] += n;
    entry.times.set(bucket, (entry.times.get(bucket) ?? 0) + n);
  }
  return [...hours.values()]
    .map(({ count, times }) => ({ ...count, medianMs: median(times) }))
    .sort((a, b) => a.hour - b.hour || (a.source < b.source ? -1 : 1));
}

function median(times: Map<number, number>): number | null {
  const buckets = [...times].sort(([a], [b]) => a - b);
  let left = buckets.reduce((sum, [, n]) => sum + n, 0) / 2;
  for (const [bucket, n] of buckets) {
    left -= n;
    if (left <= 0) return msOf(bucket);
  }
  return null;
}
