import { Readable } from 'node:stream';
import type { Decoded, Vpic } from '@monroney/vin';
import type { Finding, LookupResult } from './finding.ts';
import type { LabelText, Reading } from '../reading/types.ts';
import type { Log } from '../lib/log.ts';
import type { Outcome, Source } from '../makers/maker.ts';
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
import { isOurs, type AskOptions } from './ask.ts';
import type { AskLimit } from './ask-limit.ts';
import { believedFor, codeOf } from './outcomes.ts';
import { specimenResult } from './specimens/result.ts';
import type { FreshLabel } from './derived-cache.ts';
import type { Card } from '../pdf/child-talk.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { createSourceStatus, fromSister, joined, leftOf, spokenOf, type NoLabel } from './source-status.ts';

export interface Asking {
  sticker: boolean;
  /** Return `asking` after this time while the request continues; without it, wait for the outcome. */
  patienceMs?: number;
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
  find(vin: string, how: Asking): Promise<LookupResult>;
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

export type Asked = Outcome & { ms: number };

export interface LookupParts {
  vpic: Pick<Vpic, 'decode'>;
  /** NHTSA's live decoder, for VINs missing from the offline data; off by default. */
  live?: { decode(vin: string): Promise<Decoded | null> };
  specimens: { find(vin: string): Specimen | null; pdf(vin: string): Buffer };
  sources: { list: readonly Source[]; for(vin: string, make: string | null): readonly Source[] };
  switches: Switches;
  store: Store;
  /** Tries all URLs of one source within the time budget, of which another source may have used some. */
  ask(source: Source, vin: string, how: AskOptions): Promise<Asked>;
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

/** A row dated further in the future was written while the clock was wrong, and would be believed far too long. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

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

export function createLookup(parts: LookupParts): Lookup {
  const { store, switches, specimens, now } = parts;
  const { isOff, mayBeAsked, standing, closed, believed } = createSourceStatus(switches, now);
  const asking = new Map<string, { since: number; client?: string; result: Promise<Finding> }>();

  async function find(vin: string, how: Asking): Promise<LookupResult> {
    const offline = parts.vpic.decode(vin);
    const specimen = specimens.find(vin);
    if (specimen) {
      const [source = null] = parts.sources.for(vin, offline.vehicle?.make ?? null);
      return specimenResult(specimen, offline, source, how.sticker);
    }
    const decoded = (isUnknown(offline) && (await parts.live?.decode(vin))) || offline;
    const sources = parts.sources.for(vin, decoded.vehicle?.make ?? null);
    const finding =
      (await fromStore(vin, sources, how.sticker)) ?? (await askNow(vin, decoded, sources, how));
    return { vin, decoded, source: spokenOf(finding, sources), finding, specimen: false };
  }

  /** The finding without a request; null when a request is needed. */
  async function fromStore(
    vin: string,
    sources: readonly Source[],
    sticker: boolean,
  ): Promise<Finding | null> {
    const label = await guarded(() => store.label(vin));
    if (label && 'state' in label) return sources.length === 0 ? { state: 'no-source' } : label;
    if (label && !label.damaged) return { state: 'held', label };
    const gone = await withdrawn(vin);
    if (gone) return gone;
    if (sources.length === 0) return label ? DAMAGED : { state: 'no-source' };
    if (sources.every(isOff)) return label ? DAMAGED : closed(sources);
    if (!sticker) return { state: 'unasked' };
    const miss = await remembered(vin);
    const known = miss && 'state' in miss ? miss : standing(sources, miss);
    return label && known?.state === 'none' ? DAMAGED : known;
  }

  async function withdrawn(vin: string): Promise<Finding | null> {
    const row = await guarded(() => store.withdrawal(vin));
    if (!row || 'state' in row) return row;
    return { state: 'withdrawn', reason: row.reason, since: row.at };
  }

  async function remembered(vin: string): Promise<Miss | Finding | null> {
    const miss = await guarded(() => store.miss(vin));
    if (!miss || 'state' in miss) return miss;
    return miss.until > now() && miss.at < now() + CLOCKS_DIFFER_MS ? miss : null;
  }

  /** The decode must work while the store is unavailable. */
  async function guarded<T>(read: () => MaybePromise<T>): Promise<T | Finding> {
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
  async function askNow(
    vin: string,
    decoded: Decoded,
    sources: readonly Source[],
    { client, patienceMs }: Asking,
  ): Promise<Finding> {
    let current = asking.get(vin);
    if (!current) {
      const fetching = client === undefined ? undefined : parts.limit?.start(client);
      if (fetching && 'inSeconds' in fetching) return { state: 'limited', retryAfter: fetching.inSeconds };
      const counting = { asked: false };
      const result = parts
        .once(vin, () => askSources(vin, decoded, sources, client, counting))
        .catch((error: unknown): Finding => {
          if (error instanceof StoreUnavailable) return storeFailure(error);
          parts.log.error('lookup failed', {
            source: sources[0]!.id,
            error: String((error as Error).stack ?? error),
          });
          return { state: 'failed', why: 'internal', retryAfter: 30 };
        })
        .finally(() => {
          asking.delete(vin);
          fetching?.end(counting.asked);
        });
      current = { since: now(), client, result };
      asking.set(vin, current);
    }
    const { since } = current;
    // A client that joined another client's limited request may still have a share of its own.
    const result =
      current.client === client
        ? current.result
        : current.result.then((finding) =>
            isClientSpecific(finding) && !asking.has(vin)
              ? askNow(vin, decoded, sources, { sticker: true, client })
              : finding,
          );
    if (patienceMs === undefined) return result;
    const by = sources.find(mayBeAsked)?.id;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ state: 'asking', since, retryAfter: 2, by }), patienceMs);
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
    counting: { asked: boolean },
  ): Promise<Finding> {
    // Another process or an earlier request may have stored it meanwhile.
    const already = await fromStore(vin, sources, true);
    if (already) return already;
    const before = sources.length > 1 ? await remembered(vin) : null;
    if (before && 'state' in before) return before;
    // A label that cannot be stored would be requested again and again.
    const unwritable = await guarded(() => store.ready());
    if (unwritable) return unwritable;
    let none = before?.kind === 'none' ? before : null;
    let trouble: Miss | null = null;
    let ours: Finding | null = null;
    let spentMs = 0;
    // A row without its bytes: the source had this label.
    const held = await guarded(() => store.label(vin));
    const wasHeld = held !== null && !('state' in held);
    for (const source of leftOf(sources, none)) {
      if (!mayBeAsked(source)) continue;
      const asked = await parts.ask(source, vin, { spentMs, client, wasHeld });
      spentMs += asked.ms;
      // A failure on our side says nothing about the source or the VIN.
      if (asked.kind === 'failed' && isOurs(asked)) {
        ours ??= {
          state: 'failed',
          why: asked.why,
          retryAfter: secondsOf(asked.retryAfterMs),
          by: source.id,
        };
        continue;
      }
      counting.asked ||= asked.kind === 'label' || asked.why !== RESTING;
      void store.countSourceRequest(source.id, now(), asked.kind, asked.ms);
      switches.report(source.id, asked.kind, wasHeld ? undefined : client);
      if (asked.kind === 'label') return keep(vin, decoded, source, asked);
      const miss = missOf(vin, decoded, source, source === sources[0] ? asked : fromSister(asked));
      if (miss.kind === 'none') none = joined(none, miss);
      else trouble ??= miss;
    }
    if (trouble) {
      // A pause may be for this client only, and the breaker remembers it: it says nothing about the VIN.
      if (trouble.why !== RESTING) await keepMiss(trouble);
      return believed(trouble);
    }
    if (none && none !== before) await keepMiss(none);
    if (ours) return ours;
    // A source that became available meanwhile is asked on the next lookup.
    const finding = standing(sources, none) ?? { state: 'unasked' };
    return finding.state === 'none' ? unlessHeld(vin, finding) : finding;
  }

  /** Never returns "none" for a label we hold, even if its bytes are damaged or another instance just stored it. */
  async function unlessHeld(vin: string, none: Finding): Promise<Finding> {
    const label = await guarded(() => store.label(vin));
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
        } catch (trouble) {
          storeFailure(trouble);
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
    asked: Extract<Asked, { kind: 'label' }>,
  ): Promise<Finding> {
    const make = decoded.vehicle?.make ?? source.makes[0]!;
    const reading = await parts.derived.readFresh(vin, make, asked);
    try {
      const label = await store.keep(
        {
          vin,
          make,
          source: source.id,
          host: asked.host,
          fetched: now(),
          paint: reading?.paint ?? null,
          reader: reading?.reader ?? null,
        },
        asked.pdf,
      );
      setImmediate(() => void storeDerived(label, asked.text, reading));
      parts.log.info('label kept', { source: source.id, make, bytes: label.bytes, ms: Math.round(asked.ms) });
      return { state: 'held', label };
    } catch (error) {
      const gone = error instanceof LabelWithdrawn ? await withdrawn(vin) : null;
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

  function missOf(vin: string, decoded: Decoded, source: Source, outcome: NoLabel): Miss {
    const at = now();
    const year = Number(decoded.vehicle?.year) || null;
    const until = at + believedFor(outcome, source, year, at);
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
