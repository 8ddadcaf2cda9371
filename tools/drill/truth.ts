/** What each misbehaviour is at each source, as far as anybody can know it: `label`, or `none:`, `refused:`, `failed:` and why. */
import type { Behaviour } from '../simulator/behaviours.ts';

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

/** Where one source means something else by it, or says "none" in its own way. */
const at: Record<string, Partial<Record<Behaviour, string>>> = {
  ford: { none: 'none:placeholder', 'none-otherwise': 'none:placeholder' },
  gm: { none: 'none:says-none', 'none-otherwise': 'none:says-none' },
  stellantis: { none: 'none:placeholder', 'none-otherwise': 'none:placeholder' },
  subaru: {
    none: 'none:placeholder',
    'none-otherwise': 'none:page',
    'web-page': 'none:page',
    'not-found-page': 'none:page',
  },
  hyundai: { none: 'none:says-none', 'none-otherwise': 'none:says-none' },
  genesis: {
    none: 'none:empty',
    'none-otherwise': 'none:empty',
    empty: 'none:empty',
    // Here no bytes are an answer, so nobody asks a second time.
    'empty-at-first': 'none:empty',
  },
  kia: { none: 'none:not-found', 'none-otherwise': 'none:not-found', 'not-found-page': 'none:not-found' },
  toyota: { none: 'none:says-none', 'none-otherwise': 'none:says-none', 'not-found-page': 'none:not-found' },
  nissan: {
    none: 'none:says-none',
    'none-otherwise': 'none:says-none',
    'not-found-page': 'none:not-found',
    // Its labels are pictures without a word of the VIN: nobody but a person can see whose car it is.
    'other-car': 'label',
  },
};

export function truthOf(source: string, behaviour: Behaviour): string {
  const truth = at[source]?.[behaviour] ?? everywhere[behaviour];
  if (!truth) throw new Error(`nobody wrote down what ${behaviour} is at ${source}`);
  return truth;
}

/** Ways not to know that say nothing about the car: the host is left alone, or its other askers took the time. */
const BESIDE = ['resting', 'busy', 'timeout', 'desk-busy'];

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
