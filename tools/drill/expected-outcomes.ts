/** The right outcome of each misbehavior at each source: `label`, or `none:`, `refused:`, `failed:` and why. */
import type { Source } from '../../src/makers/maker.ts';
import type { Behavior } from '../simulator/behaviors.ts';
import { repliesOf } from '../makers.ts';

/** Outcomes that are the same at every source. */
const SAME_EVERYWHERE: Partial<Record<Behavior, string>> = {
  label: 'label',
  'empty-at-first': 'label',
  'truncated-at-first': 'label',
  'missing-end': 'label',
  'missing-end-at-first': 'label',
  'wrong-type': 'label',
  'label-as-404': 'label',
  gzip: 'label',
  brotli: 'label',
  chunked: 'label',
  'slow-label': 'label',
  'redirect-once': 'label',
  'other-layout': 'label',
  empty: 'failed:empty',
  'access-denied': 'refused:blocked',
  'access-denied-as-200': 'refused:blocked',
  blocked: 'refused:blocked',
  unavailable: 'refused:unavailable',
  'too-many': 'refused:too-many-requests',
  'web-page': 'failed:page',
  'not-found-page': 'failed:not-found',
  'other-car': 'failed:wrong-vin',
  truncated: 'failed:truncated',
  'length-too-short': 'failed:truncated',
  'small-picture': 'failed:no-vin',
  'server-error': 'failed:server-error',
  garbage: 'failed:unexpected',
  'gzip-bomb': 'failed:too-large',
  huge: 'failed:too-large',
  hang: 'failed:timeout',
  drip: 'failed:timeout',
  cut: 'failed:cut-short',
  'length-too-long': 'failed:cut-short',
  'hang-up': 'failed:unreachable',
  'redirect-away': 'failed:redirect-off-list',
  'redirect-to-loopback': 'failed:redirect-off-list',
  'redirect-to-http': 'failed:redirect-off-list',
  'redirect-loop': 'failed:too-many-redirects',
};

export function expectedOutcome(source: Source, behavior: Behavior): string {
  const { truth } = repliesOf(source);
  const outcome = truth[behavior] ?? (behavior === 'other-none' ? truth.none : SAME_EVERYWHERE[behavior]);
  if (!outcome) throw new Error(`no expected outcome for ${behavior} at ${source.id}`);
  return outcome;
}

/** Reasons that say nothing about the car: the host is paused or busy. */
const UNRELATED = ['paused', 'busy', 'timeout', 'workers-busy'];

/**
 * Whether an outcome is right. If a source misbehaves alone, it rests only after it refused. If all misbehave at once, an
 * unknown outcome is right as well, but never a wrong one.
 */
export function isRight(outcome: string, truth: string, alone: boolean): boolean {
  if (outcome === truth) return true;
  if (alone) return truth.startsWith('refused:') && outcome === 'refused:paused';
  const [kind, why = ''] = outcome.split(':');
  return (kind === 'failed' || kind === 'refused') && UNRELATED.includes(why);
}
