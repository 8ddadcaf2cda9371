import type { Finding } from './finding.ts';
import type { Outcome, Source } from '../makers/maker.ts';
import type { Switches } from './switches.ts';
import type { Miss } from '../store/store.ts';

/** What we know about a car's one or two sources without sending a request. */

export type OutcomeWithoutLabel = Exclude<Outcome, { kind: 'label' }>;

export type SourceStatus = ReturnType<typeof createSourceStatus>;

export function createSourceStatus(switches: Switches, now: () => number) {
  const isOff = ({ id }: Source) => switches.state(id).state === 'off';

  const isAvailable = (source: Source) => !isOff(source) && switches.restingMs(source.id) === 0;

  /**
   * The finding without a request; null if a request is needed. It is "none" only if every source said so: a source that
   * is off, resting or failed may have the label that another doesn't.
   */
  function knownFinding(sources: readonly Source[], miss: Miss | null): Finding | null {
    // Ignore errors from a disabled source.
    const failed = sources.find(({ id }) => miss?.kind !== 'none' && miss?.source === id);
    if (miss && failed && !isOff(failed)) return missFinding(miss);
    const remaining = remainingSources(sources, miss);
    return miss && remaining.length === 0 ? missFinding(miss) : unavailableFinding(remaining);
  }

  /** The finding when no source is available now; null when one is. */
  function unavailableFinding(sources: readonly Source[]): Finding | null {
    const switchedOn = sources.filter((source) => !isOff(source));
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

  function missFinding(miss: Miss): Finding {
    if (miss.kind === 'none') return { state: 'none', why: miss.why, until: miss.until };
    return {
      state: miss.kind,
      why: miss.why,
      retryAfter: Math.max(1, Math.ceil((miss.until - now()) / 1000)),
      sourceId: miss.source,
    };
  }

  return { isOff, isAvailable, knownFinding, unavailableFinding, missFinding };
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
