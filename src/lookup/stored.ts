import { hash } from 'node:crypto';
import type { Decoded } from '@monroney/vin';
import { printedCar } from '@monroney/label/reading/printed-car';
import type { LabelText, Reading } from '@monroney/label/reading/types';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { makeOnLabel, type Outcome, type Source } from '../makers/maker.ts';
import {
  LabelWithdrawn,
  StoreUnavailable,
  type HeldLabel,
  type Miss,
  type Store,
  type VinRow,
} from '../store/store.ts';
import type { TimedOutcome } from './ask.ts';
import type { Finding } from './finding.ts';
import { isOurFailure, missTtlMs } from './finding-response.ts';
import { readingOfFetched, type LabelWorkers } from './label-workers.ts';
import { isOff, PAUSED, type Status, type Switches } from './source-states.ts';

/** What the store knows about a VIN, and storing what sources said. A store that fails never fails a lookup. */

export interface StoredDependencies {
  store: Store;
  switches: Switches;
  /** In which labels are read. */
  workers: Pick<LabelWorkers, 'run'>;
  metrics: Pick<Metrics, 'count'>;
  log: Log;
  now(): number;
}

/** A car to find the label of. */
export interface Car {
  vin: string;
  decoded: Decoded;
  /** Those that may have its label. */
  sources: readonly Source[];
}

/** A source that was asked, and what it said. */
export interface Asked {
  source: Source;
  outcome: TimedOutcome;
}

/** Rounds up; 5 seconds when the wait is unknown. */
export const secondsOf = (ms = 5000): number => Math.max(1, Math.ceil(ms / 1000));

/** The store doesn't respond. */
export const STORE_FAILED: Finding = { state: 'failed', why: 'store', retryAfter: 10 };
/** We hold a label, but its bytes are missing or corrupted, and its source no longer has it. */
const DAMAGED: Finding = { state: 'failed', why: 'store', retryAfter: 60 };

/** A row dated further in the future was written while the clock was wrong, and would apply far too long. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** What the store knows about a VIN; null if it can't be read, because decodes must work without it. */
export async function storedRow(
  vin: string,
  { store, log, now }: StoredDependencies,
  method: 'find' | 'findOrRecover' = 'find',
): Promise<VinRow | null> {
  try {
    const row = await store[method](vin);
    const isCurrent = row.miss && row.miss.until > now() && row.miss.at < now() + MAX_CLOCK_SKEW_MS;
    return isCurrent ? row : { ...row, miss: null };
  } catch (error) {
    logStoreFailure(error, log);
    return null;
  }
}

export async function isWritable({ store, log }: StoredDependencies): Promise<boolean> {
  try {
    await store.ready();
    return true;
  } catch (error) {
    logStoreFailure(error, log);
    return false;
  }
}

/** The store reports its own failures. Anything else is a bug. */
function logStoreFailure(error: unknown, log: Log): void {
  if (error instanceof StoreUnavailable) log.debug('store unavailable', { error: error.message });
  else log.error('store failed', { error: String((error as Error).stack ?? error) });
}

/** The finding without a request; null if a request is needed. */
export function findingOfRow(
  row: VinRow | null,
  sources: readonly Source[],
  sticker: boolean,
  dependencies: StoredDependencies,
): Finding | null {
  if (!row) return sources.length === 0 ? { state: 'no-source' } : STORE_FAILED;
  const { label, miss, withdrawal } = row;
  if (withdrawal) return { state: 'withdrawn', reason: withdrawal.reason, since: withdrawal.at };
  const withheld = label && withheldFinding(label, dependencies);
  if (withheld) return withheld;
  if (label && !label.damaged) return { state: 'held', label };
  if (sources.length === 0) return label ? DAMAGED : { state: 'no-source' };
  if (sources.every((source) => isOff(source, dependencies)))
    return label ? DAMAGED : unavailableFinding(sources, dependencies);
  const finding = findingOfMiss(sources, miss, dependencies);
  if (finding?.state === 'none') return label ? DAMAGED : finding;
  return sticker ? finding : { state: 'not-asked' };
}

/** The finding for a stored label that the operator withholds with all others of its source; null if it may be served. */
function withheldFinding({ source }: HeldLabel, { switches }: Status): Finding | null {
  const { withheld, reason, since } = switches.state(source);
  return withheld ? { state: 'withdrawn', reason: reason ?? '', since } : null;
}

/**
 * The finding without a request; null if a request is needed. It is "none" only if every source said so: a source that
 * is off, resting or failed may have the label that another doesn't.
 */
export function findingOfMiss(sources: readonly Source[], miss: Miss | null, status: Status): Finding | null {
  // Ignore errors from a disabled source.
  const failed = sources.find(({ id }) => miss?.kind !== 'none' && miss?.source === id);
  if (miss && failed && !isOff(failed, status)) return missFinding(miss, status);
  const remaining = remainingSources(sources, miss);
  return miss && remaining.length === 0 ? missFinding(miss, status) : unavailableFinding(remaining, status);
}

/** The finding when no source is available now; null when one is. */
export function unavailableFinding(sources: readonly Source[], status: Status): Finding | null {
  const { switches } = status;
  const switchedOn = sources.filter((source) => !isOff(source, status));
  if (switchedOn.length === 0) {
    const [{ id }] = sources as [Source];
    const { reason, since } = switches.state(id);
    return { state: 'off', reason, since, sourceId: id };
  }
  const [next] = switchedOn
    .map(({ id }) => ({ id, ms: switches.restingMs(id) }))
    .sort((one, other) => one.ms - other.ms) as [{ id: string; ms: number }];
  if (next.ms === 0) return null;
  return { state: 'refused', why: 'resting', retryAfter: secondsOf(next.ms), sourceId: next.id };
}

function missFinding(miss: Miss, { now }: Status): Finding {
  if (miss.kind === 'none') return { state: 'none', why: miss.why, until: miss.until };
  return {
    state: miss.kind,
    why: miss.why,
    retryAfter: secondsOf(miss.until - now()),
    sourceId: miss.source,
  };
}

/** The sources that have not said "none" yet. */
export function remainingSources(sources: readonly Source[], miss: Miss | null): readonly Source[] {
  if (miss?.kind !== 'none') return sources;
  const saidNone = miss.source.split(' ');
  return sources.filter(({ id }) => !saidNone.includes(id));
}

/** A label that can't be stored, though the store can be written, is not fetched again for this long. */
const UNSTORED_MS = 60_000;
/** The same if a bug is the reason, because it fails the same way every time. */
const BUG_MS = 10 * 60_000;

/** Reads and stores a label that a source sent. */
export async function storeLabel(
  { vin, decoded }: Car,
  source: Source,
  outcome: Extract<TimedOutcome, { kind: 'label' }>,
  dependencies: StoredDependencies,
): Promise<Finding> {
  const { store, log, now } = dependencies;
  const named = decoded.vehicle?.make ?? null;
  const reading = await readingOfFetched({ vin, make: named }, source, outcome, dependencies);
  const make = named ?? makeOnLabel(source, reading);
  const { host, pdf, text, ms } = outcome;
  const { paint = null, reader = null } = reading ?? {};
  const car = printedCar(reading?.label ?? null);
  try {
    const label = await store.addLabel(
      { vin, make, source: source.id, host, fetched: now(), paint, car, reader },
      pdf,
    );
    // Another copy may have been first, and say something else.
    if (label.sha256 === hash('sha256', pdf, 'hex')) await cacheDerived(label, text, reading, dependencies);
    log.info('label stored', { source: source.id, make, bytes: label.bytes, ms: Math.round(ms) });
    // The operator may have decided while it was fetched.
    return withheldFinding(label, dependencies) ?? { state: 'held', label };
  } catch (error) {
    if (error instanceof LabelWithdrawn)
      return findingOfRow(await storedRow(vin, dependencies), [source], false, dependencies) ?? STORE_FAILED;
    logStoreFailure(error, log);
    const isBug = !(error instanceof StoreUnavailable);
    const at = now();
    const until = at + (isBug ? BUG_MS : UNSTORED_MS);
    // Otherwise no source is asked anyway.
    if (isBug || (await isWritable(dependencies)))
      await storeMiss({ vin, source: source.id, kind: 'failed', why: 'store', at, until }, dependencies);
    return STORE_FAILED;
  }
}

/** Before the response, which may need them. They can be derived again, so a failure does not affect the label. */
async function cacheDerived(
  label: HeldLabel,
  text: LabelText | undefined,
  reading: Reading | null,
  { store, log }: StoredDependencies,
): Promise<void> {
  try {
    if (text) await store.cache(label, 'text', String(text.version), text);
    if (reading) await store.cache(label, 'reading', reading.reader, reading);
  } catch (error) {
    log.warn('cannot store a reading', { source: label.source, error: String(error) });
  }
}

/** Stores that no source had the label: a failure if there was one, otherwise who said "none". */
export async function storeMisses(
  car: Car,
  { miss: earlier }: VinRow,
  asked: readonly Asked[],
  dependencies: StoredDependencies,
): Promise<Finding> {
  const { vin, sources } = car;
  const misses = asked.flatMap(({ source, outcome }) => {
    if (outcome.kind === 'label' || isOurFailure(outcome)) return [];
    const counted = source === sources[0] ? outcome : fromSecondSource(outcome);
    return missOf(car, source, counted, dependencies);
  });
  const failure = misses.find(({ kind }) => kind !== 'none');
  if (failure) {
    // A pause may be for this client only, and the breaker remembers it: it says nothing about the VIN.
    if (failure.why !== PAUSED) await storeMiss(failure, dependencies);
    return missFinding(failure, dependencies);
  }
  const none = misses.reduce<Miss | null>(mergeNone, earlier?.kind === 'none' ? earlier : null);
  // What can't be recorded can't be compared with what is beside the bytes, and we may have the label.
  if (none && none !== earlier && !(await storeMiss(none, dependencies))) return STORE_FAILED;
  const ours = asked.find(({ outcome }) => isOurFailure(outcome));
  if (ours) return ourFinding(ours);
  // A source that became available in the meantime is asked on the next lookup.
  const finding = findingOfMiss(sources, none, dependencies) ?? { state: 'not-asked' };
  if (finding.state !== 'none') return finding;
  // Never "none" for a label we hold, even if its bytes are damaged or another instance just stored it.
  const row = await storedRow(vin, dependencies);
  return findingOfRow(row && { ...row, miss: none }, sources, true, dependencies) ?? finding;
}

/** Merges the "none" of two sources. It expires with the first of them. */
export function mergeNone(earlier: Miss | null, miss: Miss): Miss {
  if (!earlier) return miss;
  return {
    ...miss,
    source: `${earlier.source} ${miss.source}`,
    until: Math.min(earlier.until, miss.until),
  };
}

type OutcomeWithoutLabel = Exclude<Outcome, { kind: 'label' }>;

/** Genesis sends another car's label for a Hyundai that it doesn't know. From a second source that means "none". */
function fromSecondSource(outcome: OutcomeWithoutLabel): OutcomeWithoutLabel {
  return outcome.kind === 'failed' && outcome.why === 'wrong-vin'
    ? { kind: 'none', why: outcome.why }
    : outcome;
}

function ourFinding({ source, outcome }: Asked): Finding {
  const { why, retryAfterMs } = outcome as Extract<TimedOutcome, { kind: 'failed' }>;
  return { state: 'failed', why, retryAfter: secondsOf(retryAfterMs), sourceId: source.id };
}

function missOf(
  { vin, decoded }: Car,
  source: Source,
  outcome: OutcomeWithoutLabel,
  { now }: StoredDependencies,
): Miss {
  const at = now();
  const year = Number(decoded.vehicle?.year) || null;
  const until = at + missTtlMs(outcome, source, year, at);
  return { vin, source: source.id, kind: outcome.kind, why: outcome.why, at, until };
}

/** False if it couldn't be stored. */
async function storeMiss(miss: Miss, { store, log }: StoredDependencies): Promise<boolean> {
  log.info('no label', { source: miss.source, outcome: miss.kind, why: miss.why });
  try {
    await store.addMiss(miss);
    return true;
  } catch (error) {
    logStoreFailure(error, log);
    return false;
  }
}
