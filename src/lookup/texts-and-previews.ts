import type { Log } from '../lib/log.ts';
import type { MemoryCache } from '../lib/memory-cache.ts';
import { nowRunning, type Metrics } from '../lib/metrics.ts';
import { inMemorySingleFlight, type SingleFlight } from '../lib/promises.ts';
import { nullFor } from '../store/errors.ts';
import { StoreUnavailable, type HeldLabel, type Store } from '../store/store.ts';
import type { Card, Unreadable, UnreadableReason } from '../pdf/channel.ts';
import type { Turn } from '../pdf/pdf-workers.ts';
import { finishedReading, readerOf, type LabelWorkers } from './label-workers.ts';
import { specimenPdf } from './specimens/index.ts';
import { isReadByCurrent, isTemporary, unreadableReading } from '@monroney/label/read-text';
import { printedCar } from '@monroney/label/reading/printed-car';
import { blankLabel } from '@monroney/label/reading/reader';
import { TEXT_VERSION } from '@monroney/label/reading/lines';
import type { LabelText, Reading } from '@monroney/label/reading/types';

/** Too many labels are waiting for a worker. It says nothing about this label, so it is never reported as "none". */
export class Busy extends Error {
  override name = 'Busy';
  /** Seconds. */
  readonly retryAfter = 5;
}

/** Text, reading and preview of a held label: computed once, stored, and computed again if the code's version changes. */
export interface TextsAndPreviews {
  /** The text with positions; null when the PDF has none. Rejects with `Busy`, like all but `refresh`. */
  text(label: HeldLabel): Promise<LabelText | null>;
  /** The printed lines of each page; null when the PDF has no text. */
  lines(label: HeldLabel): Promise<string[][] | null>;
  reading(label: HeldLabel): Promise<Reading>;
  /**
   * Reads a label in the background that is stored without a reading or with an older reader's, so that the next lookup
   * has its price. One at a time, so that requests don't wait for it.
   */
  refresh(label: HeldLabel): void;
  /** The first page as WebP; null when it cannot be drawn. Clients take turns. */
  preview(label: HeldLabel, width: number, client?: string): Promise<Buffer | null>;
  /** A link preview card as PNG; null when it cannot be drawn. Not stored. */
  card(card: Card, pictures: readonly Buffer[], client?: string): Promise<Buffer | null>;
}

export interface TextsAndPreviewsDependencies {
  store: Pick<Store, 'cached' | 'cache' | 'preview' | 'cachePreview' | 'updateRead' | 'pdf'>;
  workers: Pick<LabelWorkers, 'text' | 'preview' | 'card' | 'run'>;
  memory: MemoryCache;
  log: Log;
  metrics?: Pick<Metrics, 'count'>;
}

/** A reading that was stored before a field was added gets it, as not printed, if its reader doesn't read that field. */
function withNewFields(reading: Reading): Reading {
  const { label } = reading;
  if (!label) return reading;
  return { ...reading, label: { ...blankLabel(label.make, label.market, label.language), ...label } };
}

/** What the store can't return is computed again from the label. */
const notCached = nullFor(StoreUnavailable);

const FAILURE_TTL_MS = 3_600_000;
/** Labels that wait to be read in the background; a later lookup brings back what doesn't fit. */
const MAX_REFRESHES = 100;

/** Why a label cannot be opened. Busy workers say nothing about the label. */
type OpenFailure = Exclude<UnreadableReason, 'busy'>;

/** What a worker did, or why it failed. Rejects with `Busy`. */
async function unlessBusy<T extends { ok: true }>(
  work: Promise<T | Unreadable>,
): Promise<T | { ok: false; reason: OpenFailure }> {
  const done = await work;
  if (done.ok) return done;
  if (done.reason === 'busy') throw new Busy('too many labels are waiting for a worker');
  return { ok: false, reason: done.reason };
}

/** Not the turn of the files that the source sends now: they may be hostile. */
const turnOf = ({ source }: HeldLabel): Turn => ({ owner: `stored ${source}` });

/**
 * Joins the work that is running for a key, or starts it. If the workers have no room for whoever started it, they may have for
 * this client.
 */
export async function joinOrStart<T>(running: SingleFlight, key: string, work: () => Promise<T>): Promise<T> {
  let isOwn = false;
  const own = () => {
    isOwn = true;
    return work();
  };
  return running.once(key, own).catch((error: unknown) => {
    if (isOwn || !(error instanceof Busy)) throw error;
    return running.once(key, work);
  });
}

export function openTextsAndPreviews(dependencies: TextsAndPreviewsDependencies): TextsAndPreviews {
  const { store, workers, memory, log, metrics } = dependencies;
  const running = inMemorySingleFlight();
  // A file that cannot be opened is not tried again for an hour.
  const failures = memory.of<OpenFailure>('failure', () => 0, FAILURE_TTL_MS);
  const refreshes = new Set<string>();
  let lastRefresh = Promise.resolve();

  function recordFailure(key: string, { make, sha256 }: HeldLabel, reason: OpenFailure): OpenFailure {
    failures.set(key, reason);
    log.warn('cannot open a label', { make, sha256, reason });
    return reason;
  }

  const pdfOf = async (label: HeldLabel): Promise<Buffer> =>
    label.source === 'specimen' ? specimenPdf(label.vin) : store.pdf(label);

  /** A result that cannot be stored is still returned. */
  async function tryStore(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn('cannot store data derived from a label', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  function countLookup(cache: 'text' | 'reading' | 'preview', hit: boolean): void {
    metrics?.count('monroney_cache_requests_total', { cache, result: hit ? 'hit' : 'miss' });
  }

  const textOf = (label: HeldLabel) =>
    running.once(`text ${label.sha256}`, async (): Promise<LabelText | OpenFailure> => {
      const cached = await store.cached(label, 'text', String(TEXT_VERSION)).catch(notCached);
      countLookup('text', cached !== null);
      if (cached) return cached;
      const failure = failures.get(label.sha256);
      if (failure) return failure;
      const opened = await unlessBusy(workers.text(await pdfOf(label), turnOf(label)));
      if (!opened.ok && opened.reason !== 'no-text') return recordFailure(label.sha256, label, opened.reason);
      const text = opened.ok ? opened.text : { version: TEXT_VERSION, positioned: true, pages: [] };
      await tryStore(() => store.cache(label, 'text', String(TEXT_VERSION), text));
      return text;
    });

  async function text(label: HeldLabel): Promise<LabelText | null> {
    const opened = await textOf(label);
    return typeof opened === 'string' ? null : opened;
  }

  async function readHeld(label: HeldLabel, text: LabelText): Promise<Reading> {
    const { make, vin, sha256 } = label;
    const key = `read ${sha256}`;
    const failure = failures.get(key);
    if (failure) return unreadableReading(failure, vin);
    const job = { kind: 'read', text, context: { make, vin } } as const;
    const done = await unlessBusy(workers.run<'read'>(job, turnOf(label)));
    return done.ok ? done.result : unreadableReading(recordFailure(key, label, done.reason), vin);
  }

  async function makeReading(label: HeldLabel): Promise<Reading> {
    const text = await textOf(label);
    nowRunning('reading');
    const read = typeof text === 'string' ? unreadableReading(text, label.vin) : await readHeld(label, text);
    const made = finishedReading(label.make, read, metrics);
    if (isTemporary(made)) return made;
    await tryStore(() => store.cache(label, 'reading', made.reader, made));
    await updateLabel(label, made);
    return made;
  }

  /** Stores with the label what lookups say about it. */
  async function updateLabel(label: HeldLabel, { paint, label: read, reader }: Reading): Promise<void> {
    const car = printedCar(read);
    const isNew = JSON.stringify([paint, car]) !== JSON.stringify([label.paint, label.car ?? null]);
    if (!isNew && reader === label.reader) return;
    await tryStore(() => store.updateRead(label.vin, { paint, car, reader }));
  }

  async function reading(label: HeldLabel): Promise<Reading> {
    const cached = await store.cached(label, 'reading', readerOf(label.make)).catch(notCached);
    countLookup('reading', cached !== null);
    if (!cached) return running.once(`reading ${label.sha256}`, () => makeReading(label));
    // The row may be older: rebuilt from the files beside the bytes, or from a backup.
    if (!isReadByCurrent(label)) await updateLabel(label, cached);
    return withNewFields(cached);
  }

  return {
    text,
    async lines(label) {
      const opened = await text(label);
      if (!opened) return null;
      const done = await unlessBusy(workers.run<'lines'>({ kind: 'lines', text: opened }, turnOf(label)));
      return done.ok ? done.result : null;
    },
    reading,
    refresh(label) {
      const { sha256 } = label;
      if (refreshes.size >= MAX_REFRESHES || refreshes.has(sha256)) return;
      refreshes.add(sha256);
      lastRefresh = lastRefresh
        .then(async () => void (await reading(label)))
        .catch((error: unknown) =>
          log.debug('cannot read a label in the background', { error: String(error) }),
        )
        .finally(() => refreshes.delete(sha256));
    },
    async preview(label, width, client) {
      const cached = await store.preview(label, width).catch(notCached);
      countLookup('preview', cached !== null);
      if (cached) return cached;
      const key = `${width} ${label.sha256}`;
      return joinOrStart(running, `preview ${key}`, async (): Promise<Buffer | null> => {
        if (failures.get(key)) return null;
        const turn = { owner: label.source, client };
        const drawn = await unlessBusy(workers.preview(await pdfOf(label), width, turn));
        if (!drawn.ok) {
          recordFailure(key, label, drawn.reason);
          return null;
        }
        await tryStore(() => store.cachePreview(label, width, drawn.webp));
        return drawn.webp;
      });
    },
    async card(card, pictures, client) {
      const drawn = await unlessBusy(workers.card(card, pictures, client));
      if (drawn.ok) return drawn.png;
      log.warn('cannot draw a link preview card', { reason: drawn.reason });
      return null;
    },
  };
}
