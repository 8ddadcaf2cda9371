import { hash } from 'node:crypto';
import type { Decoded, Vpic } from '@monroney/vin';
import { siteOf, type Limiter } from '../lib/limits.ts';
import type { Log } from '../lib/log.ts';
import type { SingleFlight } from '../lib/single-flight.ts';
import { withTimeout } from '../lib/timeout.ts';
import { makeOnLabel, type Source } from '../makers/maker.ts';
import { printedCar } from '@monroney/label/reading/printed-car';
import type { LabelText, Reading } from '@monroney/label/reading/types';
import {
  LabelWithdrawn,
  StoreUnavailable,
  type HeldLabel,
  type Miss,
  type Store,
  type VinRow,
} from '../store/store.ts';
import type { AskOptions, TimedOutcome } from './ask.ts';
import type { TextsAndPreviews } from './texts-and-previews.ts';
import type { Finding, LookupResult } from './finding.ts';
import { isOurFailure, missTtlMs } from './finding-response.ts';
import {
  findingOfMiss,
  fromSecondSource,
  isAvailable,
  isOff,
  mergeNone,
  missFinding,
  remainingSources,
  sourceOf,
  unavailableFinding,
  withheldFinding,
  type OutcomeWithoutLabel,
} from './source-status.ts';
import { PAUSED, wasSent, type RecordOutcome } from './outcomes.ts';
import type { SiteFetches } from './site-fetches.ts';
import { specimenResult, type Specimen } from './specimens/index.ts';
import type { Switches } from './switches.ts';

export interface FindOptions {
  /** Whether to fetch the label if we don't hold it. */
  sticker: boolean;
  /** Returns `asking` after this time while the request continues. Without it, waits for the outcome. */
  maxWaitMs?: number;
  /**
   * Identifies the client for limits and fair queues. Opaque, never logged. Without it, nothing is limited. The visitor of
   * another site (`visitorOf`) waits behind everybody's own lookups.
   */
  client?: string;
}

export interface FindDependencies {
  vpic: Pick<Vpic, 'decode'>;
  /** NHTSA's live decoder, for VINs missing from the offline data; off by default. */
  live?: { decode(vin: string, client?: string): Promise<Decoded | null> };
  specimens: { find(vin: string): Specimen | null };
  sources: { for(vin: string, make: string | null): readonly Source[] };
  switches: Switches;
  store: Store;
  /** One fetch per VIN at a time, over all instances that share a store. */
  singleFlight: SingleFlight;
  /** Limits fetches per client; unlimited by default. */
  limit?: Pick<Limiter, 'take' | 'end'>;
  /** Where visitors of other sites wait. */
  sites?: SiteFetches;
  /** Requests the label from one source and judges the response. */
  ask(source: Source, vin: string, options: AskOptions): Promise<TimedOutcome>;
  /** Counts what a source said. */
  recordOutcome: RecordOutcome;
  textsAndPreviews: Pick<TextsAndPreviews, 'readFetched' | 'refresh'>;
  log: Log;
  now(): number;
}

/** A car to find the label of. */
interface Car {
  vin: string;
  decoded: Decoded;
  /** Those that may have its label. */
  sources: readonly Source[];
}

/**
 * The product: decode the VIN, find the sources of its make, look for the label in the store, ask the sources once, store what
 * they say. `vin` is upper-case and well-formed.
 */
export async function find(
  vin: string,
  options: FindOptions,
  dependencies: FindDependencies,
): Promise<LookupResult> {
  const offline = dependencies.vpic.decode(vin);
  const specimen = dependencies.specimens.find(vin);
  if (specimen) {
    const [source = null] = dependencies.sources.for(vin, offline.vehicle?.make ?? null);
    return specimenResult(specimen, offline, source, options.sticker);
  }
  const live = isUnknown(offline) ? await dependencies.live?.decode(vin, options.client) : null;
  const decoded = live ?? offline;
  const sources = dependencies.sources.for(vin, decoded.vehicle?.make ?? null);
  // Nobody will be asked, so this is the last look.
  const isAllOff = sources.length > 0 && sources.every((source) => isOff(source, dependencies));
  const row = await storedRow(vin, dependencies, options.sticker && isAllOff ? 'findOrRecover' : 'find');
  const finding =
    findingOfRow(row, sources, options.sticker, dependencies) ??
    (await fetchLabel({ vin, decoded, sources }, options, dependencies));
  if (finding.state === 'held') dependencies.textsAndPreviews.refresh(finding.label);
  return { vin, decoded, source: sourceOf(finding, sources), finding, specimen: false };
}

/** NHTSA's error codes for an unknown manufacturer or model. */
const isUnknown = ({ codes }: Decoded): boolean => codes.includes(7) || codes.includes(8);

/** The store doesn't respond. */
const STORE_FAILED: Finding = { state: 'failed', why: 'store', retryAfter: 10 };
/** We hold a label, but its bytes are missing or corrupted, and its source no longer has it. */
const DAMAGED: Finding = { state: 'failed', why: 'store', retryAfter: 60 };

/** A row dated further in the future was written while the clock was wrong, and would apply far too long. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** What the store knows about a VIN; null if it can't be read, because decodes must work without it. */
async function storedRow(
  vin: string,
  { store, log, now }: FindDependencies,
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

async function isWritable({ store, log }: FindDependencies): Promise<boolean> {
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
function findingOfRow(
  row: VinRow | null,
  sources: readonly Source[],
  sticker: boolean,
  dependencies: FindDependencies,
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

/** The longest wait for a card on another site. Its fetch continues. */
const MAX_SITE_WAIT_MS = 20_000;

/** Fetches the label, or returns `asking` when the client has waited long enough. */
async function fetchLabel(
  car: Car,
  { client, maxWaitMs }: FindOptions,
  dependencies: FindDependencies,
): Promise<Finding> {
  const { singleFlight, now } = dependencies;
  const sites = siteOf(client) === null ? undefined : dependencies.sites;
  const since = singleFlight.startedAt(car.vin) ?? sites?.startedAt(car.vin, client!) ?? now();
  const finding = sites
    ? fetchForSite(car, client!, sites, dependencies)
    : fetchOnce(car, client, dependencies);
  const waitMs = maxWaitMs ?? (sites && MAX_SITE_WAIT_MS);
  if (waitMs === undefined) return finding;
  const sourceId = car.sources.find((source) => isAvailable(source, dependencies))?.id;
  const retryAfter = sites?.retryAfter(client!) ?? 2;
  return withTimeout(waitMs, finding, { state: 'asking', since, retryAfter, sourceId });
}

/** The outcome of a fetch, and whether a request was sent that counts toward the client's limit. */
interface Fetched {
  finding: Finding;
  isCounted: boolean;
  startedBy?: string;
}

/** How many fetches a client joins that are refused because of the client that started them. */
const MAX_REFUSALS_OF_OTHERS = 5;

/** Joins the fetch that is running for this VIN, or starts one within the client's limit. */
async function fetchOnce(
  car: Car,
  client: string | undefined,
  dependencies: FindDependencies,
  refusalsOfOthers = 0,
): Promise<Finding> {
  const isJoining = dependencies.singleFlight.startedAt(car.vin) !== null;
  const limit = isJoining || client === undefined ? undefined : dependencies.limit;
  const taken = limit?.take(client!);
  if (taken?.allowed === false) return { state: 'limited', retryAfter: secondsOf(taken.waitMs) };
  const { finding, isCounted, startedBy } = await joinOrFetch(car, client, dependencies);
  limit?.end(client!, isCounted);
  // The queue or the breaker refused the client that started the fetch, and perhaps not this one.
  const isRefusalOfOther = startedBy !== client && isClientSpecific(finding);
  return isRefusalOfOther && refusalsOfOthers < MAX_REFUSALS_OF_OTHERS
    ? fetchOnce(car, client, dependencies, refusalsOfOthers + 1)
    : finding;
}

/** Seconds after which a card may be lucky, when too many wait. */
const SITE_RETRY_SECONDS = 60;

/** Joins the fetch that is running for this VIN, or starts one when it is the site's turn. */
async function fetchForSite(
  car: Car,
  client: string,
  sites: SiteFetches,
  dependencies: FindDependencies,
): Promise<Finding> {
  const { vin, sources } = car;
  if (dependencies.singleFlight.startedAt(vin) !== null) {
    const { finding } = await joinOrFetch(car, client, dependencies);
    if (!isClientSpecific(finding)) return finding;
  }
  const source = sources.find((one) => isAvailable(one, dependencies));
  if (!source) return (await joinOrFetch(car, client, dependencies)).finding;
  const fetched = await sites.inTurn({ vin, source, client }, () =>
    joinOrFetch(car, client, dependencies, source),
  );
  if (fetched) return fetched.finding;
  return { state: 'failed', why: QUEUE_FULL, retryAfter: SITE_RETRY_SECONDS, sourceId: source.id };
}

/** One fetch per VIN. It continues even if all clients disconnect. Never rejects. */
async function joinOrFetch(
  car: Car,
  client: string | undefined,
  dependencies: FindDependencies,
  withSlot?: Source,
): Promise<Fetched> {
  const { vin, sources } = car;
  const { singleFlight, log } = dependencies;
  const isJoining = singleFlight.startedAt(vin) !== null;
  return singleFlight
    .once(vin, async () => ({
      ...(await askSources(car, client, dependencies, withSlot)),
      startedBy: client,
    }))
    .catch((error: unknown): Fetched => {
      if (error instanceof StoreUnavailable) return { finding: STORE_FAILED, isCounted: false };
      const stack = String((error as Error).stack ?? error);
      if (!isJoining) log.error('lookup failed', { source: sources[0]!.id, error: stack });
      return { finding: { state: 'failed', why: 'internal', retryAfter: 30 }, isCounted: true };
    });
}

const QUEUE_FULL = 'busy';

const isClientSpecific = (finding: Finding): boolean =>
  'why' in finding && (finding.why === QUEUE_FULL || finding.why === PAUSED);

/** Rounds up; 5 seconds when the wait is unknown. */
const secondsOf = (ms = 5000): number => Math.max(1, Math.ceil(ms / 1000));

/** A source that was asked, and what it said. */
interface Asked {
  source: Source;
  outcome: TimedOutcome;
}

/**
 * Asks the sources of a car in order until one has the label, and stores what they said. `withSlot` is the source for which this
 * request has waited.
 */
async function askSources(
  car: Car,
  client: string | undefined,
  dependencies: FindDependencies,
  withSlot?: Source,
): Promise<Fetched> {
  const { vin, sources } = car;
  // Another process or an earlier request may have stored it meanwhile, or the database may have lost its row.
  const row = await storedRow(vin, dependencies, 'findOrRecover');
  const known = findingOfRow(row, sources, true, dependencies);
  if (known) return { finding: known, isCounted: false };
  // A label that can't be stored would be requested again and again.
  const canStore = () => isWritable(dependencies);
  if (!(await canStore())) return { finding: STORE_FAILED, isCounted: false };
  const remaining = remainingSources(sources, row!.miss);
  const asked: Asked[] = [];
  for (const [index, source] of remaining.entries()) {
    if (!isAvailable(source, dependencies)) continue;
    const spentMs = asked.reduce((sum, { outcome }) => sum + outcome.ms, 0);
    const othersFollow = remaining.slice(index + 1).some((other) => isAvailable(other, dependencies));
    const hasSlot = source === withSlot;
    const options = { spentMs, othersFollow, client, canStore, hasSlot };
    const outcome = await dependencies.ask(source, vin, options);
    // Switched off while it waited for its turn, so it wasn't asked.
    if (outcome.kind === 'failed' && outcome.why === 'unavailable') continue;
    asked.push({ source, outcome });
    dependencies.recordOutcome(source, outcome, client);
    if (outcome.kind === 'label')
      return { finding: await storeLabel(car, source, outcome, dependencies), isCounted: true };
  }
  const finding = await storeMisses(car, row!, asked, dependencies);
  return { finding, isCounted: asked.some(({ outcome }) => wasSent(outcome)) };
}

/** A label that can't be stored, though the store can be written, is not fetched again for this long. */
const UNSTORED_MS = 60_000;
/** The same if a bug is the reason, because it fails the same way every time. */
const BUG_MS = 10 * 60_000;

/** Reads and stores a label that a source sent. */
async function storeLabel(
  { vin, decoded }: Car,
  source: Source,
  outcome: Extract<TimedOutcome, { kind: 'label' }>,
  dependencies: FindDependencies,
): Promise<Finding> {
  const { store, textsAndPreviews, log, now } = dependencies;
  const named = decoded.vehicle?.make ?? null;
  const reading = await textsAndPreviews.readFetched({ vin, make: named }, source, outcome);
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
    if (label.sha256 === hash('sha256', pdf, 'hex'))
      setImmediate(() => void cacheDerived(label, text, reading, dependencies));
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

/** In the background: text and reading can be derived again, so a failure does not affect the label. */
async function cacheDerived(
  label: HeldLabel,
  text: LabelText | undefined,
  reading: Reading | null,
  { store, log }: FindDependencies,
): Promise<void> {
  try {
    if (text) await store.cache(label, 'text', String(text.version), text);
    if (reading) await store.cache(label, 'reading', reading.reader, reading);
  } catch (error) {
    log.warn('cannot store a reading', { source: label.source, error: String(error) });
  }
}

/** Stores that no source had the label: a failure if there was one, otherwise who said "none". */
async function storeMisses(
  car: Car,
  { miss: earlier }: VinRow,
  asked: readonly Asked[],
  dependencies: FindDependencies,
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

function ourFinding({ source, outcome }: Asked): Finding {
  const { why, retryAfterMs } = outcome as Extract<TimedOutcome, { kind: 'failed' }>;
  return { state: 'failed', why, retryAfter: secondsOf(retryAfterMs), sourceId: source.id };
}

function missOf(
  { vin, decoded }: Car,
  source: Source,
  outcome: OutcomeWithoutLabel,
  { now }: FindDependencies,
): Miss {
  const at = now();
  const year = Number(decoded.vehicle?.year) || null;
  const until = at + missTtlMs(outcome, source, year, at);
  return { vin, source: source.id, kind: outcome.kind, why: outcome.why, at, until };
}

/** False if it couldn't be stored. */
async function storeMiss(miss: Miss, { store, log }: FindDependencies): Promise<boolean> {
  log.info('no label', { source: miss.source, outcome: miss.kind, why: miss.why });
  try {
    await store.addMiss(miss);
    return true;
  } catch (error) {
    logStoreFailure(error, log);
    return false;
  }
}
