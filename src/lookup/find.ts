import { Readable } from 'node:stream';
import type { Decoded, Vpic } from '@monroney/vin';
import type { Finding, LookupResult } from './finding.ts';
import type { LabelText, Reading } from '../reading/types.ts';
import type { Log } from '../lib/log.ts';
import type { Source } from '../makers/maker.ts';
import type { Switches } from './switches.ts';
import {
  LabelMissing,
  LabelCorrupted,
  LabelWithdrawn,
  type HeldLabel,
  type Miss,
  type Store,
  StoreUnavailable,
} from '../store/store.ts';
import type { Specimen } from './specimens/index.ts';
import { isOurFailure, type AskOptions, type TimedOutcome } from './ask.ts';
import type { AskLimit } from './ask-limit.ts';
import { missTtlMs, codeOf } from './outcomes.ts';
import { specimenResult } from './specimens/result.ts';
import type { FreshLabel } from './derived-cache.ts';
import type { Card } from '../pdf/child-talk.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import {
  createSourceStatus,
  fromSecondSource,
  mergeNone,
  remainingSources,
  sourceOf,
  type OutcomeWithoutLabel,
} from './source-status.ts';

export interface LookupOptions {
  sticker: boolean;
  /** Returns `asking` after this time while the request continues. Without it, waits for the outcome. */
  maxWaitMs?: number;
  /** Identifies the client for limits and fair queues. Opaque, never logged. Without it, nothing is limited. */
  client?: string;
}

/**
 * The product in one file: decode, find the source, check the store for the label, request it from the source once.
 * Every front calls this; nothing else calls a source, the decoder or the store.
 */
export interface Lookup {
  decode(vin: string): Decoded;
  /** `vin` is upper-case and well-formed. */
  find(vin: string, options: LookupOptions): Promise<LookupResult>;
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

export interface LookupDependencies {
  vpic: Pick<Vpic, 'decode'>;
  /** NHTSA's live decoder, for VINs missing from the offline data; off by default. */
  live?: { decode(vin: string): Promise<Decoded | null> };
  specimens: { find(vin: string): Specimen | null; pdf(vin: string): Buffer };
  sources: { list: readonly Source[]; for(vin: string, make: string | null): readonly Source[] };
  switches: Switches;
  store: Store;
  /** Tries all URLs of one source within the time budget, of which another source may have used some. */
  ask(source: Source, vin: string, options: AskOptions): Promise<TimedOutcome>;
  /** Limits fetches per client; unlimited by default. */
  limit?: AskLimit;
  /** Single flight: one call per key at a time, with a shared result. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
  derived: {
    /** Reads a label that was just fetched. Never throws. */
    readFresh(vin: string, make: string, fresh: FreshLabel): Promise<Reading | null>;
    text(label: HeldLabel): Promise<LabelText | null>;
    lines(label: HeldLabel): Promise<string[][] | null>;
    reading(label: HeldLabel): Promise<Reading>;
    preview(label: HeldLabel, width: number): Promise<Buffer | null>;
    card(card: Card, picture: Buffer | null): Promise<Buffer | null>;
  };
  log: Log;
  now(): number;
}

/** A row dated further in the future was written while the clock was wrong, and would apply far too long. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

const RESTING = 'resting';

/** NHTSA's error codes for an unknown manufacturer or model. */
const isUnknown = ({ codes }: Decoded): boolean => codes.includes(7) || codes.includes(8);

/** Whether the finding depends on the client that asked, so that another client may succeed. */
const isClientSpecific = (finding: Finding): boolean =>
  codeOf(finding) === 'busy' || ('why' in finding && finding.why === RESTING);

/** Rounds up; 5 seconds when the wait is unknown. */
const secondsOf = (ms = 5000): number => Math.max(1, Math.ceil(ms / 1000));

/** We hold a label, but its bytes are missing or corrupted, and its source no longer has it. */
const DAMAGED: Finding = { state: 'failed', why: 'store', retryAfter: 60 };

export function createLookup(parts: LookupDependencies): Lookup {
  const { store, switches, specimens, now } = parts;
  const { isOff, isAvailable, knownFinding, unavailableFinding, missFinding } = createSourceStatus(
    switches,
    now,
  );
  const running = new Map<string, { since: number; client?: string; result: Promise<Finding> }>();

  async function find(vin: string, options: LookupOptions): Promise<LookupResult> {
    const offline = parts.vpic.decode(vin);
    const specimen = specimens.find(vin);
    if (specimen) {
      const [source = null] = parts.sources.for(vin, offline.vehicle?.make ?? null);
      return specimenResult(specimen, offline, source, options.sticker);
    }
    const decoded = (isUnknown(offline) && (await parts.live?.decode(vin))) || offline;
    const sources = parts.sources.for(vin, decoded.vehicle?.make ?? null);
    const finding =
      (await fromStore(vin, sources, options.sticker)) ?? (await fetchOrJoin(vin, decoded, sources, options));
    return { vin, decoded, source: sourceOf(finding, sources), finding, specimen: false };
  }

  /** The finding without a request; null when a request is needed. */
  async function fromStore(
    vin: string,
    sources: readonly Source[],
    sticker: boolean,
  ): Promise<Finding | null> {
    const label = await readStore(() => store.label(vin));
    if (label && 'state' in label) return sources.length === 0 ? { state: 'no-source' } : label;
    if (label && !label.damaged) return { state: 'held', label };
    const gone = await withdrawnFinding(vin);
    if (gone) return gone;
    if (sources.length === 0) return label ? DAMAGED : { state: 'no-source' };
    if (sources.every(isOff)) return label ? DAMAGED : unavailableFinding(sources);
    if (!sticker) return { state: 'unasked' };
    const miss = await storedMiss(vin);
    const known = miss && 'state' in miss ? miss : knownFinding(sources, miss);
    return label && known?.state === 'none' ? DAMAGED : known;
  }

  async function withdrawnFinding(vin: string): Promise<Finding | null> {
    const row = await readStore(() => store.withdrawal(vin));
    if (!row || 'state' in row) return row;
    return { state: 'withdrawn', reason: row.reason, since: row.at };
  }

  async function storedMiss(vin: string): Promise<Miss | Finding | null> {
    const miss = await readStore(() => store.miss(vin));
    if (!miss || 'state' in miss) return miss;
    return miss.until > now() && miss.at < now() + MAX_CLOCK_SKEW_MS ? miss : null;
  }

  /** The decode must work while the store is unavailable. */
  async function readStore<T>(read: () => MaybePromise<T>): Promise<T | Finding> {
    try {
      return await read();
    } catch (error) {
      return storeFailure(error);
    }
  }

  function storeFailure(error: unknown): Finding {
    parts.log.debug('store unavailable', { error: String((error as Error).message ?? error) });
    return { state: 'failed', why: 'store', retryAfter: 10 };
  }

  /** Joins the running request, or starts one; it continues even if all clients disconnect. */
  async function fetchOrJoin(
    vin: string,
    decoded: Decoded,
    sources: readonly Source[],
    { client, maxWaitMs }: LookupOptions,
  ): Promise<Finding> {
    let current = running.get(vin);
    if (!current) {
      const fetching = client === undefined ? undefined : parts.limit?.start(client);
      if (fetching && 'inSeconds' in fetching) return { state: 'limited', retryAfter: fetching.inSeconds };
      const usage = { requestSent: false };
      const result = parts
        .once(vin, () => askSources(vin, decoded, sources, client, usage))
        .catch((error: unknown): Finding => {
          if (error instanceof StoreUnavailable) return storeFailure(error);
          parts.log.error('lookup failed', {
            source: sources[0]!.id,
            error: String((error as Error).stack ?? error),
          });
          return { state: 'failed', why: 'internal', retryAfter: 30 };
        })
        .finally(() => {
          running.delete(vin);
          fetching?.end(usage.requestSent);
        });
      current = { since: now(), client, result };
      running.set(vin, current);
    }
    const { since } = current;
    // A client that joined another client's limited request may still be within its own limit.
    const result =
      current.client === client
        ? current.result
        : current.result.then((finding) =>
            isClientSpecific(finding) && !running.has(vin)
              ? fetchOrJoin(vin, decoded, sources, { sticker: true, client })
              : finding,
          );
    if (maxWaitMs === undefined) return result;
    const by = sources.find(isAvailable)?.id;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ state: 'asking', since, retryAfter: 2, by }), maxWaitMs);
      void result.then((finding) => {
        clearTimeout(timer);
        resolve(finding);
      });
    });
  }

  async function askSources(
    vin: string,
    decoded: Decoded,
    sources: readonly Source[],
    client: string | undefined,
    usage: { requestSent: boolean },
  ): Promise<Finding> {
    // Another process or an earlier request may have stored it meanwhile.
    const stored = await fromStore(vin, sources, true);
    if (stored) return stored;
    const earlier = sources.length > 1 ? await storedMiss(vin) : null;
    if (earlier && 'state' in earlier) return earlier;
    // A label that can't be stored would be requested again and again.
    const unwritable = await readStore(() => store.ready());
    if (unwritable) return unwritable;
    let none = earlier?.kind === 'none' ? earlier : null;
    let failure: Miss | null = null;
    let ourFailure: Finding | null = null;
    let spentMs = 0;
    // A row without its bytes: the source had this label.
    const held = await readStore(() => store.label(vin));
    const wasHeld = held !== null && !('state' in held);
    for (const source of remainingSources(sources, none)) {
      if (!isAvailable(source)) continue;
      const outcome = await parts.ask(source, vin, { spentMs, client, wasHeld });
      spentMs += outcome.ms;
      // A failure on our side says nothing about the source or the VIN.
      if (outcome.kind === 'failed' && isOurFailure(outcome)) {
        ourFailure ??= {
          state: 'failed',
          why: outcome.why,
          retryAfter: secondsOf(outcome.retryAfterMs),
          by: source.id,
        };
        continue;
      }
      usage.requestSent ||= outcome.kind === 'label' || outcome.why !== RESTING;
      void store.countSourceRequest(source.id, now(), outcome.kind, outcome.ms);
      switches.report(source.id, outcome.kind, wasHeld ? undefined : client);
      if (outcome.kind === 'label') return keep(vin, decoded, source, outcome);
      const miss = missOf(vin, decoded, source, source === sources[0] ? outcome : fromSecondSource(outcome));
      if (miss.kind === 'none') none = mergeNone(none, miss);
      else failure ??= miss;
    }
    if (failure) {
      // A pause may be for this client only, and the breaker remembers it: it says nothing about the VIN.
      if (failure.why !== RESTING) await keepMiss(failure);
      return missFinding(failure);
    }
    if (none && none !== earlier) await keepMiss(none);
    if (ourFailure) return ourFailure;
    // A source that became available in the meantime is asked on the next lookup.
    const finding = knownFinding(sources, none) ?? { state: 'unasked' };
    return finding.state === 'none' ? unlessHeld(vin, finding) : finding;
  }

  /** Never returns "none" for a label we hold, even if its bytes are damaged or another instance just stored it. */
  async function unlessHeld(vin: string, none: Finding): Promise<Finding> {
    const label = await readStore(() => store.label(vin));
    if (!label || 'state' in label) return label ?? none;
    return label.damaged ? DAMAGED : { state: 'held', label };
  }

  /** Marks a label whose bytes are missing or corrupted, so that the next lookup fetches it again. */
  function markingDamage<T>(label: HeldLabel, read: () => MaybePromise<T>): MaybePromise<T> {
    const failed = async (error: unknown): Promise<never> => {
      if (error instanceof LabelMissing || error instanceof LabelCorrupted) {
        try {
          const found = await store.checkBytes(label);
          if (found === 'missing' || found === 'corrupted') await store.markDamaged(label.vin, label.sha256);
          parts.log.error('store: the bytes of a label are damaged', { sha256: label.sha256, found });
        } catch (failure) {
          storeFailure(failure);
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

  async function keep(
    vin: string,
    decoded: Decoded,
    source: Source,
    outcome: Extract<TimedOutcome, { kind: 'label' }>,
  ): Promise<Finding> {
    const make = decoded.vehicle?.make ?? source.makes[0]!;
    const reading = await parts.derived.readFresh(vin, make, outcome);
    try {
      const label = await store.keep(
        {
          vin,
          make,
          source: source.id,
          host: outcome.host,
          fetched: now(),
          paint: reading?.paint ?? null,
          reader: reading?.reader ?? null,
        },
        outcome.pdf,
      );
      setImmediate(() => void storeDerived(label, outcome.text, reading));
      parts.log.info('label kept', {
        source: source.id,
        make,
        bytes: label.bytes,
        ms: Math.round(outcome.ms),
      });
      return { state: 'held', label };
    } catch (error) {
      const gone = error instanceof LabelWithdrawn ? await withdrawnFinding(vin) : null;
      return gone ?? storeFailure(error);
    }
  }

  /** In the background: text and reading can be derived again, so a failure does not affect the label. */
  async function storeDerived(label: HeldLabel, text: LabelText | undefined, reading: Reading | null) {
    try {
      if (text) await store.keepText(label.sha256, text);
      if (reading) await store.keepReading(label.sha256, reading);
    } catch (error) {
      parts.log.warn('cannot store a reading', { source: label.source, error: String(error) });
    }
  }

  function missOf(vin: string, decoded: Decoded, source: Source, outcome: OutcomeWithoutLabel): Miss {
    const at = now();
    const year = Number(decoded.vehicle?.year) || null;
    const until = at + missTtlMs(outcome, source, year, at);
    return { vin, source: source.id, kind: outcome.kind, why: outcome.why, at, until };
  }

  async function keepMiss(miss: Miss): Promise<void> {
    try {
      await store.keepMiss(miss);
    } catch (error) {
      storeFailure(error);
    }
    parts.log.info('no label', { source: miss.source, outcome: miss.kind, why: miss.why });
  }

  return {
    decode: (vin) => parts.vpic.decode(vin),
    find,
    pdf: (label, allocate) =>
      label.source === 'specimen'
        ? specimens.pdf(label.vin)
        : markingDamage(label, () => store.pdfInto(label.sha256, allocate)),
    pdfStream: async (label, start, end) =>
      label.source === 'specimen'
        ? Readable.from([specimens.pdf(label.vin).subarray(start, end + 1)])
        : markingDamage(label, () => store.pdfStream(label.sha256, start, end)),
    text: parts.derived.text,
    lines: parts.derived.lines,
    reading: parts.derived.reading,
    preview: parts.derived.preview,
    card: parts.derived.card,
    sources: parts.sources.list,
    switches,
  };
}
