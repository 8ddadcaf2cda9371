import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Sql } from './sql.ts';
import type {
  HeldLabel,
  Miss,
  SourceOutcome,
  SourceRequestCount,
  SourceSwitch,
  Store,
  VinRow,
  Withdrawal,
} from './store.ts';

/** Every 64th miss also deletes some expired ones, and every 64th count old ones. */
const DELETE_EVERY = 64;

const NO_MISS = 'miss = NULL, miss_at = NULL, miss_until = NULL';

type Row = [
  label: string | null,
  damaged: number | null,
  miss: string | null,
  missAge: number | null,
  missLasts: number | null,
  withdrawn: string | null,
  withdrawnAt: number | null,
];

export type VinRows = ReturnType<typeof vinRows>;

/** The one row per VIN. Times of misses are by the database's clock, because an instance's own clock may be wrong. */
export function vinRows(sql: Sql) {
  const one = sql.one<Row>(`
    SELECT label, damaged, miss, now_ms() - miss_at, miss_until - now_ms(), withdrawn, withdrawn_at
      FROM vins WHERE vin = $1`);
  const add = sql.run(`
    INSERT INTO vins (vin, label, make, bytes, sha256) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (vin) DO UPDATE SET label = excluded.label, make = excluded.make, bytes = excluded.bytes,
      sha256 = excluded.sha256, damaged = NULL, ${NO_MISS}
    WHERE vins.withdrawn IS NULL AND (vins.sha256 IS NULL OR vins.sha256 = $6)`);
  const setLabel = sql.run('UPDATE vins SET label = $3 WHERE vin = $1 AND sha256 = $2');
  const markDamaged = sql.run('UPDATE vins SET damaged = now_ms() WHERE vin = $1 AND sha256 = $2');
  const clearDamaged = sql.run('UPDATE vins SET damaged = NULL WHERE vin = $1 AND sha256 = $2');
  const addMiss = sql.run(`
    INSERT INTO vins (vin, miss, miss_at, miss_until)
    VALUES ($1, $2, now_ms() - CAST($3 AS bigint), now_ms() + CAST($4 AS bigint))
    ON CONFLICT (vin) DO UPDATE SET miss = excluded.miss, miss_at = excluded.miss_at, miss_until = excluded.miss_until
    WHERE vins.withdrawn IS NULL AND (vins.label IS NULL OR vins.damaged IS NOT NULL)`);
  // The outer conditions count: a label may be added between the two reads.
  const deleteExpired = sql.run(`
    DELETE FROM vins WHERE label IS NULL AND withdrawn IS NULL AND miss_until <= now_ms() AND vin IN (
      SELECT vin FROM vins WHERE label IS NULL AND withdrawn IS NULL AND miss_until <= now_ms() LIMIT 256)`);
  const withdraw = sql.run(`
    INSERT INTO vins (vin, withdrawn, withdrawn_at, withdrawn_changed) VALUES ($1, $2, $3, now_ms())
    ON CONFLICT (vin) DO UPDATE SET label = NULL, make = NULL, bytes = NULL, sha256 = NULL, damaged = NULL, ${NO_MISS},
      withdrawn = excluded.withdrawn, withdrawn_at = coalesce(vins.withdrawn_at, excluded.withdrawn_at),
      withdrawn_changed = excluded.withdrawn_changed`);
  // Its row says nothing else: it has no label and no miss.
  const endWithdrawal = sql.run('DELETE FROM vins WHERE vin = $1 AND withdrawn IS NOT NULL');
  // Without ORDER BY, for which SQLite would read every row instead of the index.
  const withdrawals = sql.all<[string, string, number]>(
    'SELECT vin, withdrawn, withdrawn_at FROM vins WHERE withdrawn_changed IS NOT NULL',
  );
  const withdrawnSince = sql.all<[string]>('SELECT vin FROM vins WHERE withdrawn_changed > $1');
  const now = sql.one<[number]>('SELECT now_ms()');
  const page = sql.all<[string, number | null]>(
    'SELECT label, damaged FROM vins WHERE vin > $1 AND label IS NOT NULL ORDER BY vin LIMIT $2',
  );
  const makes = sql.all<[string, number, number]>(
    'SELECT make, count(*), CAST(sum(bytes) AS bigint) FROM vins WHERE make IS NOT NULL GROUP BY make ORDER BY make',
  );
  let misses = 0;

  async function find(vin: string): Promise<VinRow> {
    const row = await one(vin);
    if (!row) return { label: null, miss: null, withdrawal: null };
    const [label, damaged, miss, missAge, missLasts, withdrawn, withdrawnAt] = row;
    return {
      label: label === null ? null : labelOf(label, damaged),
      miss: miss !== null && missLasts! > 0 ? missOf(vin, miss, missAge!, missLasts!) : null,
      withdrawal: withdrawn === null ? null : { vin, reason: withdrawn, at: withdrawnAt! },
    };
  }

  return {
    find,
    /** Adds the label unless its VIN has one other than `replaces`, or was withdrawn. Returns the row as it is now. */
    add: async (label: HeldLabel, replaces: HeldLabel | null): Promise<VinRow> => {
      const { vin, make, bytes, sha256 } = label;
      await add(vin, labelJson(label), make, bytes, sha256, replaces?.sha256 ?? '');
      return find(vin);
    },
    updateRead: async (vin: string, { paint, car, reader }: Pick<HeldLabel, 'paint' | 'car' | 'reader'>) => {
      const { label } = await find(vin);
      if (label) await setLabel(vin, label.sha256, labelJson({ ...label, paint, car, reader }));
    },
    markDamaged: ({ vin, sha256 }: HeldLabel) => markDamaged(vin, sha256),
    clearDamaged: ({ vin, sha256 }: HeldLabel) => clearDamaged(vin, sha256),
    addMiss: async ({ vin, source, kind, why, at, until }: Miss): Promise<void> => {
      const asked = Date.now();
      await addMiss(vin, JSON.stringify({ source, kind, why }), Math.max(0, asked - at), until - asked);
      if (++misses % DELETE_EVERY === 0) await deleteExpired();
    },
    withdraw: ({ vin, reason, at }: Withdrawal) => withdraw(vin, reason, at),
    endWithdrawal: (vin: string) => endWithdrawal(vin),
    withdrawals: async (): Promise<Withdrawal[]> =>
      (await withdrawals())
        .map(([vin, reason, at]) => ({ vin, reason, at }))
        .sort((one, other) => (one.vin < other.vin ? -1 : 1)),
    /** VINs whose withdrawal was written after this time of the database's clock. */
    withdrawnSince: async (ms: number): Promise<string[]> => (await withdrawnSince(ms)).map(([vin]) => vin),
    now: async (): Promise<number> => (await now())![0],
    labels: async (after: string | null, limit: number): Promise<HeldLabel[]> =>
      (await page(after ?? '', limit)).map(([label, damaged]) => labelOf(label, damaged)),
    counts: async () => {
      const rows = await makes();
      return {
        labels: rows.reduce((sum, [, labels]) => sum + labels, 0),
        bytes: rows.reduce((sum, [, , bytes]) => sum + bytes, 0),
        byMake: Object.fromEntries(rows.map(([make, labels]) => [make, labels])),
      };
    },
  };
}

/** The label as it is in its row and in the file beside its bytes. */
export const labelJson = (label: HeldLabel): string => JSON.stringify({ ...label, damaged: undefined });

function labelOf(json: string, damaged: number | null): HeldLabel {
  const label = JSON.parse(json) as HeldLabel;
  return damaged === null ? label : { ...label, damaged: true };
}

function missOf(vin: string, json: string, age: number, lasts: number): Miss {
  const { source, kind, why } = JSON.parse(json) as Pick<Miss, 'source' | 'kind' | 'why'>;
  const now = Date.now();
  return { vin, source, kind, why, at: now - age, until: now + lasts };
}

/** Counts are kept for 100 days: the status page shows 90. */
const REQUEST_COUNT_HOURS = 100 * 24;
/** More than any text, reading or preview, compressed or not. */
const MAX_BYTES = 16 * 2 ** 20;

/** What can be computed again, in one table by VIN, kind and version, and the counts of requests to sources. */
export function cacheRows(sql: Sql) {
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
  const counts = sql.all<CountRow>(
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
    /** Deletes everything cached for a VIN. */
    forget,
    /** Rejects when the database can't be written. */
    probe,
  } satisfies Partial<Store> & Record<'forget' | 'probe', unknown>;
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

type CountRow = [hour: number, source: string, outcome: SourceOutcome, bucket: number, count: number];

/** Sums by hour and source, oldest first. */
function toRequestCounts(rows: readonly CountRow[]): SourceRequestCount[] {
  const groups = Map.groupBy(rows, ([hour, source]) => `${hour} ${source}`);
  return Array.from(groups.values(), (group) => {
    const [[hour, source]] = group as [CountRow];
    const sums = { label: 0, none: 0, refused: 0, failed: 0 };
    for (const [, , outcome, , count] of group) sums[outcome] += count;
    return { source, hour, ...sums, medianMs: medianMs(group) };
  }).sort((a, b) => a.hour - b.hour || (a.source < b.source ? -1 : 1));
}

function medianMs(rows: readonly CountRow[]): number | null {
  let left = rows.reduce((sum, [, , , , count]) => sum + count, 0) / 2;
  for (const [, , , bucket, count] of rows.toSorted(([, , , a], [, , , b]) => a - b)) {
    left -= count;
    if (left <= 0) return msOf(bucket);
  }
  return null;
}

/** In the column `state`, where it means `off` as well: the schema has no column for it. */
const WITHHELD = 'withheld';
type StoredState = SourceSwitch['state'] | typeof WITHHELD;

const stateOf = (stored: StoredState) => (stored === WITHHELD ? 'off' : stored);

/** Switches of sources, their history, and key-value pairs. */
export function stateRows(sql: Sql) {
  const switches = sql.all<[string, StoredState, string | null, number]>(
    'SELECT source, state, reason, since FROM switches ORDER BY source',
  );
  const setSwitch = sql.run(`
    INSERT INTO switches (source, state, reason, since) VALUES ($1, $2, $3, $4)
    ON CONFLICT (source) DO UPDATE SET state = excluded.state, reason = excluded.reason, since = excluded.since
      WHERE switches.state <> excluded.state OR switches.reason IS DISTINCT FROM excluded.reason`);
  const addChange = sql.run(
    'INSERT INTO changes (source, at, state, reason) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
  );
  const changes = sql.all<[string, number, StoredState, string | null]>(
    'SELECT source, at, state, reason FROM changes ORDER BY at DESC, source DESC LIMIT $1',
  );
  const value = sql.one<[string]>('SELECT value FROM notes WHERE key = $1 AND until > $2');
  const setValue = sql.run(`INSERT INTO notes (key, value, until) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, until = excluded.until`);
  const deleteExpired = sql.run('DELETE FROM notes WHERE until <= $1');
  const values = sql.all<[string, string, number]>(
    'SELECT key, value, until FROM notes WHERE key > $1 AND until > $2 ORDER BY key LIMIT $3',
  );

  return {
    switches: async () =>
      (await switches()).map(([source, stored, reason, since]) => {
        const row: SourceSwitch = { source, state: stateOf(stored), reason, since };
        return stored === WITHHELD ? { ...row, withheld: true } : row;
      }),
    async setSwitch({ source, state, reason, since, withheld }) {
      const stored: StoredState = withheld ? WITHHELD : state;
      const isNew = (await setSwitch(source, stored, reason, since)) > 0;
      if (isNew) await addChange(source, since, stored, reason);
    },
    changes: async (limit) =>
      (await changes(limit)).map(([source, at, stored, reason]) => ({
        source,
        at,
        state: stateOf(stored),
        reason,
      })),
    async addChanges(past) {
      for (const { source, at, state, reason } of past) await addChange(source, at, state, reason);
    },
    value: async (key) => (await value(key, Date.now()))?.[0] ?? null,
    async setValue(key, text, until) {
      await setValue(key, text, until);
      await deleteExpired(Date.now());
    },
    values: async (after, limit) =>
      (await values(after ?? '', Date.now(), limit)).map(([key, text, until]) => ({
        key,
        value: text,
        until,
      })),
  } satisfies Partial<Store>;
}
