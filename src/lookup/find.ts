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
  /** Answer `asking` when the source takes longer; it is waited for to the end otherwise. */
  patienceMs?: number;
  /** Who asks, for limits and fair queues. Opaque, never logged. Without one nothing is limited. */
  client?: string;
}

/**
 * The whole product: decode, find the source, look whether the label is held, ask the source once.
 * Every front calls this; nothing else calls a source, the decoder or the store.
 */
export interface Lookup {
  decode(vin: string): Decoded;
  /** `vin` is upper-case and well-formed. */
  find(vin: string, how: Asking): Promise<LookupResult>;
  /** The whole PDF, in what `allocate` gives where it has to be read. */
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

/** A source's answer, with the text already taken out of a label while judging it. */
export type Asked = Outcome & { ms: number };

export interface LookupParts {
  vpic: Pick<Vpic, 'decode'>;
  /** NHTSA's live decoder, for VINs the offline data does not know; off by default. */
  live?: { decode(vin: string): Promise<Decoded | null> };
  specimens: { find(vin: string): Specimen | null; pdf(vin: string): Buffer };
  sources: { list: readonly Source[]; for(vin: string, make: string | null): readonly Source[] };
  switches: Switches;
  store: Store;
  /** Asks one source, all of its addresses in turn, within the budget; another source may have spent some of it. */
  ask(source: Source, vin: string, how: AskOptions): Promise<Asked>;
  /** How much each client may have fetched; without one nobody is limited. */
  limit?: AskLimit;
  /** One piece of work per key at a time, however many ask for it. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
  derived: {
    /** Reads a fresh label: what to keep beside it. Never throws. */
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

/** What was written later than this from now, was written while the clock was wrong, and would be believed far too long. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

const RESTING = 'resting';

/** NHTSA's codes for a manufacturer or a model that its data does not know. */
const isUnknown = ({ codes }: Decoded): boolean => codes.includes(7) || codes.includes(8);

/** What keeps one client from a source need not keep another from it. */
const isSomebodyElses = (finding: Finding): boolean =>
  codeOf(finding) === 'busy' || ('why' in finding && finding.why === RESTING);

/** Of a wait that nobody can tell exactly. */
const secondsOf = (ms = 5000): number => Math.max(1, Math.ceil(ms / 1000));

/** We hold a label, but its bytes are missing or wrong, and its source no longer has it. */
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

  /** What can be said without asking anyone; null when the source must be asked. */
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

  /** A store that cannot answer must not take the decode down with it. */
  async function guarded<T>(read: () => MaybePromise<T>): Promise<T | Finding> {
    try {
      return await read();
    } catch (error) {
      return storeTrouble(error);
    }
  }

  function storeTrouble(error: unknown): Finding {
    parts.log.debug('store unavailable', { error: String((error as Error).message ?? error) });
    return { state: 'failed', why: 'store', retryAfter: 10 };
  }

  /** Joins the asking that is under way, or starts one; it goes on even if every asker leaves. */
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
          if (error instanceof StoreUnavailable) return storeTrouble(error);
          parts.log.error('asking failed', {
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
    // Whoever joined somebody with no share left has a share of its own.
    const result =
      current.client === client
        ? current.result
        : current.result.then((finding) =>
            isSomebodyElses(finding) && !asking.has(vin)
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
    // Another process, or an asker just before us, may have brought it in the meantime.
    const already = await fromStore(vin, sources, true);
    if (already) return already;
    const before = sources.length > 1 ? await remembered(vin) : null;
    if (before && 'state' in before) return before;
    // A label that cannot be kept would be asked for again and again.
    const unwritable = await guarded(() => store.ready());
    if (unwritable) return unwritable;
    let none = before?.kind === 'none' ? before : null;
    let trouble: Miss | null = null;
    let ours: Finding | null = null;
    let spentMs = 0;
    // A row without its bytes: the source had this label.
    const held = await guarded(() => store.label(vin));
    const known = held !== null && !('state' in held);
    for (const source of leftOf(sources, none)) {
      if (!mayBeAsked(source)) continue;
      const asked = await parts.ask(source, vin, { spentMs, client, known });
      spentMs += asked.ms;
      // What kept us from asking says nothing of the source and nothing of the VIN.
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
      switches.report(source.id, asked.kind, known ? undefined : client);
      if (asked.kind === 'label') return keep(vin, decoded, source, asked);
      const miss = missOf(vin, decoded, source, source === sources[0] ? asked : fromSister(asked));
      if (miss.kind === 'none') none = joined(none, miss);
      else trouble ??= miss;
    }
    if (trouble) {
      // A rest may be for this client only, and the breaker remembers it: it says nothing of the VIN.
      if (trouble.why !== RESTING) await keepMiss(trouble);
      return believed(trouble);
    }
    if (none && none !== before) await keepMiss(none);
    if (ours) return ours;
    // One that may be asked by now, since a switch or a rest changed meanwhile, is asked for the next caller.
    const finding = standing(sources, none) ?? { state: 'unasked' };
    return finding.state === 'none' ? unlessHeld(vin, finding) : finding;
  }

  /** "None" is never said of a label we hold, even one whose bytes are damaged or that another instance just kept. */
  async function unlessHeld(vin: string, none: Finding): Promise<Finding> {
    const label = await guarded(() => store.label(vin));
    if (!label || 'state' in label) return label ?? none;
    return label.damaged ? DAMAGED : { state: 'held', label };
  }

  /** Marks a label whose bytes turn out to be missing or wrong, so that the next lookup fetches it again. */
  function noted<T>(label: HeldLabel, read: () => MaybePromise<T>): MaybePromise<T> {
    const failed = async (error: unknown): Promise<never> => {
      if (error instanceof LabelMissing || error instanceof LabelCorrupted) {
        try {
          const found = await store.checkBytes(label);
          if (found === 'missing' || found === 'corrupted') await store.markDamaged(label.vin, label.sha256);
          parts.log.error('store: the bytes of a label are damaged', { sha256: label.sha256, found });
        } catch (trouble) {
          storeTrouble(trouble);
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
      setImmediate(() => void keepBeside(label, asked.text, reading));
      parts.log.info('label kept', { source: source.id, make, bytes: label.bytes, ms: Math.round(asked.ms) });
      return { state: 'held', label };
    } catch (error) {
      const gone = error instanceof LabelWithdrawn ? await withdrawn(vin) : null;
      return gone ?? storeTrouble(error);
    }
  }

  /** What was read off it can be read again: nobody waits for these, and trouble with them is no trouble of the label's. */
  async function keepBeside(label: HeldLabel, text: LabelText | undefined, reading: Reading | null) {
    try {
      if (text) await store.keepText(label.sha256, text);
      if (reading) await store.keepReading(label.sha256, reading);
    } catch (error) {
      parts.log.warn('reading not kept', { source: label.source, error: String(error) });
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
      storeTrouble(error);
    }
    parts.log.info('no label', { source: miss.source, outcome: miss.kind, why: miss.why });
  }

  return {
    decode: (vin) => parts.vpic.decode(vin),
    find,
    pdf: (label, allocate) =>
      label.source === 'specimen'
        ? specimens.pdf(label.vin)
        : noted(label, () => store.pdfInto(label.sha256, allocate)),
    pdfStream: async (label, start, end) =>
      label.source === 'specimen'
        ? Readable.from([specimens.pdf(label.vin).subarray(start, end + 1)])
        : noted(label, () => store.pdfStream(label.sha256, start, end)),
    text: parts.derived.text,
    lines: parts.derived.lines,
    reading: parts.derived.reading,
    preview: parts.derived.preview,
    card: parts.derived.card,
    sources: parts.sources.list,
    switches,
  };
}
