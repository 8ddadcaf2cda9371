import type { LabelResponse } from '@monroney/client';
import { carName } from '@monroney/label/lib/names';
import { paintName } from '@monroney/label/lib/option-names';
import { isVin, loadVpic } from '@monroney/vin';
import { failureOf, type LookupClient } from './client.ts';
import { Progress } from './batch.ts';
import { labelFile, saveLabel } from './get.ts';
import { labelCells, NOTHING, type StickerCells } from '../tables/sticker-cells.ts';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

interface LookupOptions {
  journal: LookupJournal;
  /** Fails at once if a source does. */
  client: LookupClient;
  /** How many VINs of each make at a time. */
  concurrency: number;
  /** Where to save the PDFs. */
  folder: string | undefined;
  signal: AbortSignal;
}

/** Nothing more can be looked up now. */
export class ServiceGone extends Error {}

/** So many failures in a row are the source's, not the VINs'. */
const FAILURES_IN_A_ROW = 3;

/**
 * Looks up every VIN of the journal that is missing. A source that fails costs its own VINs only: makes don't wait for each
 * other, and those that failed are asked for once more after the rest.
 */
export async function lookUpAll(options: LookupOptions): Promise<void> {
  const makes = options.journal.missing();
  const total = [...makes.values()].reduce((sum, vins) => sum + vins.length, 0);
  const progress = new Progress(total, 'VINs looked up');
  let done = 0;
  const count = () => progress.show(++done);
  const failed = await perMake(makes, (vins) => lookUpSome(vins, options, count));
  await perMake(failed, (vins) => lookUpSome(vins, options, count, true));
  progress.clear();
}

async function perMake(
  makes: ReadonlyMap<string, readonly string[]>,
  work: (vins: readonly string[]) => Promise<string[]>,
): Promise<Map<string, string[]>> {
  const left = await Promise.all(
    Array.from(makes, async ([make, vins]): Promise<[string, string[]]> => [make, await work(vins)]),
  );
  return new Map(left.filter(([, vins]) => vins.length > 0));
}

/** Returns the VINs that failed, or weren't asked for because too many others failed; with `isLast`, those are unknown. */
async function lookUpSome(
  vins: readonly string[],
  { journal, client, concurrency, folder, signal }: LookupOptions,
  count: () => void,
  isLast = false,
): Promise<string[]> {
  const queue = [...vins];
  const failed: string[] = [];
  let inARow = 0;
  let lastFailure: StickerCells | null = null;
  const next = async (): Promise<void> => {
    for (let vin = queue.shift(); vin !== undefined; vin = queue.shift()) {
      signal.throwIfAborted();
      if (inARow >= FAILURES_IN_A_ROW) {
        if (isLast) journal.set(vin, { ...lastFailure!, ...about(vin, client) });
        else failed.push(vin);
        continue;
      }
      const found = await lookUp(vin, client, folder, signal);
      const isUnknown = found.sticker === 'unknown';
      inARow = isUnknown ? inARow + 1 : 0;
      if (isUnknown) lastFailure = found;
      if (isUnknown && !isLast) failed.push(vin);
      else {
        journal.set(vin, found);
        count();
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, next));
  return failed;
}

function namesOf(vin: string, { label }: LabelResponse): Parameters<typeof labelCells>[1] {
  const paint = label?.exterior?.color ?? null;
  return { car: carName(loadVpic().decode(vin).vehicle, label), paint: paint && paintName(paint) };
}

const about = (vin: string, client: LookupClient): Pick<StickerCells, 'name' | 'page'> => ({
  name: carName(loadVpic().decode(vin).vehicle),
  page: client.page(vin),
});

async function lookUp(
  vin: string,
  client: LookupClient,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<StickerCells> {
  let cells: StickerCells | null = null;
  try {
    const response = await client.read(vin, { signal });
    cells = { ...labelCells(response, namesOf(vin, response)), page: client.page(vin) };
    if (folder === undefined) return cells;
    const file = labelFile(folder, vin);
    await saveLabel(vin, file, client, signal);
    return { ...cells, pdf: file };
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureCells(error);
    // It was read, but its PDF couldn't be had.
    return cells ? { ...cells, reason: failure.reason } : { ...NOTHING, ...about(vin, client), ...failure };
  }
}

const UNSUPPORTED = new Set<string>(['make-not-supported', 'make-unknown', 'manufacturer-unknown']);
/** Reasons that are an answer. Others are about the moment. */
const NONE = new Set<string>(['no-label', 'withdrawn']);

/** What an error says about the sticker. Throws if no other VIN would fare better. */
function failureCells(error: unknown): Pick<StickerCells, 'sticker' | 'reason'> {
  const { status, reason, detail } = failureOf(error);
  if (status === null && reason === 'network') throw new ServiceGone(detail, { cause: error });
  if (UNSUPPORTED.has(reason)) return { sticker: 'unsupported', reason };
  return { sticker: NONE.has(reason) ? 'none' : 'unknown', reason };
}

/** What the journal knows about a VIN. A part of a VIN can be decoded, but belongs to many vehicles. */
export const cellsOf = (journal: LookupJournal, vin: string | null): StickerCells =>
  (vin !== null && isVin(vin) ? journal.get(vin) : null) ?? { ...NOTHING, reason: 'bad-vin' };

/** A VIN to look up. */
interface Wanted {
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
