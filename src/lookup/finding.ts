import type { Decoded } from '@monroney/vin';
import { printedCar } from '@monroney/label/reading/printed-car';
import type { PrintedCar, Reading } from '@monroney/label/reading/types';
import type { HeldLabel, Miss } from '../store/store.ts';
import type { Source, Outcome } from '../makers/maker.ts';
import type { StickerReason } from './schemas.ts';
import type { Switches } from './switches.ts';

/**
 * What is known now about the label of one VIN. `finding-response.ts` turns it into what the API says. `sourceId` is the source it
 * is about, if a car has two.
 */
export type Finding =
  /** The make publishes no labels, or the make is unknown. */
  | { state: 'no-source' }
  | { state: 'held'; label: HeldLabel }
  /** The manufacturer says it has none; asked again after `until`. */
  | { state: 'none'; why: string; until: number }
  /** Taken down by the operator: it alone, for good, or with all of its source, until that is on again. */
  | { state: 'withdrawn'; reason: string; since: number }
  /** We hold none, and the lookup didn't ask for it (`sticker=false`). */
  | { state: 'not-asked' }
  /** Switched off by the operator, and not held. */
  | { state: 'off'; reason: string | null; since: number | null; sourceId?: string }
  | { state: 'refused'; why: string; retryAfter: number; sourceId?: string }
  | { state: 'failed'; why: string; retryAfter: number; sourceId?: string }
  /** The client didn't wait any longer; the request to the source continues. */
  | { state: 'asking'; since: number; retryAfter: number; sourceId?: string }
  /** This client requested too many new labels, so no request was sent. */
  | { state: 'limited'; retryAfter: number };

export interface LookupResult {
  vin: string;
  decoded: Decoded;
  /** The source that the finding is about; null if the make publishes no labels. */
  source: Source | null;
  finding: Finding;
  /** Set for our documented test VINs. */
  specimen: boolean;
}

/** What a stored label says about the car, for its name. */
export function printedCarOf({ finding }: Pick<LookupResult, 'finding'>): PrintedCar | null {
  return (finding.state === 'held' && finding.label.car) || null;
}

/** The make in capitals: vPIC's or, where it can't tell, the label's. */
export function makeOf(found: Pick<LookupResult, 'decoded' | 'finding'>): string | null {
  return found.decoded.vehicle?.make ?? printedCarOf(found)?.make.toUpperCase() ?? null;
}

/** The result with what its label says by this reading: the row of an older version doesn't have it. */
export function withReading<T extends Pick<LookupResult, 'finding'>>(found: T, reading: Reading | null): T {
  const { finding } = found;
  if (finding.state !== 'held' || !reading?.label) return found;
  return { ...found, finding: { ...finding, label: { ...finding.label, car: printedCar(reading.label) } } };
}

/** The rows of `finding-response.ts` and `messages.ts`: a label, or the reason why there is none. */
export type Code = 'available' | StickerReason;

/** Whether we know the manufacturer but not the make, and so don't know which source to ask. */
export function isMakeUnknown({ finding, decoded }: LookupResult): boolean {
  return finding.state === 'no-source' && decoded.vehicle !== null && !decoded.vehicle.make;
}

/** vPIC's error code. */
const WRONG_CHECK_DIGIT = 1;

export function failsCheckDigit({ codes }: Decoded): boolean {
  return codes.includes(WRONG_CHECK_DIGIT);
}

/** What we know about a car's one or two sources without sending a request. */

export type OutcomeWithoutLabel = Exclude<Outcome, { kind: 'label' }>;

interface Status {
  switches: Pick<Switches, 'state' | 'restingMs'>;
  now(): number;
}

export const isOff = ({ id }: Source, { switches }: Status): boolean => switches.state(id).state === 'off';

export const isAvailable = (source: Source, status: Status): boolean =>
  !isOff(source, status) && status.switches.restingMs(source.id) === 0;

/** The finding for a stored label that the operator withholds with all others of its source; null if it may be served. */
export function withheldFinding({ source }: HeldLabel, { switches }: Status): Finding | null {
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
  return { state: 'refused', why: 'resting', retryAfter: Math.ceil(next.ms / 1000), sourceId: next.id };
}

export function missFinding(miss: Miss, { now }: Status): Finding {
  if (miss.kind === 'none') return { state: 'none', why: miss.why, until: miss.until };
  return {
    state: miss.kind,
    why: miss.why,
    retryAfter: Math.max(1, Math.ceil((miss.until - now()) / 1000)),
    sourceId: miss.source,
  };
}

/** The sources that have not said "none" yet. */
export function remainingSources(sources: readonly Source[], miss: Miss | null): readonly Source[] {
  if (miss?.kind !== 'none') return sources;
  const saidNone = miss.source.split(' ');
  return sources.filter(({ id }) => !saidNone.includes(id));
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

/** Genesis sends another car's label for a Hyundai that it doesn't know. From a second source that means "none". */
export function fromSecondSource(outcome: OutcomeWithoutLabel): OutcomeWithoutLabel {
  return outcome.kind === 'failed' && outcome.why === 'wrong-vin'
    ? { kind: 'none', why: outcome.why }
    : outcome;
}

/** The source that a finding is about. */
export function sourceOf(finding: Finding, sources: readonly Source[]): Source | null {
  const id =
    finding.state === 'held' ? finding.label.source : 'sourceId' in finding ? finding.sourceId : undefined;
  return sources.find((source) => source.id === id) ?? sources[0] ?? null;
}
