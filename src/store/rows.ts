import type { HeldLabel, Miss, VinRow, Withdrawal } from './store.ts';
import type { Sql } from './sql.ts';

/** Every 64th miss also deletes some expired ones. */
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
