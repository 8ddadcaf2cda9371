import { LRUCache } from 'lru-cache';
import { isReadByCurrent } from '@monroney/label/read-text';
import type { Decoded, Vpic } from '@monroney/vin';
import { siteOf, type Budget, type Limiter } from '../lib/limits.ts';
import { type SingleFlight, withTimeout } from '../lib/promises.ts';
import type { Source } from '../makers/maker.ts';
import { LabelCorrupted, LabelMissing, StoreUnavailable, type HeldLabel } from '../store/store.ts';
import type { AskOptions, TimedOutcome } from './ask.ts';
import type { Finding, LookupResult } from './finding.ts';
import type { SiteFetches } from './site-fetches.ts';
import { isAvailable, isOff, PAUSED, wasSent, type RecordOutcome, type Switches } from './source-states.ts';
import { specimenByVin, specimenPdf, specimenResult } from './specimens/index.ts';
import {
  findingOfRow,
  isWritable,
  remainingSources,
  secondsOf,
  STORE_FAILED,
  storedRow,
  storeLabel,
  storeMisses,
  type Asked,
  type Car,
  type StoredDependencies,
} from './stored.ts';
import type { TextsAndPreviews } from './texts-and-previews.ts';

/** Labels that a client may have fetched from manufacturers. Joining a fetch that is already running is not counted. */
export const MAX_FETCHES_PER_MINUTE = 20;
export const MAX_CONCURRENT_FETCHES = 5;

export const FETCH_BUDGET: Budget = {
  requests: MAX_FETCHES_PER_MINUTE,
  windowMs: 60_000,
  concurrent: MAX_CONCURRENT_FETCHES,
};

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

export interface FindDependencies extends StoredDependencies {
  textsAndPreviews: TextsAndPreviews;
  vpic: Pick<Vpic, 'decode'>;
  /** NHTSA's live decoder, for VINs missing from the offline data; off by default. */
  live?: { decode(vin: string, client?: string): Promise<Decoded | null> };
  sources: { list: readonly Source[]; for(vin: string, make: string | null): readonly Source[] };
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
  const specimen = specimenByVin.get(vin);
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
  if (finding.state === 'held' && !isReadByCurrent(finding.label))
    dependencies.textsAndPreviews.refresh(finding.label);
  return { vin, decoded, source: sourceOf(finding, sources), finding, specimen: false };
}

/** The source that a finding is about. */
function sourceOf(finding: Finding, sources: readonly Source[]): Source | null {
  const id =
    finding.state === 'held' ? finding.label.source : 'sourceId' in finding ? finding.sourceId : undefined;
  return sources.find((source) => source.id === id) ?? sources[0] ?? null;
}

/** NHTSA's error codes for an unknown manufacturer or model. */
const isUnknown = ({ codes }: Decoded): boolean => codes.includes(7) || codes.includes(8);

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
  if (!(await canStore())) {
    const source = sources.find((one) => isAvailable(one, dependencies));
    if (source) dependencies.recordOutcome(source, { kind: 'failed', why: 'store', ms: 0 });
    return { finding: STORE_FAILED, isCounted: false };
  }
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
    dependencies.recordOutcome(source, outcome);
    if (outcome.kind === 'label')
      return { finding: await storeLabel(car, source, outcome, dependencies), isCounted: true };
  }
  const finding = await storeMisses(car, row!, asked, dependencies);
  return { finding, isCounted: asked.some(({ outcome }) => wasSent(outcome)) };
}

/** What every interface uses: the lookup of a VIN, and what belongs to a label that it found. */
export interface Lookup extends Pick<TextsAndPreviews, 'text' | 'lines' | 'reading' | 'preview' | 'card'> {
  decode(vin: string): Decoded;
  /** `vin` is upper-case and well-formed. */
  find(vin: string, options: FindOptions): Promise<LookupResult>;
  pdf(label: HeldLabel): Promise<Buffer>;
  readonly sources: readonly Source[];
  readonly switches: Switches;
}

export function createLookup(dependencies: FindDependencies): Lookup {
  const { store, textsAndPreviews, log } = dependencies;

  /** Marks a label whose bytes are missing or corrupted, so that the next lookup fetches it again. */
  async function markIfDamaged(label: HeldLabel, error: unknown): Promise<never> {
    if (error instanceof LabelMissing || error instanceof LabelCorrupted) {
      try {
        const found = await store.checkBytes(label);
        if (found === 'missing' || found === 'corrupted') await store.markDamaged(label);
        log.error('store: the bytes of a label are damaged', { sha256: label.sha256, found });
      } catch (failure) {
        log.warn('store: cannot check the bytes of a label', { error: String(failure) });
      }
    }
    throw error;
  }

  return {
    decode: (vin) => dependencies.vpic.decode(vin),
    find: (vin, options) => find(vin, options, dependencies),
    async pdf(label) {
      if (label.source === 'specimen') return specimenPdf(label.vin);
      return store.pdf(label).catch((error: unknown) => markIfDamaged(label, error));
    },
    ...textsAndPreviews,
    sources: dependencies.sources.list,
    switches: dependencies.switches,
  };
}

const MAX_ENTRIES = 4096;
/** Bounded, because the model year depends on today's date. */
const TTL_MS = 3_600_000;

/**
 * Decodes each kind of car once: VINs that differ only in serial number and check digit have the same decode. VINs with
 * errors are not cached.
 */
export function cachedDecoder(
  vpic: Pick<Vpic, 'decode' | 'kindOf'>,
  now: () => number,
): Pick<Vpic, 'decode'> {
  const kinds = new LRUCache<string, { decoded: Decoded; until: number }>({ max: MAX_ENTRIES });
  return {
    decode(vin) {
      const kind = vpic.kindOf(vin);
      if (kind === null) return vpic.decode(vin);
      const cached = kinds.get(kind);
      if (cached && now() < cached.until) return { ...cached.decoded, vin };
      const decoded = vpic.decode(vin);
      if (decoded.codes[0] === 0) kinds.set(kind, { decoded, until: now() + TTL_MS });
      return decoded;
    },
  };
}
