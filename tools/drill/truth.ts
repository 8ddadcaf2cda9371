/** What each misbehaviour is at each source, as far as anybody can know it: `label`, or `none:`, `refused:`, `failed:` and why. */
import type { Source } from '../../src/makers/maker.ts';
import type { Behaviour } from '../simulator/behaviours.ts';
import { repliesOf } from '../makers.ts';

/** At every source, where it is the same at all of them. */
const everywhere: Partial<Record<Behaviour, string>> = {
  label: 'label',
  'empty-at-first': 'label',
  'truncated-at-first': 'label',
  frayed: 'label',
  'frayed-at-first': 'label',
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
  'redirect-home': 'failed:redirect-off-list',
  'redirect-to-http': 'failed:redirect-off-list',
  'redirect-loop': 'failed:too-many-redirects',
};

export function truthOf(source: Source, behaviour: Behaviour): string {
  const { truth } = repliesOf(source);
  const told = truth[behaviour] ?? (behaviour === 'none-otherwise' ? truth.none : everywhere[behaviour]);
  if (!told) throw new Error(`nobody wrote down what ${behaviour} is at ${source.id}`);
  return told;
}

/** Ways not to know that say nothing about the car: the host is left alone, or its other askers took the time. */
const BESIDE = ['resting', 'busy', 'timeout', 'workers-busy'];

/**
 * Whether `told` may be said where `truth` is the truth. Alone, a source is left in peace only after it refused; among
 * hosts that misbehave in every way at once, not to know is true as well, and the wrong answer never is.
 */
export function isTrue(told: string, truth: string, alone: boolean): boolean {
  if (told === truth) return true;
  if (alone) return truth.startsWith('refused:') && told === 'refused:resting';
  const [kind, why = ''] = told.split(':');
  return (kind === 'failed' || kind === 'refused') && BESIDE.includes(why);
}
