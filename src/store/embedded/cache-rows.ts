import type { LabelText, Reading } from '../../reading/types.ts';
import {
  REQUEST_COUNT_HOURS,
  toRequestCounts,
  bucketOf,
  hourOf,
  compressJson,
  decompressJson,
} from '../rows.ts';
import { type SourceOutcome, type StoredResponse, type Miss, StoreUnavailable } from '../legacy-store.ts';
import type { Database } from './database.ts';

/** Every 64th write also deletes some expired rows. */
const DELETE_EVERY = 64;
const DELETE_ROWS = 256;

/** Data that can be fetched or computed again: misses, responses, texts, readings, counts of source requests. */
export function cacheRows(db: Database) {
  const miss = db.one<[string, string, Miss['kind'], string, number, number]>(
    'SELECT vin, source, kind, why, at, until FROM misses WHERE vin = ? AND until > ?',
  );
  const keepMiss = db.run(
    'INSERT OR REPLACE INTO misses (vin, source, kind, why, at, until) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const dropMiss = db.run('DELETE FROM misses WHERE vin = ?');
  const deleteExpiredMisses = db.run(
    'DELETE FROM misses WHERE rowid IN (SELECT rowid FROM misses WHERE until <= ? ORDER BY until LIMIT ?)',
  );
  const cachedResponse = db.oneFromSnapshot<[string, string, string, string]>(
    'SELECT vin, body, etag, version FROM answers WHERE place = ?',
  );
  const cacheResponse = db.run(
    'INSERT OR REPLACE INTO answers (place, vin, body, etag, version) VALUES (?, ?, ?, ?, ?)',
  );
  const dropCachedResponse = db.run('DELETE FROM answers WHERE place = ?');
  const text = db.one<[Uint8Array]>('SELECT body FROM texts WHERE sha256 = ?');
  const keepText = db.run('INSERT OR REPLACE INTO texts (sha256, body) VALUES (?, ?)');
  const reading = db.one<[Uint8Array]>('SELECT body FROM readings WHERE sha256 = ? AND reader = ?');
  const keepReading = db.run('INSERT OR REPLACE INTO readings (sha256, reader, body) VALUES (?, ?, ?)');
  const dropText = db.run('DELETE FROM texts WHERE sha256 = ?');
  const dropReading = db.run('DELETE FROM readings WHERE sha256 = ?');
  const countSourceRequest =
    db.run(`INSERT INTO asks (hour, source, outcome, bucket, count) VALUES (?, ?, ?, ?, 1)
    ON CONFLICT (hour, source, outcome, bucket) DO UPDATE SET count = count + 1`);
  const requestCounts = db.all<[number, string, SourceOutcome, number, number]>(
    'SELECT hour, source, outcome, bucket, count FROM asks WHERE hour >= ?',
  );
  const deleteOldRequestCounts = db.run(
    'DELETE FROM asks WHERE rowid IN (SELECT rowid FROM asks WHERE hour < ? LIMIT ?)',
  );
  const probe = db.run('UPDATE probe SET at = ?');
  let writes = 0;
  const deletionDue = () => ++writes % DELETE_EVERY === 0;

  return {
    miss(vin: string): Miss | null {
      const row = miss(vin, Date.now());
      if (!row) return null;
      const [, source, kind, why, at, until] = row;
      return { vin, source, kind, why, at, until };
    },
    keepMiss({ vin, source, kind, why, at, until }: Miss): void {
      keepMiss(vin, source, kind, why, at, until);
      if (deletionDue()) deleteExpiredMisses(Date.now(), DELETE_ROWS);
    },
    forget: (vin: string): void => {
      dropMiss(vin);
      dropCachedResponse(vinKey(vin));
    },
    /** Deletes the text and the reading of a label. */
    forgetBytes: (sha256: string): void => {
      dropText(sha256);
      dropReading(sha256);
    },
    cachedResponse(vin: string): StoredResponse | null {
      const row = cachedResponse(vinKey(vin));
      return row?.[0] === vin ? { body: row[1], etag: row[2], version: row[3] } : null;
    },
    cacheResponse(vin: string, { body, etag, version }: StoredResponse): void {
      cacheResponse(vinKey(vin), vin, body, etag, version);
    },
    dropCachedResponse(vin: string): void {
      dropCachedResponse(vinKey(vin));
    },
    text(sha256: string): LabelText | null {
      const row = text(sha256);
      return row && decompressJson<LabelText>(row[0]);
    },
    keepText(sha256: string, value: LabelText): void {
      keepText(sha256, compressJson(value));
    },
    reading(sha256: string, reader: string): Reading | null {
      const row = reading(sha256, reader);
      return row && decompressJson<Reading>(row[0]);
    },
    keepReading(sha256: string, value: Reading): void {
      keepReading(sha256, value.reader, compressJson(value));
    },
    countSourceRequest(source: string, at: number, outcome: SourceOutcome, ms: number): void {
      try {
        countSourceRequest(hourOf(at), source, outcome, bucketOf(ms));
        if (deletionDue()) deleteOldRequestCounts(hourOf(Date.now()) - REQUEST_COUNT_HOURS, DELETE_ROWS);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    },
    sourceRequests: (sinceHour: number) => toRequestCounts(requestCounts(sinceHour)),
    probe: (): void => {
      probe(Date.now());
    },
  };
}

/**
 * Hashes a VIN to an integer below 2⁵³, used as the rowid: SQLite finds a row by its rowid with one search instead of two.
 * Two VINs may collide, so compare the row's VIN.
 */
export function vinKey(vin: string): number {
  let high = 0x811c9dc5 | 0;
  let low = 0x01234567;
  for (let index = 0; index < vin.length; index++) {
    const code = vin.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = (Math.imul(low ^ code, 0x5bd1e995) + index) | 0;
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
