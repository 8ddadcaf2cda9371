import type { Readable } from 'node:stream';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { LabelText, Paint, PrintedCar, Reading } from '../reading/types.ts';
import type { SingleFlight } from '../lib/single-flight.ts';
import type { RedisLink } from './shared/redis.ts';

/** A label in the store. Its row is written after its bytes are flushed, and both are kept permanently. */
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
  /** The bytes are missing or corrupted. The row stays until a new copy is kept. */
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
  /** One of our own codes, never text from the source: `not-released`, `blocked`, `timeout`, … */
  why: string;
  at: number;
  until: number;
}

/** A cached lookup response: the JSON as sent (pure ASCII) and its ETag. */
export interface StoredResponse {
  body: string;
  etag: string;
  /** Data month, reader version and base URL; a response of another version is stale. */
  version: string;
}

/** `off`: switched off by the operator. `resting`: paused because the source keeps refusing us. */
export interface SourceSwitch {
  source: string;
  state: 'on' | 'off' | 'resting';
  reason: string | null;
  since: number;
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

export interface KeyValue {
  key: string;
  value: string;
  until: number;
}

/** A label about to be kept; the other fields follow from its bytes. */
export type NewLabel = Omit<HeldLabel, 'bytes' | 'sha256' | 'damaged'>;

export type SourceOutcome = 'label' | 'none' | 'refused' | 'failed';

interface Coordination {
  /** Deduplicates work by key across all instances. */
  singleFlight: SingleFlight;
  redis: RedisLink;
  /** Whether each server responded when last used. */
  backends(): Record<'postgresql' | 'redis' | 's3', boolean>;
  reconcile: Reconcile;
}

/** Finds differences between the bucket and the database, and with `repair` fixes them. */
export type Reconcile = (options: { repair: boolean; olderThanMs?: number }) => Promise<ReconcileResult>;

interface ReconcileResult {
  /** Intact labels with a copy of their row but no row, as after restoring an older database backup. */
  restored: number;
  /** Objects without a row that are old enough not to be still in the process of being kept. */
  orphans: number;
  /** Previews, and label objects that are certainly corrupted. A label that may be intact is never removed. */
  removed: number;
  /** False when there are so many orphans that the database is probably the wrong one: then nothing is removed. */
  isPlausible: boolean;
  /** Withdrawn labels that had reappeared and were removed again, with or without `repair`. */
  withdrawnAgain: number;
  /** Copies of rows that were missing or differed from their row. */
  wrongCopies: number;
}

export interface Rebuilt {
  added: number;
  /** VINs that already had a row. */
  present: number;
  /** Known labels without a row whose bytes are missing or corrupted. */
  missing: number;
  /** Withdrawn labels that had reappeared, for example from a backup, and were removed again. */
  withdrawn: number;
  /** Label files or objects without any record. */
  unknown: number;
}

/**
 * Stores labels and everything else that outlives a request. Two implementations: embedded (SQLite and files) and shared
 * (PostgreSQL, Redis, S3). Every method may throw `StoreUnavailable`; callers then do what they can without the store.
 */
export interface Store {
  readonly kind: 'embedded' | 'shared';
  /** What instances need to work together; null in the embedded store, which has only one. */
  readonly coordination: Coordination | null;

  label(vin: string): MaybePromise<HeldLabel | null>;
  /**
   * Looks beside the bytes for a label or a withdrawal that the database has lost, as in a failover to a replica, and
   * restores its row. For a VIN without a label, before its source is asked. The embedded store does this when it opens.
   */
  recover(vin: string): MaybePromise<HeldLabel | Withdrawal | null>;
  /**
   * Starts writing bytes that will probably be kept, while they are still being checked; `keep` with the same array is
   * then faster. Returns a function that cancels. Never fails.
   */
  prepare(pdf: Uint8Array): () => void;
  /**
   * Writes the bytes, then the row, and resolves when both are flushed. Also deletes the VIN's miss and cached response.
   * The first label of a VIN stays: a later one replaces it only when its bytes are missing or corrupted. Rejects with
   * `LabelWithdrawn` when the VIN's label was withdrawn.
   */
  keep(label: NewLabel, pdf: Uint8Array): Promise<HeldLabel>;
  /** Null when the VIN's label was not withdrawn. */
  withdrawal(vin: string): MaybePromise<Withdrawal | null>;
  /**
   * Removes the label of a VIN and everything derived from it, and prevents keeping another. Also recorded beside the
   * bytes, so that neither an older database backup nor a rebuild restores the label. Withdrawing again changes the
   * reason.
   */
  withdraw(withdrawal: Withdrawal): Promise<void>;
  /** Ordered by VIN. */
  withdrawals(): MaybePromise<Withdrawal[]>;
  /** Reads the stored bytes of a label and compares their SHA-256. */
  checkBytes(label: HeldLabel): Promise<BytesCheck>;
  /**
   * Marks the label with this SHA-256 as missing or corrupted, so that it is fetched again. Deletes nothing: `label`
   * reads the bytes of a marked label again and removes the mark when they are intact.
   */
  markDamaged(vin: string, sha256: string): MaybePromise<void>;
  /**
   * Calls the listener when this or another instance marked, replaced or withdrew a label, so that cached data of the VIN
   * is stale. Null means that notifications may have been lost.
   */
  onReplaced(listener: (vin: string | null) => void): void;
  /** Stores what lookups say about a label, and the reader that read it. */
  updateRead(vin: string, read: Pick<HeldLabel, 'paint' | 'car' | 'reader'>): MaybePromise<void>;
  /** Rejects with `LabelMissing` when there are no bytes, `LabelCorrupted` when they are wrong. */
  pdf(sha256: string): Promise<Buffer>;
  /** Like `pdf`, but reads into the buffer that `allocate` returns, if the store supports it. */
  pdfInto(sha256: string, allocate: () => Buffer): MaybePromise<Buffer>;
  /** A byte range of a PDF, both ends inclusive; rejects like `pdf`. */
  pdfStream(sha256: string, start: number, end: number): Promise<Readable>;

  miss(vin: string): MaybePromise<Miss | null>;
  keepMiss(miss: Miss): MaybePromise<void>;

  cachedResponse(vin: string): MaybePromise<StoredResponse | null>;
  cacheResponse(vin: string, response: StoredResponse): MaybePromise<void>;
  /** Deletes one VIN's cached response. To invalidate all, change their `version`. */
  dropCachedResponse(vin: string): MaybePromise<void>;

  text(sha256: string): MaybePromise<LabelText | null>;
  keepText(sha256: string, text: LabelText): MaybePromise<void>;
  reading(sha256: string, reader: string): MaybePromise<Reading | null>;
  keepReading(sha256: string, reading: Reading): MaybePromise<void>;
  preview(sha256: string, width: number): Promise<Buffer | null>;
  keepPreview(sha256: string, width: number, webp: Uint8Array): Promise<void>;

  switches(): MaybePromise<SourceSwitch[]>;
  /** Sets the switch and, if its state or reason is new, records the change. */
  setSwitch(change: SourceSwitch): MaybePromise<void>;
  /** Newest first. */
  changes(limit: number): MaybePromise<SourceChange[]>;
  /** Adds the changes of a copied store, without duplicates. */
  addChanges(changes: SourceChange[]): MaybePromise<void>;
  /** Adds one request to the hour's counts. Ignores an unavailable store: a count is not worth a failed lookup. */
  countSourceRequest(source: string, at: number, outcome: SourceOutcome, ms: number): MaybePromise<void>;
  sourceRequests(sinceHour: number): MaybePromise<SourceRequestCount[]>;

  /** A small key-value store with expiry, for example for live vPIC responses and unsubscribe secrets. */
  value(key: string): MaybePromise<string | null>;
  setValue(key: string, value: string, until: number): MaybePromise<void>;
  /** A page of unexpired pairs ordered by key, after `after`. */
  values(after: string | null, limit: number): MaybePromise<KeyValue[]>;

  /** A page of labels ordered by VIN, after `after`. */
  labels(after: string | null, limit: number): MaybePromise<HeldLabel[]>;
  counts(): MaybePromise<{ labels: number; bytes: number; byMake: Record<string, number> }>;

  /** Adds rows that the database has lost, from the records beside the bytes. Changes no existing row. */
  rebuild(progress: (done: number) => void): Promise<Rebuilt>;

  readonly contacts: ContactStore;

  /** Throws when the store is not writable. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export { LabelMissing, LabelCorrupted, LabelWithdrawn, StoreUnavailable } from './errors.ts';

/** How often one contact used one route on one UTC day. Nothing else is recorded. */
export interface ContactUse {
  contact: string;
  /** `2026-11-15`, UTC. */
  day: string;
  /** The route template, `/api/v1/vin/{vin}`, never the path. */
  route: string;
  count: number;
  /** Time of the first of these requests. They are not counted if the contact was forgotten after it. */
  noted?: number;
}

/**
 * One message of a notice to one recipient. `sending` is set before the end of the message is sent, `sent` only after
 * the mail server accepted it.
 */
export interface NoticeRow {
  notice: string;
  recipient: string;
  state: 'waiting' | 'sending' | 'sent' | 'bounced';
  tries: number;
  at: number;
}

export interface ContactStore {
  /** Adds the counts of a batch. A day with `maxRowsPerDay` rows gets no new ones; returns how many were skipped. */
  add(uses: ContactUse[], maxRowsPerDay?: number): MaybePromise<number>;
  /** Raises counts to at least these values, so that copying a store twice does not count twice. */
  raise(uses: ContactUse[]): MaybePromise<void>;
  uses(sinceDay: string): MaybePromise<ContactUse[]>;
  /** Deletes the uses and notices of one contact; returns the number of rows. */
  forget(contact: string): MaybePromise<number>;
  /** Deletes up to `limit` uses and `limit` notices older than a day; returns the number of rows. */
  forgetBefore(day: string, limit?: number): MaybePromise<number>;

  /** Takes the recipient's hash, not the e-mail address: see `unsubscribe.ts`. */
  unsubscribe(recipient: string, at: number): MaybePromise<void>;
  unsubscribed(): MaybePromise<string[]>;

  /** Adds new recipients to a notice; returns how many were new. */
  planNotice(notice: string, recipients: string[], at: number): MaybePromise<number>;
  /** Names of all planned notices. */
  notices(): MaybePromise<string[]>;
  noticeRows(notice: string): MaybePromise<NoticeRow[]>;
  /** False when there is no such row because the recipient was forgotten. */
  setNotice(
    notice: string,
    recipient: string,
    state: NoticeRow['state'],
    tries: number,
    at: number,
  ): MaybePromise<boolean>;

  /** Announced breaking changes. */
  lifecycles(): MaybePromise<Lifecycle[]>;
  announce(change: Lifecycle): MaybePromise<void>;
  /** False when nothing was announced for this route. */
  withdraw(route: string): MaybePromise<boolean>;
}

export interface Lifecycle {
  /** The route template. */
  route: string;
  deprecated: number;
  sunset: number | null;
  /** A page that explains the change. */
  link: string;
}
