import { DatabaseSync, type SQLInputValue as Value } from 'node:sqlite';
import { asStoreError } from './store-errors.ts';

export interface ReadSnapshot {
  one<Row extends unknown[]>(sql: string): (...values: Value[]) => Row | null;
  /** Calls `refresh` once per snapshot instead of once per call. `refresh` must read from the snapshot. */
  oncePerSnapshot(refresh: () => void): () => void;
  /** Call around every write, so that the next read sees it. */
  end(): void;
  close(): void;
}

/** Maximum age of a snapshot: short enough not to delay a checkpoint. */
const SNAPSHOT_MS = 20;

/**
 * A read transaction shared by many reads. A read outside a transaction locks the file, checks for writes and unlocks
 * it, which costs as much as finding the row.
 */
export function openReadSnapshot(path: string): ReadSnapshot {
  const sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  sqlite.exec('PRAGMA cache_size = -8192');
  let timer: NodeJS.Timeout | null = null;
  let snapshots = 0;

  function begin(): void {
    sqlite.exec('BEGIN');
    snapshots++;
    timer = setTimeout(end, SNAPSHOT_MS).unref();
  }

  function end(): void {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    try {
      if (sqlite.isTransaction) sqlite.exec('COMMIT');
    } catch {
      // Nothing was written; the next read begins a new transaction.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
    }
  }

  return {
    end,
    oncePerSnapshot(refresh) {
      let refreshedIn = 0;
      return () => {
        if (timer !== null && refreshedIn === snapshots) return;
        // Begins a snapshot if there is none.
        refresh();
        refreshedIn = snapshots;
      };
    },
    one: <Row extends unknown[]>(sql: string) => {
      const statement = sqlite.prepare(sql);
      statement.setReturnArrays(true);
      // Inlined instead of using `mapErrors`: on the hot path, and a closure per call adds a tenth.
      return (...values: Value[]): Row | null => {
        try {
          if (timer === null) begin();
          return (statement.get(...values) as unknown as Row | undefined) ?? null;
        } catch (error) {
          end();
          throw asStoreError(error);
        }
      };
    },
    close: () => {
      end();
      sqlite.close();
    },
  };
}
