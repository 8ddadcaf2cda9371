import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  heldLabel,
  LABEL_COLUMNS as COLUMNS,
  READ_COLUMNS,
  readColumns,
  type LabelRow as Row,
} from '../rows.ts';
import { type HeldLabel, LabelMissing, StoreUnavailable } from '../legacy-store.ts';
import type { Bucket } from './bucket.ts';
import { fencingTokenFor } from './leases.ts';
import type { Postgres } from './postgres.ts';

export type LabelRows = ReturnType<typeof labelRows>;

export function labelRows(db: Postgres) {
  const one = db.one<Row>(`SELECT ${READ_COLUMNS} FROM labels WHERE vin = $1`);
  // A damaged label may be replaced with any token, because the clock that its own token came from may have been fast. A
  // successor that restored it has removed the mark.
  // `reconcile` takes the same lock exclusively while it removes bytes without a row.
  const add =
    db.run(`WITH swept AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(hashtextextended($7::text, 0)))
    INSERT INTO labels (${COLUMNS}, token)
    SELECT $1::text, $2, $3, $4, $5::bigint, $6::bigint, $7::text, $8, $9, $10, $11, $13::bigint FROM swept
    ON CONFLICT (vin) DO UPDATE SET make = excluded.make, source = excluded.source, host = excluded.host,
      fetched = excluded.fetched, bytes = excluded.bytes, sha256 = excluded.sha256, color = excluded.color,
      code = excluded.code, reader = excluded.reader, car = excluded.car, token = excluded.token, damaged = NULL
    WHERE labels.sha256 = $12 AND (labels.token <= excluded.token OR labels.damaged IS NOT NULL)`);
  const remove = db.one<[string]>('DELETE FROM labels WHERE vin = $1 RETURNING sha256');
  const setDamaged = db.run('UPDATE labels SET damaged = $3::bigint WHERE vin = $1 AND sha256 = $2');
  const setRead = db.run('UPDATE labels SET color = $2, code = $3, reader = $4, car = $5 WHERE vin = $1');
  const pageAfter = db.all<Row>(`SELECT ${READ_COLUMNS} FROM labels WHERE vin > $1 ORDER BY vin LIMIT $2`);
  const withBytes = db.all<[string]>('SELECT DISTINCT sha256 FROM labels WHERE sha256 = ANY ($1::text[])');
  const withVins = db.all<[string]>('SELECT vin FROM labels WHERE vin = ANY ($1::text[])');
  const makes = db.all<[string, number, number]>(
    'SELECT make, labels, bytes FROM makes WHERE labels > 0 ORDER BY make',
  );

  const label = async (vin: string): Promise<HeldLabel | null> => {
    const row = await one(vin);
    return row && heldLabel(row);
  };
  return {
    label,
    /** Adds the label unless its VIN has one other than `replaces`. Returns the VIN's label, or null when it was withdrawn. */
    add: async (newLabel: HeldLabel, replaces: HeldLabel | null): Promise<HeldLabel | null> => {
      const { vin, make, source, host, fetched, bytes, sha256 } = newLabel;
      const { color, code, reader, car } = readColumns(newLabel);
      const replaced = replaces?.sha256 ?? '';
      const token = fencingTokenFor(vin);
      await add(vin, make, source, host, fetched, bytes, sha256, color, code, reader, car, replaced, token);
      return label(vin);
    },
    /** Returns the SHA-256 of the removed label. */
    remove: async (vin: string): Promise<string | null> => (await remove(vin))?.[0] ?? null,
    markDamaged: async (vin: string, sha256: string): Promise<void> => {
      await setDamaged(vin, sha256, Date.now());
    },
    clearDamaged: async (vin: string, sha256: string): Promise<void> => {
      await setDamaged(vin, sha256, null);
    },
    updateRead: async (vin: string, read: Pick<HeldLabel, 'paint' | 'car' | 'reader'>): Promise<void> => {
      const { color, code, reader, car } = readColumns(read);
      await setRead(vin, color, code, reader, car);
    },
    labels: async (after: string | null, limit: number) =>
      (await pageAfter(after ?? '', limit)).map(heldLabel),
    /** Those of these digests that belong to a label. */
    digestsHeld: async (digests: string[]) => new Set((await withBytes(digests)).map(([sha256]) => sha256)),
    /** Those of these VINs that have a label. */
    vinsHeld: async (vins: string[]) => new Set((await withVins(vins)).map(([vin]) => vin)),
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

/** About ten megabytes. */
const MAX_CACHED_ROWS = 20_000;

export type RowCopies = ReturnType<typeof rowCopies>;

/**
 * Finds labels while PostgreSQL is down: recent ones in memory, others by a copy of their row in the bucket. Only
 * PostgreSQL can say that there is no label; without it that is unknown.
 */
export function rowCopies(rows: LabelRows, bucket: Bucket) {
  const cache = new LRUCache<string, HeldLabel>({ max: MAX_CACHED_ROWS });
  const keyOf = (vin: string) => `rows/${vin}.json`;

  /** The copy of a row; null if there is none or it is malformed. */
  async function copyOf(vin: string): Promise<HeldLabel | null> {
    try {
      return JSON.parse((await bucket.get(keyOf(vin))).toString()) as HeldLabel;
    } catch (error) {
      if (error instanceof LabelMissing || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  async function findWithoutRows(vin: string): Promise<HeldLabel | null> {
    const cached = cache.get(vin);
    if (cached) return cached;
    const label = await copyOf(vin).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    });
    if (label) cache.set(vin, label);
    return label;
  }

  return {
    label: async (vin: string): Promise<HeldLabel | null> => {
      try {
        const label = await rows.label(vin);
        if (label) cache.set(vin, label);
        else cache.delete(vin);
        return label;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        const label = await findWithoutRows(vin);
        if (label) return label;
        throw error;
      }
    },
    /** Writes the copy of a row to the bucket. */
    write: async (label: HeldLabel): Promise<void> => {
      const bytes = Buffer.from(JSON.stringify(withoutDamaged(label)));
      await bucket.put(keyOf(label.vin), bytes, hash('sha256', bytes, 'hex'), 'application/json');
      cache.set(label.vin, label);
    },
    copyOf,
    /** Removes the copy and the cached row, so that the label isn't found while PostgreSQL is down either. */
    remove: async (vin: string): Promise<void> => {
      cache.delete(vin);
      await bucket.remove(keyOf(vin));
    },
    forget: (vin: string): void => void cache.delete(vin),
  };
}

/** The label as it is in the copy of its row. */
export function withoutDamaged(label: HeldLabel): HeldLabel {
  const { damaged: _, ...copy } = label;
  return copy;
}
