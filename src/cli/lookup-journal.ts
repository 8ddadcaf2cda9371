import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StickerCells } from '../tables/sticker-cells.ts';

/** A VIN to look up. */
export interface Wanted {
  vin: string;
  /** VINs of one make have the same sources. */
  make: string;
}

/**
 * The VINs of a table and what was found about each, in a file beside the output: lookups take long, and a later run asks
 * only for what is missing. Every result is on disk before the next.
 */
export class LookupJournal {
  readonly #db: DatabaseSync;
  readonly #path: string;

  /** `again`: keeps what is known and asks for the rest. Otherwise a finished journal is forgotten. */
  constructor(path: string, options: string, again: boolean) {
    this.#path = path;
    this.#db = new DatabaseSync(path);
    this.#db.exec(`PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS run (options TEXT, finished INTEGER);
      CREATE TABLE IF NOT EXISTS lookups (vin TEXT PRIMARY KEY, make TEXT, found TEXT) WITHOUT ROWID`);
    const run = this.#db.prepare('SELECT options, finished FROM run').get();
    if (run && (run['options'] !== options || (run['finished'] && !again)))
      this.#db.exec('DELETE FROM run; DELETE FROM lookups');
    if (again)
      this.#db.exec("UPDATE lookups SET found = NULL WHERE json_extract(found, '$.sticker') = 'unknown'");
    this.#db.exec('DELETE FROM run');
    this.#db.prepare('INSERT INTO run VALUES (?, 0)').run(options);
  }

  /** All VINs at once, or none. Those that are known stay so. */
  add(vins: Iterable<Wanted>): void {
    const insert = this.#db.prepare('INSERT OR IGNORE INTO lookups VALUES (?, ?, NULL)');
    this.#db.exec('BEGIN');
    for (const { vin, make } of vins) insert.run(vin, make);
    this.#db.exec('COMMIT');
  }

  /** The VINs that are still unknown, by make. */
  missing(): Map<string, string[]> {
    const makes = new Map<string, string[]>();
    const rows = this.#db.prepare('SELECT vin, make FROM lookups WHERE found IS NULL').all();
    for (const { vin, make } of rows as { vin: string; make: string }[]) {
      const vins = makes.get(make) ?? [];
      makes.set(make, vins);
      vins.push(vin);
    }
    return makes;
  }

  set(vin: string, found: StickerCells): void {
    this.#db.prepare('UPDATE lookups SET found = ? WHERE vin = ?').run(JSON.stringify(found), vin);
  }

  get(vin: string): StickerCells | null {
    const row = this.#db.prepare('SELECT found FROM lookups WHERE vin = ?').get(vin);
    return row?.['found'] ? (JSON.parse(row['found'] as string) as StickerCells) : null;
  }

  counts(): { known: number; all: number } {
    return this.#db.prepare('SELECT count(found) AS known, count(*) AS "all" FROM lookups').get() as {
      known: number;
      all: number;
    };
  }

  /** After the table is written: kept only if there is something to ask again. */
  finish(hasUnknown: boolean): void {
    if (hasUnknown) this.#db.exec('UPDATE run SET finished = 1');
    this.close();
    if (!hasUnknown && this.#path !== ':memory:') rmSync(this.#path, { force: true });
  }

  close(): void {
    this.#db.close();
  }
}
