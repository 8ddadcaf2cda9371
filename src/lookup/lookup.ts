import { Readable } from 'node:stream';
import type { Decoded, Vpic } from '@monroney/vin';
import type { DerivedCache } from './derived-cache.ts';
import type { Finding, LookupResult } from './finding.ts';
import type { LabelText, Reading } from '../reading/types.ts';
import type { Source } from '../makers/maker.ts';
import type { Switches } from './switches.ts';
import {
  LabelMissing,
  LabelCorrupted,
  StoreUnavailable,
  type HeldLabel,
  type Miss,
  type VinRow,
} from '../store/store.ts';
import { type Specimen, specimenResult } from './specimens/index.ts';
import {
  createLabelFetcher,
  DAMAGED,
  type FetchDependencies,
  type FetchOptions,
  type StoredState,
} from './fetch-label.ts';
import type { Card } from '../pdf/child-messages.ts';
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts';
import { createSourceStatus, sourceOf, type SourceStatus } from './source-status.ts';

interface LookupOptions extends FetchOptions {
  /** Whether to fetch the label if we don't hold it. */
  sticker: boolean;
}

/**
 * The product: decode, find the source, check the store for the label, fetch it from the source once (`fetch-label.ts`).
 * Every interface looks up VINs through this.
 */
export interface Lookup {
  decode(vin: string): Decoded;
  /** `vin` is upper-case and well-formed. Without a promise if the store is synchronous and has the answer. */
  find(vin: string, options: LookupOptions): MaybePromise<LookupResult>;
  /** The complete PDF, read into the buffer from `allocate` unless it is in memory already. */
  pdf(label: HeldLabel, allocate: () => Buffer): MaybePromise<Buffer>;
  pdfStream(label: HeldLabel, start: number, end: number): Promise<Readable>;
  text(label: HeldLabel): Promise<LabelText | null>;
  /** The printed lines of each page. */
  lines(label: HeldLabel): Promise<string[][] | null>;
  reading(label: HeldLabel): Promise<Reading>;
  preview(label: HeldLabel, width: number): Promise<Buffer | null>;
  /** A link preview card as PNG; null when it cannot be drawn. */
  card(card: Card, picture: Buffer | null): Promise<Buffer | null>;
  readonly sources: readonly Source[];
  readonly switches: Switches;
}

export interface LookupDependencies extends FetchDependencies {
  vpic: Pick<Vpic, 'decode'>;
  /** NHTSA's live decoder, for VINs missing from the offline data; off by default. */
  live?: { decode(vin: string, client?: string): Promise<Decoded | null> };
  specimens: { find(vin: string): Specimen | null; pdf(vin: string): Buffer };
  sources: { list: readonly Source[]; for(vin: string, make: string | null): readonly Source[] };
  derived: Pick<DerivedCache, 'readFetched' | 'text' | 'lines' | 'reading' | 'preview' | 'card'>;
}

/** NHTSA's error codes for an unknown manufacturer or model. */
const isUnknown = ({ codes }: Decoded): boolean => codes.includes(7) || codes.includes(8);

export function createLookup(dependencies: LookupDependencies): Lookup {
  const { store, switches, specimens, now } = dependencies;
  const sourceStatus = createSourceStatus(switches, now);
  const stored = createStoredState(dependencies, sourceStatus);
  const fetchLabel = createLabelFetcher(dependencies, sourceStatus, stored);

  function find(vin: string, options: LookupOptions): MaybePromise<LookupResult> {
    const offline = dependencies.vpic.decode(vin);
    const specimen = specimens.find(vin);
    if (specimen) {
      const [source = null] = dependencies.sources.for(vin, offline.vehicle?.make ?? null);
      return specimenResult(specimen, offline, source, options.sticker);
    }
    const live = isUnknown(offline) ? dependencies.live?.decode(vin, options.client) : undefined;
    return live
      ? live.then((decoded) => findDecoded(vin, decoded ?? offline, options))
      : findDecoded(vin, offline, options);
  }

  function findDecoded(vin: string, decoded: Decoded, options: LookupOptions): MaybePromise<LookupResult> {
    const sources = dependencies.sources.for(vin, decoded.vehicle?.make ?? null);
    const resultOf = (finding: Finding): LookupResult => ({
      vin,
      decoded,
      source: sourceOf(finding, sources),
      finding,
      specimen: false,
    });
    return andThen(stored.finding(vin, sources, options.sticker), (finding) =>
      finding ? resultOf(finding) : fetchLabel(vin, decoded, sources, options).then(resultOf),
    );
  }

  /** Marks a label whose bytes are missing or corrupted, so that the next lookup fetches it again. */
  function markIfDamaged<T>(label: HeldLabel, read: () => MaybePromise<T>): MaybePromise<T> {
    const failed = async (error: unknown): Promise<never> => {
      if (error instanceof LabelMissing || error instanceof LabelCorrupted) {
        try {
          const found = await store.checkBytes(label);
          if (found === 'missing' || found === 'corrupted') await store.markDamaged(label);
          dependencies.log.error('store: the bytes of a label are damaged', { sha256: label.sha256, found });
        } catch (failure) {
          stored.failure(failure);
        }
      }
      throw error;
    };
    try {
      const value = read();
      return value instanceof Promise ? value.catch(failed) : value;
    } catch (error) {
      return failed(error);
    }
  }

  return {
    decode: (vin) => dependencies.vpic.decode(vin),
    find,
    pdf: (label) =>
      label.source === 'specimen' ? specimens.pdf(label.vin) : markIfDamaged(label, () => store.pdf(label)),
    pdfStream: async (label, start, end) =>
      label.source === 'specimen'
        ? Readable.from([specimens.pdf(label.vin).subarray(start, end + 1)])
        : markIfDamaged(label, () => store.pdfStream(label, start, end)),
    text: dependencies.derived.text,
    lines: dependencies.derived.lines,
    reading: dependencies.derived.reading,
    preview: dependencies.derived.preview,
    card: dependencies.derived.card,
    sources: dependencies.sources.list,
    switches,
  };
}

/** A row dated further in the future was written while the clock was wrong, and would apply far too long. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** What we know about a VIN from the store, and about its sources from the switches. Every lookup begins with it. */
function createStoredState(
  { store, log, now }: LookupDependencies,
  { isOff, knownFinding, unavailableFinding }: SourceStatus,
): StoredState {
  /** The finding without a request; null when a request is needed. */
  function fromStore(
    vin: string,
    sources: readonly Source[],
    sticker: boolean,
  ): MaybePromise<Finding | null> {
    return andThen(
      readStore(() => store.find(vin)),
      (row): MaybePromise<Finding | null> => {
        if ('state' in row) return sources.length === 0 ? { state: 'no-source' } : row;
        const { label, withdrawal } = row;
        if (label && !label.damaged) return { state: 'held', label };
        return withdrawal
          ? { state: 'withdrawn', reason: withdrawal.reason, since: withdrawal.at }
          : unheldFinding(row, sources, sticker);
      },
    );
  }

  /** As `fromStore`, for a label that we don't hold or whose bytes are damaged. */
  function unheldFinding(row: VinRow, sources: readonly Source[], sticker: boolean): Finding | null {
    const isDamaged = row.label !== null;
    if (sources.length === 0) return isDamaged ? DAMAGED : { state: 'no-source' };
    if (sources.every(isOff)) return isDamaged ? DAMAGED : unavailableFinding(sources);
    if (!sticker) return { state: 'not-asked' };
    const known = knownFinding(sources, currentMiss(row));
    return isDamaged && known?.state === 'none' ? DAMAGED : known;
  }

  function withdrawnFinding(vin: string): MaybePromise<Finding | null> {
    return andThen(
      readStore(() => store.find(vin)),
      (row): Finding | null => {
        if ('state' in row) return row;
        const { withdrawal } = row;
        return withdrawal && { state: 'withdrawn', reason: withdrawal.reason, since: withdrawal.at };
      },
    );
  }

  async function storedMiss(vin: string): Promise<Miss | Finding | null> {
    const row = await readStore(() => store.find(vin));
    return 'state' in row ? row : currentMiss(row);
  }

  function currentMiss({ miss }: VinRow): Miss | null {
    return miss && miss.until > now() && miss.at < now() + MAX_CLOCK_SKEW_MS ? miss : null;
  }

  /** The decode must work while the store is unavailable. */
  function readStore<T>(read: () => MaybePromise<T>): MaybePromise<T | Finding> {
    try {
      const value = read();
      return value instanceof Promise ? value.catch(storeFailure) : value;
    } catch (error) {
      return storeFailure(error);
    }
  }

  function storeFailure(error: unknown): Finding {
    // The store reports its own failures. Anything else is a bug.
    if (error instanceof StoreUnavailable) log.debug('store unavailable', { error: error.message });
    else log.error('store failed', { error: String((error as Error).stack ?? error) });
    return { state: 'failed', why: 'store', retryAfter: 10 };
  }

  return {
    finding: fromStore,
    miss: storedMiss,
    withdrawal: withdrawnFinding,
    read: readStore,
    failure: storeFailure,
  };
}
