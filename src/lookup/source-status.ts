import type { Finding } from './finding.ts';
import type { Outcome, Source } from '../makers/maker.ts';
import type { Switches } from './switches.ts';
import type { Miss } from '../store/store.ts';

/** What is known about a car's one or two sources without sending a request. */

export type NoLabel = Exclude<Outcome, { kind: 'label' }>;

export function createSourceStatus(switches: Switches, now: () => number) {
  const isOff = ({ id }: Source) => switches.state(id).state === 'off';

  const mayBeAsked = (source: Source) => !isOff(source) && switches.restingMs(source.id) === 0;

  /**
   * The finding without a request; null when a request is needed. It is "none" only when every source said so: one that
   * is off, resting or failed may have the label that another does not.
   */
  function standing(sources: readonly Source[], miss: Miss | null): Finding | null {
    // Ignore errors from a disabled source.
    const troubled = sources.find(({ id }) => miss?.kind !== 'none' && miss?.source === id);
    if (miss && troubled && !isOff(troubled)) return believed(miss);
    const left = leftOf(sources, miss);
    return miss && left.length === 0 ? believed(miss) : closed(left);
  }

  /** The finding when no source is available now; null when one is. */
  function closed(sources: readonly Source[]): Finding | null {
    const open = sources.filter((source) => !isOff(source));
    if (open.length === 0) {
      const [{ id }] = sources as [Source];
      const { reason, since } = switches.state(id);
      return { state: 'off', reason, since, by: id };
    }
    const [next] = open
      .map(({ id }) => ({ id, ms: switches.restingMs(id) }))
      .sort((one, other) => one.ms - other.ms) as [{ id: string; ms: number }];
    if (next.ms === 0) return null;
    return { state: 'refused', why: 'resting', retryAfter: Math.ceil(next.ms / 1000), by: next.id };
  }

  function believed(miss: Miss): Finding {
    if (miss.kind === 'none') return { state: 'none', why: miss.why, until: miss.until };
    return {
      state: miss.kind,
      why: miss.why,
      retryAfter: Math.max(1, Math.ceil((miss.until - now()) / 1000)),
      by: miss.source,
    };
  }

  return { isOff, mayBeAsked, standing, closed, believed };
}

/** The sources that have not said "none" yet. */
export function leftOf(sources: readonly Source[], miss: Miss | null): readonly Source[] {
  if (miss?.kind !== 'none') return sources;
  const said = miss.source.split(' ');
  return sources.filter(({ id }) => !said.includes(id));
}

/** Merges the "none" of two sources; valid while both are. */
export function joined(earlier: Miss | null, miss: Miss): Miss {
  if (!earlier) return miss;
  return {
    ...miss,
    source: `${earlier.source} ${miss.source}`,
    until: Math.min(earlier.until, miss.until),
  };
}

/** Genesis sends another car's label for a Hyundai it does not know: from a sister source that means "none". */
export function fromSister(outcome: NoLabel): NoLabel {
  return outcome.kind === 'failed' && outcome.why === 'wrong-vin'
    ? { kind: 'none', why: outcome.why }
    : outcome;
}

/** The source that a finding is about; of two, not always the first. */
export function spokenOf(finding: Finding, sources: readonly Source[]): Source | null {
  const id = finding.state === 'held' ? finding.label.source : 'by' in finding ? finding.by : undefined;
  return sources.find((source) => source.id === id) ?? sources[0] ?? null;
}
