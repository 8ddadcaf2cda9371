import { DatabaseSync, type SQLInputValue as Value } from 'node:sqlite';
import { asStoreError } from './store-errors.ts';

export interface View {
  often<Row extends unknown[]>(sql: string): (...values: Value[]) => Row | null;
  /** Called around every write of ours, so that the next read sees it. */
  end(): void;
  close(): void;
}

/** How old a view may get: nobody notices, and whoever tidies the file up does not wait long. */
const VIEW_MS = 20;

/**
 * One view of a database for many reads. Each read by itself locks the file, looks whether somebody has written and
 * unlocks it, which costs as much as finding the row; within a view that is done once in a while.
 */
export function openReadSnapshot(path: string): View {
  const sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  sqlite.exec('PRAGMA cache_size = -8192');
  let timer: NodeJS.Timeout | null = null;

  function begin(): void {
    sqlite.exec('BEGIN');
    timer = setTimeout(end, VIEW_MS).unref();
  }

  function end(): void {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    try {
      if (sqlite.isTransaction) sqlite.exec('COMMIT');
    } catch {
      // Nothing was written; the next view begins anew.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
    }
  }

  return {
    end,
    often: <Row extends unknown[]>(sql: string) => {
      const statement = sqlite.prepare(sql);
      statement.setReturnArrays(true);
      // Written out: this is read for every lookup, and a closure each time is a tenth of it.
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
