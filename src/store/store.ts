import type { Readable } from 'node:stream';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { LabelText, Paint, Reading } from '../reading/types.ts';
import type { SingleFlight } from '../lib/single-flight.ts';
import type { RedisLink } from './shared/redis.ts';
import type { ContactStore } from './contact-store.ts';

/** A label we hold: recorded only after its bytes are safe under their SHA-256, and then for ever. */
export interface HeldLabel {
  vin: string;
  make: string;
  /** Id of the source it came from, `specimen` for ours. */
  source: string;
  /** The host that answered, for provenance. */
  host: string;
  /** Milliseconds since the epoch. */
  fetched: number;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** Read off it when it was kept; null when it is a picture or could not be read. */
  paint: Paint | null;
  /** The reader that read `paint`, for example `gm/3`. */
  reader: string | null;
  /** Set when `admin verify` found the bytes missing or wrong. The row stays until a new copy is kept. */
  damaged?: true;
}

/** The result of reading a label's stored bytes, bypassing caches. `unclear`: the store contradicts itself. */
export type BytesCheck = 'intact' | 'missing' | 'corrupted' | 'unclear';

/** What a source said when it did not give a label, and until when that is believed. */
export interface Miss {
  vin: string;
  /** The id of who said it; of a `none`, the ids of all who did, with spaces between. */
  source: string;
  kind: 'none' | 'refused' | 'failed';
  /** A short code of ours, never an upstream's words: `not-released`, `blocked`, `timeout`, … */
  why: string;
  at: number;
  until: number;
}

/** A finished lookup answer: the JSON as sent (pure ASCII) with its ETag, under the versions that made it. */
export interface KeptAnswer {
  body: string;
  etag: string;
  /** Data month, reader version and base address; an answer of another version is made anew. */
  version: string;
}

/** A source switched off by the operator, or resting because it refuses everything. */
export interface SourceSwitch {
  source: string;
  state: 'on' | 'off' | 'resting';
  reason: string | null;
  since: number;
}

/** Counts of one source in one hour, for the status page. */
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

/** A visible change of a source's state, for the status feed. */
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

export interface Note {
  key: string;
  value: string;
  until: number;
}

/** A label about to be kept: its bytes say the rest. */
export type NewLabel = Omit<HeldLabel, 'bytes' | 'sha256' | 'damaged'>;

export type SourceOutcome = 'label' | 'none' | 'refused' | 'failed';

export interface Coordination {
  /** One request per VIN across all instances. */
  singleFlight: SingleFlight;
  redis: RedisLink;
  /** Which of the servers answer, as far as we have tried. */
  backends(): Record<'postgresql' | 'redis' | 's3', boolean>;
  sweep: Sweep;
}

/** Looks for what instances that were killed left in the bucket, and with `repair` puts it right. */
export type Sweep = (how: { repair: boolean; olderThanMs?: number }) => Promise<Swept>;

export interface Swept {
  /** Whole labels with a copy of their row, but no row: a database put back from an older backup lacks them. */
  restored: number;
  /** Objects no row stands for, of those old enough not to be waiting for theirs. */
  orphans: number;
  /** Previews, and label objects whose bytes are proven wrong. A label that may be whole is never removed. */
  removed: number;
  /** False when there are too many for an accident: then nothing is removed, whatever was asked for. */
  believable: boolean;
  /** Withdrawn labels that had come back and were removed again, with or without `repair`. */
  withdrawnAgain: number;
  /** Copies of rows that were missing or said something else than their row. */
  copiesWrong: number;
}

export interface Rebuilt {
  added: number;
  /** VINs that have a row already. */
  present: number;
  /** Known labels without a row whose bytes are missing or wrong. */
  missing: number;
  /** Withdrawn labels that had come back, from a backup for example, and were removed again. */
  withdrawn: number;
  /** Label files or objects of which nothing is known. */
  unknown: number;
}

/**
 * What is kept. Two houses behind it: embedded (SQLite and files) and shared (PostgreSQL, Redis, S3).
 * Every method may throw `StoreUnavailable`; callers then answer what they can without it.
 */
export interface Store {
  readonly kind: 'embedded' | 'shared';
  /** What several instances agree on; null when there is only one. */
  readonly coordination: Coordination | null;

  label(vin: string): MaybePromise<HeldLabel | null>;
  /**
   * Begins to write bytes that will most likely be kept, while they are still being read; `keep` of the very same then
   * finds them written. Answers with how to stop, for bytes that turn out to be no label. Never fails.
   */
  prepare(pdf: Uint8Array): () => void;
  /**
   * Bytes first (temporary, flushed, renamed), then the row; also forgets the VIN's miss and answer. Resolves when
   * both are safe. The first label kept for a VIN stays: a later one takes its place only when its bytes are gone.
   * Rejects with `LabelWithdrawn` when the VIN's label was withdrawn.
   */
  keep(label: NewLabel, pdf: Uint8Array): Promise<HeldLabel>;
  /** Why the label of a VIN must not be served; null when it may be. A withdrawn label is never held. */
  withdrawal(vin: string): MaybePromise<Withdrawal | null>;
  /**
   * Removes the label of a VIN and all that was made of it, and keeps another from being kept. Written beside the bytes
   * too, so that neither a database from an older backup nor a rebuild brings the label back. Withdrawing twice changes
   * the reason.
   */
  withdraw(withdrawal: Withdrawal): Promise<void>;
  /** In VIN order. */
  withdrawals(): MaybePromise<Withdrawal[]>;
  /** Reads the stored bytes of a label and compares them with its row. */
  checkBytes(label: HeldLabel): Promise<BytesCheck>;
  /**
   * Marks a label (this SHA-256, no other) whose bytes are missing or wrong, so that its source is asked again. Nothing
   * is deleted: `label` reads the bytes of a marked label once more and removes the mark when they are whole.
   */
  markDamaged(vin: string, sha256: string): MaybePromise<void>;
  /**
   * Tells when a label was marked, replaced or withdrawn, here or by another instance: what is in memory of it is out of date.
   * Null: some messages may have been lost.
   */
  onReplaced(heard: (vin: string | null) => void): void;
  /** Changes what was read off a held label. */
  repaint(vin: string, paint: Paint | null, reader: string): MaybePromise<void>;
  /**
   * The whole PDF. Rejects with `LabelMissing` when its bytes are not there, `StoreUnavailable` when nobody can tell.
   */
  pdf(sha256: string): Promise<Buffer>;
  /** The same, in the buffer of exactly its bytes that `allocate` gives, if the store can. */
  pdfInto(sha256: string, allocate: () => Buffer): MaybePromise<Buffer>;
  /** Part of a large PDF, both ends inclusive; rejects like `pdf`. */
  pdfStream(sha256: string, start: number, end: number): Promise<Readable>;

  miss(vin: string): MaybePromise<Miss | null>;
  keepMiss(miss: Miss): MaybePromise<void>;

  answer(vin: string): MaybePromise<KeptAnswer | null>;
  keepAnswer(vin: string, answer: KeptAnswer): MaybePromise<void>;
  /** Forgets one VIN's answer; all at once become stale by their `version`. */
  dropAnswer(vin: string): MaybePromise<void>;

  text(sha256: string): MaybePromise<LabelText | null>;
  keepText(sha256: string, text: LabelText): MaybePromise<void>;
  reading(sha256: string, reader: string): MaybePromise<Reading | null>;
  keepReading(sha256: string, reading: Reading): MaybePromise<void>;
  preview(sha256: string, width: number): Promise<Buffer | null>;
  keepPreview(sha256: string, width: number, webp: Uint8Array): Promise<void>;

  switches(): MaybePromise<SourceSwitch[]>;
  /** Sets the switch and, where its state or reason is new, adds to the changes. */
  setSwitch(change: SourceSwitch): MaybePromise<void>;
  /** Newest first. */
  changes(limit: number): MaybePromise<SourceChange[]>;
  /** Adds past changes of a copied store; those it has already are left. */
  addChanges(changes: SourceChange[]): MaybePromise<void>;
  /** Adds one ask to the hour's counts. Never fails: a lost count is no reason to lose an answer. */
  countSourceRequest(source: string, at: number, outcome: SourceOutcome, ms: number): MaybePromise<void>;
  sourceRequests(sinceHour: number): MaybePromise<SourceRequestCount[]>;

  /** A small keyed memory with an end: live vPIC answers, unsubscribe secrets. */
  note(key: string): MaybePromise<string | null>;
  keepNote(key: string, value: string, until: number): MaybePromise<void>;
  /** Notes that have not ended, in key order after `after`, for copying. */
  notes(after: string | null, limit: number): MaybePromise<Note[]>;

  /** Held labels in VIN order after `after`, for verifying, re-reading and copying. */
  labels(after: string | null, limit: number): MaybePromise<HeldLabel[]>;
  counts(): MaybePromise<{ labels: number; bytes: number; byMake: Record<string, number> }>;

  /** Adds rows that the database lost, from what lies beside the labels' bytes. Changes no row that is there. */
  rebuild(progress: (done: number) => void): Promise<Rebuilt>;

  readonly contacts: ContactStore;

  /** Throws when the store cannot be written now. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export { LabelMissing, LabelCorrupted, LabelWithdrawn, StoreUnavailable } from './errors.ts';
