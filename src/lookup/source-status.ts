import type { Finding } from './finding.ts';
import type { Outcome, Source } from '../makers/maker.ts';
import type { Switches } from './switches.ts';
import type { HeldLabel, Miss } from '../store/store.ts';

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
