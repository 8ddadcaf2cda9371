import type { LabelText, Paint, PrintedCar, Reading } from '@monroney/label/reading/types';
import type { Log } from '../lib/log.ts';
import type { SingleFlight } from '../lib/promises.ts';
import type { RedisLink } from './shared/redis.ts';
import type { ContactStore } from './contact-store.ts';

/**
 * The store: one row per VIN with everything known about it, read once (`find`), and the bytes of its label.
 *
 * - The row decides. A label's bytes are written first, its row last; the first row of a VIN wins, and bytes never
 *   change. So two fetches of one VIN are impolite, not wrong: both get the label that won.
 * - Beside the bytes, a small JSON file holds the same row, and `withdrawn/` holds one file per withdrawal. A lost
 *   database is rebuilt from these. Before anything is recorded about a VIN without a label, they are looked at, so an
 *   older database backup brings back no withdrawn label, and no "none" for a label that we have.
 * - Everything is async. Every method may reject with `StoreUnavailable`; callers then do what they can without it.
 *
 * Two implementations pass the same tests (`store-contract-tests.ts`): embedded (SQLite and files) and shared (PostgreSQL for
 * rows, S3 for bytes, Redis for what instances must agree on for seconds).
 */

/** A label in the store: its row and its bytes are kept permanently. */
export interface HeldLabel {
  vin: string;
  make: string;
  /** The id of its source; `specimen` for our own drawings. */
  source: string;
  /** The host that sent it. */
  host: string;
  /** Milliseconds since the epoch. */
  fetched: number;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** Null when the label is a picture or could not be read. */
  paint: Paint | null;
  /** What the label says about the car; absent like `paint`, and in older rows until the label is read again. */
  car?: PrintedCar | null;
  /** The reader that read `paint` and `car`, for example `gm/3`. */
  reader: string | null;
  /** The bytes are missing or corrupted. The row stays until a new copy is added. */
  damaged?: true;
}

/** The result of reading a label's stored bytes, bypassing caches. `unclear`: the store's responses contradict each other. */
export type BytesCheck = 'intact' | 'missing' | 'corrupted' | 'unclear';

/** A stored outcome other than a label, which expires at `until`. */
export interface Miss {
  vin: string;
  /** The id of the source; for `none`, the ids of all sources that said so, separated by spaces. */
  source: string;
  kind: 'none' | 'refused' | 'failed';
  /** One of our own codes, never text from the source: `not-found`, `blocked`, `timeout`, … */
  why: string;
  at: number;
  until: number;
}

/** Everything known about a VIN. A withdrawn VIN has no label, and a miss counts only without an intact label. */
export interface VinRow {
  label: HeldLabel | null;
  /** Null when it has expired. */
  miss: Miss | null;
  withdrawal: Withdrawal | null;
}

/** What is computed from a label's bytes and can be computed again. */
export interface Derived {
  text: LabelText;
  reading: Reading;
}

/** `off`: switched off by the operator. `resting`: paused because the source keeps refusing us. */
export interface SourceSwitch {
  source: string;
  state: 'on' | 'off' | 'resting';
  reason: string | null;
  since: number;
  /** Its stored labels aren't served either. Only with `off`. */
  withheld?: true;
}

/** Outcomes of one source in one hour, for the status page. */
export interface SourceRequestCount {
  source: string;
  /** Hour since the epoch: floor(ms / 3,600,000). */
  hour: number;
  label: number;
  none: number;
  refused: number;
  failed: number;
  /** Median duration of the hour's requests, from a small histogram. */
  medianMs: number | null;
}

/** A change of a source's state, for the status feed. */
export interface SourceChange {
  source: string;
  at: number;
  state: SourceSwitch['state'];
  reason: string | null;
}

/** A label that must not be served, and why. */
export interface Withdrawal {
  vin: string;
  /** For people to read. */
  reason: string;
  at: number;
}

interface KeyValue {
  key: string;
  value: string;
  until: number;
}

/** A label about to be added; the other fields follow from its bytes. */
export type NewLabel = Omit<HeldLabel, 'bytes' | 'sha256' | 'damaged'>;

export type SourceOutcome = 'label' | 'none' | 'refused' | 'failed';

/** What instances share in Redis, and whether their servers respond. */
interface Coordination {
  /** Deduplicates work by key across all instances. */
  singleFlight: SingleFlight;
  redis: RedisLink;
  /** Whether each server responded when last used. */
  backends(): Record<'postgresql' | 'redis' | 's3', boolean>;
}

export interface Rebuilt {
  /** Rows added from the files beside the bytes. */
  added: number;
  /** VINs that already had a row. */
  present: number;
  /** Files beside the bytes that were missing and were written from their rows. */
  written: number;
  /** Known labels without a row whose bytes are missing or corrupted. */
  missing: number;
  /** Withdrawn labels that had reappeared, for example from a backup, and were removed again. */
  withdrawn: number;
  /** PDFs without a row and without a file that describes them. They are left alone. */
  unknown: number;
}

export interface StoreOptions {
  dataDir: string;
  databaseUrl?: string | null;
  redisUrl?: string | null;
  s3Url?: string | null;
  log: Log;
  /** False for a command beside a running service on the same DATA_DIR: it takes no lock and cleans up nothing. */
  exclusive?: boolean;
  /** False: throws `NoStore` instead of creating a store. */
  mayCreate?: boolean;
  /** Multiplies the timeouts of the shared store's servers, for tests on a busy machine. */
  timeoutFactor?: number | undefined;
}

export interface Store {
  readonly kind: 'embedded' | 'shared';
  /** What instances need to work together; null in the embedded store, which has only one. */
  readonly coordination: Coordination | null;

  /** One read. A label marked as damaged is checked again first, because its bytes may be back. */
  find(vin: string): Promise<VinRow>;
  /**
   * Use this before asking a source or recording something: a VIN without a row gets the one beside its bytes, which the
   * database may have lost.
   */
  findOrRecover(vin: string): Promise<VinRow>;
  /**
   * Writes the bytes, the file beside them, then the row, and resolves when all are flushed, with the VIN's label: the first one wins. A later
   * one replaces it only if its bytes are missing or corrupted. Also ends the VIN's miss and deletes what is cached for
   * it. Rejects with `LabelWithdrawn`.
   */
  addLabel(label: NewLabel, pdf: Uint8Array): Promise<HeldLabel>;
  /** Ignored for a VIN with an intact label, or one that was withdrawn: read the row again before you report "none". */
  addMiss(miss: Miss): Promise<void>;
  /** Stores what lookups say about a label, and the reader that read it. */
  updateRead(vin: string, read: Pick<HeldLabel, 'paint' | 'car' | 'reader'>): Promise<void>;

  /** The bytes, after checking their SHA-256. Rejects with `LabelMissing` or `LabelCorrupted`. */
  pdf(label: HeldLabel): Promise<Buffer>;
  /** Reads the stored bytes and compares their SHA-256. */
  checkBytes(label: HeldLabel): Promise<BytesCheck>;
  /** Marks a label as missing or corrupted, so that it is fetched again. Deletes nothing; `find` removes a wrong mark. */
  markDamaged(label: HeldLabel): Promise<void>;

  /**
   * Removes the label of a VIN and everything derived from it, and prevents adding another. Also recorded beside the
   * bytes, so that neither an older database backup nor a rebuild restores the label. Withdrawing again changes the
   * reason, not the time.
   */
  withdraw(withdrawal: Withdrawal): Promise<void>;
  /** Undoes a withdrawal, so that the label may be fetched again: its bytes are gone. Null if there was none. */
  endWithdrawal(vin: string): Promise<Withdrawal | null>;
  /** Ordered by VIN. */
  withdrawals(): Promise<Withdrawal[]>;
  /**
   * Calls the listener when this or another process marked, read, replaced or withdrew a label, so that cached data of the VIN
   * is stale. Null means that notifications may have been lost.
   */
  onReplaced(listener: (vin: string | null) => void): void;

  /** Null when it isn't cached, or was computed by another version, or from other bytes of this VIN. */
  cached<K extends keyof Derived>(label: HeldLabel, kind: K, version: string): Promise<Derived[K] | null>;
  cache<K extends keyof Derived>(
    label: HeldLabel,
    kind: K,
    version: string,
    value: Derived[K],
  ): Promise<void>;
  preview(label: HeldLabel, width: number): Promise<Buffer | null>;
  cachePreview(label: HeldLabel, width: number, webp: Uint8Array): Promise<void>;

  switches(): Promise<SourceSwitch[]>;
  /** Sets the switch and, if its state or reason is new, records the change. */
  setSwitch(change: SourceSwitch): Promise<void>;
  /** Newest first. */
  changes(limit: number): Promise<SourceChange[]>;
  /** Adds the changes of a copied store, without duplicates. */
  addChanges(changes: SourceChange[]): Promise<void>;
  /** Adds one request to the hour's counts. */
  countSourceRequest(source: string, at: number, outcome: SourceOutcome, ms: number): Promise<void>;
  sourceRequests(sinceHour: number): Promise<SourceRequestCount[]>;

  /** A small key-value store with expiry, for example for live vPIC responses and unsubscribe secrets. */
  value(key: string): Promise<string | null>;
  setValue(key: string, value: string, until: number): Promise<void>;
  /** A page of unexpired pairs ordered by key, after `after`. */
  values(after: string | null, limit: number): Promise<KeyValue[]>;

  /** A page of labels ordered by VIN, after `after`. */
  labels(after: string | null, limit: number): Promise<HeldLabel[]>;
  counts(): Promise<{ labels: number; bytes: number; byMake: Record<string, number> }>;

  /** Makes the rows and the files beside the bytes agree again. Deletes no label that wasn't withdrawn. */
  rebuild(progress: (done: number) => void): Promise<Rebuilt>;

  readonly contacts: ContactStore;
  /** The decoder's data, if the operator has updated it. */
  readonly vpic: VpicFiles;

  /** Rejects when the store is not writable: then no source should be asked. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export { LabelMissing, LabelCorrupted, LabelWithdrawn, StoreUnavailable } from './errors.ts';

/** A data file of vPIC, stored by `vpic-files.ts`. */
export interface VpicFile {
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** `2026-10`. */
  month: string;
}

/** Which data the next start uses, and which a rollback. Null is the data that comes with the program. */
export interface VpicChoice {
  current: VpicFile | null;
  previous: VpicFile | null;
}

export interface VpicFiles {
  choice(): Promise<VpicChoice>;
  /** The bytes of a data file, after checking their SHA-256. */
  read(file: VpicFile): Promise<Buffer>;
  /** Makes this the current data, and the current one the previous. */
  add(month: string, bytes: Uint8Array): Promise<VpicChoice>;
  /** Exchanges the current and the previous data. Null if nothing was ever added. */
  rollBack(): Promise<VpicChoice | null>;
}
