import { LRUCache } from 'lru-cache';
import { nowRunning } from '../lib/stalls.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { inMemorySingleFlight } from '../lib/single-flight.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { HeldLabel, Store } from '../store/store.ts';
import type { Card, UnreadableReason } from '../pdf/child-talk.ts';
import type { LabelWorkers } from './label-workers.ts';
import { readerVersionOf } from '../makers/read.ts';
import { TEXT_VERSION } from '../reading/text-version.ts';
import type { LabelText, Reading } from '../reading/types.ts';

/** Too many labels wait to be opened or drawn. It says nothing about this one, so it is never told as "none". */
export class Busy extends Error {
  override name = 'Busy';
  /** Seconds. */
  readonly retryAfter = 5;
}

/** What is made of a held label: made once, kept beside it, made again when the maker's version changes. */
export interface DerivedCache {
  /** The reading of a label that has just come; null when it has no text or no worker is free. Never rejects. */
  readFresh(vin: string, make: string, fresh: FreshLabel): Promise<Reading | null>;
  /** The text with positions; null when none can be had from the PDF. Rejects with `Busy`, as the next three do. */
  text(label: HeldLabel): Promise<LabelText | null>;
  /** The printed lines of each page; null when none can be had from the PDF. */
  lines(label: HeldLabel): Promise<string[][] | null>;
  reading(label: HeldLabel): Promise<Reading>;
  /** The first page as WebP; null when it cannot be drawn. */
  preview(label: HeldLabel, width: number): Promise<Buffer | null>;
  /** A link preview card as PNG; null when it cannot be drawn. Not kept. */
  card(card: Card, picture: Buffer | null): Promise<Buffer | null>;
}

/** What judging a label has already found out. */
export interface FreshLabel {
  text?: LabelText;
  read?: { make: string; reading: Reading };
}

export interface DerivedCacheParts {
  store: Pick<
    Store,
    | 'text'
    | 'keepText'
    | 'reading'
    | 'keepReading'
    | 'preview'
    | 'keepPreview'
    | 'repaint'
    | 'dropAnswer'
    | 'pdf'
  >;
  workers: Pick<LabelWorkers, 'text' | 'preview' | 'card' | 'run'>;
  log: Log;
  metrics?: Pick<Metrics, 'count'>;
  /** The bytes of our own specimens, which are in no store. */
  specimenPdf?: (vin: string) => MaybePromise<Buffer>;
}

const hour = 3_600_000;
const noReader = 'none/1';

/** Backed by the store; the workers do the work; each label is worked on once at a time. */
export function openDerivedCache({
  store,
  workers,
  log,
  metrics,
  specimenPdf,
}: DerivedCacheParts): DerivedCache {
  const running = inMemorySingleFlight();
  // A file that cannot be opened is not tried again at once, however often it is asked for.
  const failed = new LRUCache<string, UnreadableReason>({ max: 2_000, ttl: hour });

  /** What was made is answered even when it cannot be kept. */
  async function keep(work: () => MaybePromise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn('not kept beside the label', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  function take(label: HeldLabel): Promise<LabelText | UnreadableReason> {
    return running.once(`text ${label.sha256}`, async (): Promise<LabelText | UnreadableReason> => {
      const kept = await store.text(label.sha256);
      look('text', kept?.version === TEXT_VERSION);
      if (kept?.version === TEXT_VERSION) return kept;
      const known = failed.get(label.sha256);
      if (known) return known;
      const opened = await workers.text(await pdfOf(label));
      if (!opened.ok && opened.reason === 'busy') throw new Busy('too many labels wait to be opened');
      if (!opened.ok && opened.reason !== 'no-text') {
        failure(label.sha256, label, opened.reason);
        return opened.reason;
      }
      const text = opened.ok ? opened.text : { version: TEXT_VERSION, positioned: true, pages: [] };
      await keep(() => store.keepText(label.sha256, text));
      return text;
    });
  }

  async function pdfOf(label: HeldLabel): Promise<Buffer> {
    return label.source === 'specimen' && specimenPdf ? specimenPdf(label.vin) : store.pdf(label.sha256);
  }

  function failure(key: string, label: HeldLabel, reason: UnreadableReason): void {
    failed.set(key, reason);
    log.warn('label not opened', { make: label.make, sha256: label.sha256, reason });
  }

  /** Prices that do not add up are our error, so they are counted. */
  function count(make: string, { readable, reason, proof }: Reading): void {
    const unread = reason === 'picture' ? 'picture' : 'unreadable';
    const outcome = !readable ? unread : proof?.closes ? 'adds-up' : 'does-not-add-up';
    metrics?.count('monroney_readings_total', { make, outcome });
  }

  function look(cache: 'text' | 'reading' | 'preview', found: boolean): void {
    metrics?.count('monroney_cache_requests_total', { cache, result: found ? 'hit' : 'miss' });
  }

  async function readHeld(label: HeldLabel, text: LabelText): Promise<Reading> {
    const { make, vin, sha256 } = label;
    const key = `read ${sha256}`;
    const known = failed.get(key);
    if (known) return unopened(known, vin);
    const done = await workers.run<'read'>({ kind: 'read', text, context: { make, vin } });
    if (done.ok) return done.result;
    if (done.reason === 'busy') throw new Busy('too many labels wait to be read');
    failure(key, label, done.reason);
    return unopened(done.reason, vin);
  }

  async function makeReading(label: HeldLabel, reader: string): Promise<Reading> {
    const text = await take(label);
    nowRunning('reading');
    const read = typeof text === 'string' ? unopened(text, label.vin) : await readHeld(label, text);
    const reading = read.reader === noReader ? { ...read, reader } : read;
    count(label.make, reading);
    if (reading.reason === 'timeout') return reading;
    await keep(() => store.keepReading(label.sha256, reading));
    const repainted = JSON.stringify(reading.paint) !== JSON.stringify(label.paint);
    if (repainted || reading.reader !== label.reader) {
      await keep(() => store.repaint(label.vin, reading.paint, reading.reader));
    }
    if (repainted) await keep(() => store.dropAnswer(label.vin));
    return reading;
  }

  return {
    async readFresh(vin, make, { text, read }) {
      if (!text) return null;
      let reading = read?.make === make ? read.reading : null;
      if (!reading) {
        const done = await workers.run<'read'>({ kind: 'read', text, context: { make, vin } });
        if (!done.ok) return null;
        reading = done.result;
      }
      count(make, reading);
      return reading;
    },
    async text(label) {
      const text = await take(label);
      return typeof text === 'string' ? null : text;
    },
    async lines(label) {
      const text = await take(label);
      if (typeof text === 'string') return null;
      const done = await workers.run<'lines'>({ kind: 'lines', text });
      if (!done.ok && done.reason === 'busy') throw new Busy('too many labels wait to be read');
      return done.ok ? done.result : null;
    },
    async reading(label) {
      const reader = readerVersionOf(label.make) ?? noReader;
      const kept = await store.reading(label.sha256, reader);
      look('reading', kept !== null);
      return kept ?? running.once(`reading ${label.sha256}`, () => makeReading(label, reader));
    },
    async preview(label, width) {
      const kept = await store.preview(label.sha256, width);
      look('preview', kept !== null);
      if (kept) return kept;
      const key = `${width} ${label.sha256}`;
      return running.once(`preview ${key}`, async (): Promise<Buffer | null> => {
        if (failed.has(key)) return null;
        const drawn = await workers.preview(await pdfOf(label), width);
        if (!drawn.ok && drawn.reason === 'busy') throw new Busy('too many labels wait to be drawn');
        if (!drawn.ok) {
          failure(key, label, drawn.reason);
          return null;
        }
        await keep(() => store.keepPreview(label.sha256, width, drawn.webp));
        return drawn.webp;
      });
    },
    async card(card, picture) {
      const drawn = await workers.card(card, picture);
      if (drawn.ok) return drawn.png;
      if (drawn.reason === 'busy') throw new Busy('too many labels wait to be drawn');
      log.warn('card not drawn', { reason: drawn.reason });
      return null;
    },
  };
}

/** Too slow may be otherwise tomorrow: such a reading is answered but not kept. */
export function unopened(reason: UnreadableReason, vin: string): Reading {
  return {
    reader: noReader,
    readable: false,
    reason: reason === 'busy' ? 'timeout' : reason,
    vin,
    paint: null,
    label: null,
    proof: null,
  };
}
