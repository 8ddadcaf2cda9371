import type { Paint } from '../../reading/types.ts';
import { heldLabel, LABEL_COLUMNS as COLUMNS, READ_COLUMNS, type LabelRow as Row } from '../rows.ts';
import type { HeldLabel } from '../store.ts';
import { fencingTokenFor } from './fencing-token.ts';
import type { Postgres } from './postgres.ts';

export type LabelRows = ReturnType<typeof labelRows>;

export function labelRows(db: Postgres) {
  const one = db.one<Row>(`SELECT ${READ_COLUMNS} FROM labels WHERE vin = $1`);
  // `reconcile` takes the same lock exclusively while it removes bytes without a row.
  const add =
    db.run(`WITH swept AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(hashtextextended($7::text, 0)))
    INSERT INTO labels (${COLUMNS}, token)
    SELECT $1::text, $2, $3, $4, $5::bigint, $6::bigint, $7::text, $8, $9, $10, $12::bigint FROM swept
    ON CONFLICT (vin) DO UPDATE SET make = excluded.make, source = excluded.source, host = excluded.host,
      fetched = excluded.fetched, bytes = excluded.bytes, sha256 = excluded.sha256, color = excluded.color,
      code = excluded.code, reader = excluded.reader, token = excluded.token, damaged = NULL
    WHERE labels.sha256 = $11 AND labels.token <= excluded.token`);
  const remove = db.one<[string]>('DELETE FROM labels WHERE vin = $1 RETURNING sha256');
  const setDamaged = db.run('UPDATE labels SET damaged = $3::bigint WHERE vin = $1 AND sha256 = $2');
  const setPaint = db.run('UPDATE labels SET color = $2, code = $3, reader = $4 WHERE vin = $1');
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
    add: async (fresh: HeldLabel, replaces: HeldLabel | null): Promise<HeldLabel | null> => {
      const { vin, make, source, host, fetched, bytes, sha256, reader } = fresh;
      const { color = null, code = null } = fresh.paint ?? {};
      const replaced = replaces?.sha256 ?? '';
      const token = fencingTokenFor(vin);
      await add(vin, make, source, host, fetched, bytes, sha256, color, code, reader, replaced, token);
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
    updatePaint: async (vin: string, paint: Paint | null, reader: string): Promise<void> => {
      await setPaint(vin, paint?.color ?? null, paint?.code ?? null, reader);
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
