import type { Paint } from '../../reading/types.ts';
import { heldLabel, LABEL_COLUMNS as COLUMNS, READ_COLUMNS, type LabelRow as Row } from '../label-row.ts';
import type { HeldLabel } from '../store.ts';
import type { Database } from './database.ts';

const heldOf = (row: Row | null): HeldLabel | null => row && heldLabel(row);

export type LabelRows = ReturnType<typeof labelRows>;

/** The rows of held labels. */
export function labelRows(db: Database) {
  const byVin = `SELECT ${READ_COLUMNS} FROM labels WHERE vin = ?`;
  const one = db.one<Row>(byVin);
  const often = db.often<Row>(byVin);
  const insert = db.run(`INSERT OR IGNORE INTO labels (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const remove = db.run('DELETE FROM labels WHERE vin = ? AND sha256 = ?');
  const mark = db.run('UPDATE labels SET damaged = ? WHERE vin = ? AND sha256 = ?');
  const paint = db.run('UPDATE labels SET color = ?, code = ?, reader = ? WHERE vin = ?');
  const after = db.all<Row>(`SELECT ${READ_COLUMNS} FROM labels WHERE vin > ? ORDER BY vin LIMIT ?`);
  const newest = db.all<Row>(`SELECT ${READ_COLUMNS} FROM labels ORDER BY rowid DESC LIMIT ?`);
  const withBytes = db.one<[number]>('SELECT 1 FROM labels WHERE sha256 = ? LIMIT 1');
  const makes = db.all<[string, number, number]>(
    'SELECT make, labels, bytes FROM makes WHERE labels > 0 ORDER BY make',
  );

  return {
    label: (vin: string): HeldLabel | null => heldOf(often(vin)),
    /** Adds the label unless its VIN has one; answers with the one that is there then, null when it was withdrawn. */
    add: (label: HeldLabel, insteadOf: HeldLabel | null): HeldLabel | null =>
      db.whole(() => {
        if (insteadOf) remove(insteadOf.vin, insteadOf.sha256);
        const { vin, make, source, host, fetched, bytes, sha256, reader } = label;
        const { color = null, code = null } = label.paint ?? {};
        insert(vin, make, source, host, fetched, bytes, sha256, color, code, reader);
        return heldOf(one(vin));
      }),
    remove: (vin: string, sha256: string): void => void remove(vin, sha256),
    markDamaged: (vin: string, sha256: string): void => void mark(Date.now(), vin, sha256),
    clearDamaged: (vin: string, sha256: string): void => void mark(null, vin, sha256),
    repaint: (vin: string, seen: Paint | null, reader: string): void =>
      void paint(seen?.color ?? null, seen?.code ?? null, reader, vin),
    labels: (last: string | null, limit: number) => after(last ?? '', limit).map((row) => heldLabel(row)),
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
