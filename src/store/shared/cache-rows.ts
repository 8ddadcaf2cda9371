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
import { fencingTokenFor } from './leases.ts';
import { DB_NOW, type Postgres } from './postgres.ts';

/** Every 64th write also deletes some expired rows. */
const DELETE_EVERY = 64;

/** Data that can be fetched or computed again: misses, responses, texts, readings, counts of source requests. */
export function cacheRows(db: Postgres) {
  const miss = db.one<[string, Miss['kind'], string, number, number]>(
    `SELECT source, kind, why, at - ${DB_NOW}, until - ${DB_NOW} FROM misses WHERE vin = $1 AND until > ${DB_NOW}`,
  );
  // Not for a VIN with an intact label, and not over an unexpired miss with a higher fencing token.
  const keepMiss = db.run(`INSERT INTO misses (vin, source, kind, why, at, until, token)
    SELECT $1::text, $2, $3, $4, ${DB_NOW} - $5::bigint, ${DB_NOW} + $6::bigint, $7::bigint WHERE NOT EXISTS (SELECT FROM labels WHERE vin = $1::text AND damaged IS NULL)
    ON CONFLICT (vin) DO UPDATE SET source = excluded.source, kind = excluded.kind, why = excluded.why,
      at = excluded.at, until = excluded.until, token = excluded.token
    WHERE misses.token <= excluded.token OR misses.until <= excluded.at`);
  const deleteExpiredMisses = db.run(
    `DELETE FROM misses WHERE vin IN (SELECT vin FROM misses WHERE until <= ${DB_NOW} ORDER BY until LIMIT 256)`,
  );
  const forget = db.run(
    'WITH gone AS (DELETE FROM misses WHERE vin = $1) DELETE FROM answers WHERE vin = $1',
  );
  const cachedResponse = db.one<[string, string, string]>(
    'SELECT body, etag, version FROM answers WHERE vin = $1',
  );
  const cacheResponse = db.run(`INSERT INTO answers (vin, body, etag, version) VALUES ($1, $2, $3, $4)
    ON CONFLICT (vin) DO UPDATE SET body = excluded.body, etag = excluded.etag, version = excluded.version`);
  const dropCachedResponse = db.run('DELETE FROM answers WHERE vin = $1');
  const text = db.one<[Buffer]>('SELECT body FROM texts WHERE sha256 = $1');
  const keepText = db.run(`INSERT INTO texts (sha256, body) VALUES ($1, $2)
    ON CONFLICT (sha256) DO UPDATE SET body = excluded.body`);
  const reading = db.one<[Buffer]>('SELECT body FROM readings WHERE sha256 = $1 AND reader = $2');
  const keepReading = db.run(`INSERT INTO readings (sha256, reader, body) VALUES ($1, $2, $3)
    ON CONFLICT (sha256) DO UPDATE SET reader = excluded.reader, body = excluded.body`);
  const forgetBytes = db.run(
    'WITH gone AS (DELETE FROM texts WHERE sha256 = $1) DELETE FROM readings WHERE sha256 = $1',
  );
  const countSourceRequest =
    db.run(`INSERT INTO asks AS a (hour, source, outcome, bucket, count) VALUES ($1, $2, $3, $4, 1)
    ON CONFLICT (hour, source, outcome, bucket) DO UPDATE SET count = a.count + 1`);
  const requestCounts = db.all<[number, string, SourceOutcome, number, number]>(
    'SELECT hour, source, outcome, bucket, count FROM asks WHERE hour >= $1',
  );
  const deleteOldRequestCounts = db.run('DELETE FROM asks WHERE hour < $1');
  const probe = db.run('UPDATE probe SET at = $1');
  let writes = 0;
  const deletionDue = () => ++writes % DELETE_EVERY === 0;

  return {
    miss: async (vin: string): Promise<Miss | null> => {
      const row = await miss(vin);
      if (!row) return null;
      const [source, kind, why, at, until] = row;
      const now = Date.now();
      return { vin, source, kind, why, at: now + at, until: now + until };
    },
    keepMiss: async ({ vin, source, kind, why, at, until }: Miss): Promise<void> => {
      const now = Date.now();
      await keepMiss(vin, source, kind, why, Math.max(0, now - at), until - now, fencingTokenFor(vin));
      if (deletionDue()) await deleteExpiredMisses();
    },
    forget: async (vin: string): Promise<void> => {
      await forget(vin);
    },
    /** Deletes the text and the reading of a label. */
    forgetBytes: async (sha256: string): Promise<void> => {
      await forgetBytes(sha256);
    },
    cachedResponse: async (vin: string): Promise<StoredResponse | null> => {
      const row = await cachedResponse(vin);
      return row && { body: row[0], etag: row[1], version: row[2] };
    },
    cacheResponse: async (vin: string, { body, etag, version }: StoredResponse): Promise<void> => {
      await cacheResponse(vin, body, etag, version);
    },
    dropCachedResponse: async (vin: string): Promise<void> => {
      await dropCachedResponse(vin);
    },
    text: async (sha256: string): Promise<LabelText | null> => {
      const row = await text(sha256);
      return row && decompressJson<LabelText>(row[0]);
    },
    keepText: async (sha256: string, value: LabelText): Promise<void> => {
      await keepText(sha256, compressJson(value));
    },
    reading: async (sha256: string, reader: string): Promise<Reading | null> => {
      const row = await reading(sha256, reader);
      return row && decompressJson<Reading>(row[0]);
    },
    keepReading: async (sha256: string, value: Reading): Promise<void> => {
      await keepReading(sha256, value.reader, compressJson(value));
    },
    countSourceRequest: async (
      source: string,
      at: number,
      outcome: SourceOutcome,
      ms: number,
    ): Promise<void> => {
      try {
        await countSourceRequest(hourOf(at), source, outcome, bucketOf(ms));
        if (deletionDue()) await deleteOldRequestCounts(hourOf(Date.now()) - REQUEST_COUNT_HOURS);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    },
    sourceRequests: async (sinceHour: number) => toRequestCounts(await requestCounts(sinceHour)),
    probe: async (): Promise<void> => {
      await probe(Date.now());
    },
  };
}
