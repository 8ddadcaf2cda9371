import type { Decoded } from '@monroney/vin';
import type { Log } from '../lib/log.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Source } from '../makers/maker.ts';
import { LabelWithdrawn, StoreUnavailable, type HeldLabel, type Miss, type Store } from '../store/store.ts';
import { printedCar } from '../reading/printed-car.ts';
import type { LabelText, Reading } from '../reading/types.ts';
import type { Finding } from './finding.ts';
import type { AskOptions, TimedOutcome } from './ask.ts';
import type { FetchLimit } from './fetch-limit.ts';
import type { DerivedCache } from './derived-cache.ts';
import { isOurFailure, missTtlMs } from './finding-response.ts';
import {
  fromSecondSource,
  mergeNone,
  remainingSources,
  type SourceStatus,
  type OutcomeWithoutLabel,
} from './source-status.ts';
import type { Switches } from './switches.ts';

export interface FetchOptions {
  /** Returns `asking` after this time while the request continues. Without it, waits for the outcome. */
  maxWaitMs?: number;
  /** Identifies the client for limits and fair queues. Opaque, never logged. Without it, nothing is limited. */
  client?: string;
}

export interface FetchDependencies {
  switches: Switches;
  store: Store;
  /** Tries all URLs of one source within the time budget, of which another source may have used some. */
  ask(source: Source, vin: string, options: AskOptions): Promise<TimedOutcome>;
  /** Limits fetches per client; unlimited by default. */
  limit?: FetchLimit;
  /** Single flight: one call per key at a time, with a shared result. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
  derived: Pick<DerivedCache, 'readFetched'>;
  log: Log;
  now(): number;
}

/** What the store knows about a VIN. While it is unavailable, all but `failure` return a finding that says so. */
export interface StoredState {
  /** The finding without a request; null if a request is needed. */
  finding(vin: string, sources: readonly Source[], sticker: boolean): MaybePromise<Finding | null>;
  miss(vin: string): Promise<Miss | Finding | null>;
  withdrawal(vin: string): MaybePromise<Finding | null>;
  read<T>(read: () => MaybePromise<T>): MaybePromise<T | Finding>;
  failure(error: unknown): Finding;
}

/** We hold a label, but its bytes are missing or corrupted, and its source no longer has it. */
export const DAMAGED: Finding = { state: 'failed', why: 'store', retryAfter: 60 };

/** A label that can't be stored because of a bug is not fetched again for this long. */
const BUG_MS = 10 * 60_000;

/** The host's circuit breaker is open. */
const PAUSED = 'paused';
const QUEUE_FULL = 'busy';

/** Whether the finding depends on the client that asked, so that another client may succeed. */
const isClientSpecific = (finding: Finding): boolean =>
  'why' in finding && (finding.why === QUEUE_FULL || finding.why === PAUSED);

/** Rounds up; 5 seconds when the wait is unknown. */
const secondsOf = (ms = 5000): number => Math.max(1, Math.ceil(ms / 1000));

/** Fetches labels that we don't hold from their sources, and stores the outcome. */
export function createLabelFetcher(
  dependencies: FetchDependencies,
  sourceStatus: SourceStatus,
  stored: StoredState,
) {
  const { now } = dependencies;
  const askSources = createSourcesAsker(dependencies, sourceStatus, stored);
  const running = new Map<string, { since: number; client?: string; result: Promise<Finding> }>();

  /** Joins the running request, or starts one; it continues even if all clients disconnect. */
  async function fetchLabel(
    vin: string,
    decoded: Decoded,
    sources: readonly Source[],
    { client, maxWaitMs }: FetchOptions,
  ): Promise<Finding> {
    let current = running.get(vin);
    if (!current) {
      const fetching = client === undefined ? undefined : dependencies.limit?.start(client);
      if (fetching && 'inSeconds' in fetching) return { state: 'limited', retryAfter: fetching.inSeconds };
      const usage = { requestSent: false };
      const result = dependencies
        .once(vin, () => askSources(vin, decoded, sources, client, usage))
        .catch((error: unknown): Finding => {
          if (error instanceof StoreUnavailable) return stored.failure(error);
          dependencies.log.error('lookup failed', {
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
              ? fetchLabel(vin, decoded, sources, { client })
              : finding,
          );
    if (maxWaitMs === undefined) return result;
    const sourceId = sources.find(sourceStatus.isAvailable)?.id;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve({ state: 'asking', since, retryAfter: 2, sourceId }), maxWaitMs);
      result.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  return fetchLabel;
}

/** Asks the sources of a car in order until one has the label, and stores the outcome. */
function createSourcesAsker(
  dependencies: FetchDependencies,
  { isAvailable, knownFinding, missFinding }: SourceStatus,
  stored: StoredState,
) {
  const { store, switches, log, now } = dependencies;
  const { keepLabel, missOf, keepMiss } = outcomeStore(dependencies, stored);

  async function countRequest({ id }: Source, { kind, ms }: TimedOutcome): Promise<void> {
    try {
      await store.countSourceRequest(id, now(), kind, ms);
    } catch (error) {
      log.warn('cannot count a request to a source', { source: id, error: String(error) });
    }
  }

  async function askSources(
    vin: string,
    decoded: Decoded,
    sources: readonly Source[],
    client: string | undefined,
    usage: { requestSent: boolean },
  ): Promise<Finding> {
    // Another process or an earlier request may have stored it meanwhile.
    const known = await stored.finding(vin, sources, true);
    if (known) return known;
    const earlier = sources.length > 1 ? await stored.miss(vin) : null;
    if (earlier && 'state' in earlier) return earlier;
    // A label that can't be stored would be requested again and again.
    const unwritable = await stored.read(() => store.ready());
    if (unwritable) return unwritable;
    let none = earlier?.kind === 'none' ? earlier : null;
    let failure: Miss | null = null;
    let ourFailure: Finding | null = null;
    let spentMs = 0;
    const row = await stored.read(() => store.find(vin));
    if ('state' in row) return row;
    // A row without its bytes: the source had this label.
    const wasHeld = row.label !== null;
    const remaining = remainingSources(sources, none);
    for (const [index, source] of remaining.entries()) {
      if (!isAvailable(source)) continue;
      const othersFollow = remaining.slice(index + 1).some(isAvailable);
      const outcome = await dependencies.ask(source, vin, { spentMs, othersFollow, client, wasHeld });
      spentMs += outcome.ms;
      if (isOurFailure(outcome)) {
        usage.requestSent ||= outcome.why === 'workers-busy';
        ourFailure ??= {
          state: 'failed',
          why: outcome.why,
          retryAfter: secondsOf(outcome.retryAfterMs),
          sourceId: source.id,
        };
        continue;
      }
      // The breaker may have held the request back.
      if (outcome.kind === 'label' || outcome.why !== PAUSED) {
        usage.requestSent = true;
        void countRequest(source, outcome);
        switches.report(source.id, outcome.kind, wasHeld ? undefined : client);
      }
      if (outcome.kind === 'label') return keepLabel(vin, decoded, source, outcome);
      const miss = missOf(vin, decoded, source, source === sources[0] ? outcome : fromSecondSource(outcome));
      if (miss.kind === 'none') none = mergeNone(none, miss);
      else failure ??= miss;
    }
    if (failure) {
      // A pause may be for this client only, and the breaker remembers it: it says nothing about the VIN.
      if (failure.why !== PAUSED) await keepMiss(failure);
      return missFinding(failure);
    }
    if (none && none !== earlier) await keepMiss(none);
    if (ourFailure) return ourFailure;
    // A source that became available in the meantime is asked on the next lookup.
    const finding = knownFinding(sources, none) ?? { state: 'not-asked' };
    return finding.state === 'none' ? unlessHeld(vin, finding) : finding;
  }

  /** Never returns "none" for a label we hold, even if its bytes are damaged or another instance just stored it. */
  async function unlessHeld(vin: string, none: Finding): Promise<Finding> {
    const row = await stored.read(() => store.find(vin));
    if ('state' in row) return row;
    const { label, withdrawal } = row;
    if (withdrawal) return { state: 'withdrawn', reason: withdrawal.reason, since: withdrawal.at };
    if (!label) return none;
    return label.damaged ? DAMAGED : { state: 'held', label };
  }

  return askSources;
}

/** Stores what a source sent: a label with its reading, or that it has none. */
function outcomeStore(
  { store, derived, log, now }: FetchDependencies,
  stored: Pick<StoredState, 'withdrawal' | 'failure'>,
) {
  /** Reads and stores a label that a source sent. */
  async function keepLabel(
    vin: string,
    decoded: Decoded,
    source: Source,
    outcome: Extract<TimedOutcome, { kind: 'label' }>,
  ): Promise<Finding> {
    const make = decoded.vehicle?.make ?? source.makes[0]!;
    const reading = await derived.readFetched(vin, make, outcome);
    try {
      const label = await store.addLabel(
        {
          vin,
          make,
          source: source.id,
          host: outcome.host,
          fetched: now(),
          paint: reading?.paint ?? null,
          car: printedCar(reading?.label ?? null),
          reader: reading?.reader ?? null,
        },
        outcome.pdf,
      );
      setImmediate(() => void storeDerived(label, outcome.text, reading));
      log.info('label stored', {
        source: source.id,
        make,
        bytes: label.bytes,
        ms: Math.round(outcome.ms),
      });
      return { state: 'held', label };
    } catch (error) {
      const gone = error instanceof LabelWithdrawn ? await stored.withdrawal(vin) : null;
      if (gone) return gone;
      // A bug would fail the same way at every request.
      if (!(error instanceof StoreUnavailable)) {
        const at = now();
        await keepMiss({ vin, source: source.id, kind: 'failed', why: 'store', at, until: at + BUG_MS });
      }
      return stored.failure(error);
    }
  }

  /** In the background: text and reading can be derived again, so a failure does not affect the label. */
  async function storeDerived(label: HeldLabel, text: LabelText | undefined, reading: Reading | null) {
    try {
      if (text) await store.cache(label, 'text', String(text.version), text);
      if (reading) await store.cache(label, 'reading', reading.reader, reading);
    } catch (error) {
      log.warn('cannot store a reading', { source: label.source, error: String(error) });
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
      await store.addMiss(miss);
    } catch (error) {
      stored.failure(error);
    }
    log.info('no label', { source: miss.source, outcome: miss.kind, why: miss.why });
  }

  return { keepLabel, missOf, keepMiss };
}
