import {
  heldLabel,
  LABEL_COLUMNS as COLUMNS,
  READ_COLUMNS,
  readColumns,
  type LabelRow as Row,
} from '../rows.ts';
import type { HeldLabel } from '../legacy-store.ts';
import type { Database } from './database.ts';

const heldOf = (row: Row | null): HeldLabel | null => row && heldLabel(row);

export type LabelRows = ReturnType<typeof labelRows>;

export function labelRows(db: Database) {
  const byVin = `SELECT ${READ_COLUMNS} FROM labels WHERE vin = ?`;
  const one = db.one<Row>(byVin);
  const oneFromSnapshot = db.oneFromSnapshot<Row>(byVin);
  const insert = db.run(`INSERT OR IGNORE INTO labels (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const remove = db.run('DELETE FROM labels WHERE vin = ? AND sha256 = ?');
  const setDamaged = db.run('UPDATE labels SET damaged = ? WHERE vin = ? AND sha256 = ?');
  const setRead = db.run('UPDATE labels SET color = ?, code = ?, reader = ?, car = ? WHERE vin = ?');
  const pageAfter = db.all<Row>(`SELECT ${READ_COLUMNS} FROM labels WHERE vin > ? ORDER BY vin LIMIT ?`);
  const newest = db.all<Row>(`SELECT ${READ_COLUMNS} FROM labels ORDER BY rowid DESC LIMIT ?`);
  const withBytes = db.one<[number]>('SELECT 1 FROM labels WHERE sha256 = ? LIMIT 1');
  const makes = db.all<[string, number, number]>(
    'SELECT make, labels, bytes FROM makes WHERE labels > 0 ORDER BY make',
  );

  return {
    label: (vin: string): HeldLabel | null => heldOf(oneFromSnapshot(vin)),
    /** Adds the label unless its VIN has one. Returns the VIN's label, or null when it was withdrawn. */
    add: (label: HeldLabel, replaces: HeldLabel | null): HeldLabel | null =>
      db.withTransaction(() => {
        if (replaces) remove(replaces.vin, replaces.sha256);
        const { vin, make, source, host, fetched, bytes, sha256 } = label;
        const { color, code, reader, car } = readColumns(label);
        insert(vin, make, source, host, fetched, bytes, sha256, color, code, reader, car);
        return heldOf(one(vin));
      }),
    remove: (vin: string, sha256: string): void => void remove(vin, sha256),
    markDamaged: (vin: string, sha256: string): void => void setDamaged(Date.now(), vin, sha256),
    clearDamaged: (vin: string, sha256: string): void => void setDamaged(null, vin, sha256),
    updateRead: (vin: string, read: Pick<HeldLabel, 'paint' | 'car' | 'reader'>): void => {
      const { color, code, reader, car } = readColumns(read);
      setRead(color, code, reader, car, vin);
    },
    labels: (after: string | null, limit: number) =>
      pageAfter(after ?? '', limit).map((row) => heldLabel(row)),
    newest: (limit: number) => newest(limit).map((row) => heldLabel(row)),
    hasBytes: (sha256: string): boolean => withBytes(sha256) !== null,
    counts: () => {
      const rows = makes();
      return {
        labels: rows.reduce((sum, [, labels]) => sum + labels, 0),
        bytes: rows.reduce((sum, [, , bytes]) => sum + bytes, 0),
        byMake: Object.fromEntries(rows.map(([make, labels]) => [make, labels])),
      };
    },
  };
}
