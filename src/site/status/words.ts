import { capital, inWords, listed } from '../../lib/words.ts';
import type { Change, SourceState, SourceStatus } from './report.ts';

/** States in which a label of this source cannot be expected just now. */
const TROUBLE: readonly SourceState[] = ['refusing', 'failing', 'resting', 'off'];

const words = (count: number): string => capital(inWords(count));

export function isTrouble(state: SourceState): boolean {
  return TROUBLE.includes(state);
}

/** The answer as a heading. A source that nobody asked is neither praised nor blamed. */
export function headline(sources: readonly Pick<SourceStatus, 'state'>[]): string {
  const quiet = sources.filter(({ state }) => state === 'quiet').length;
  const known = sources.length - quiet;
  const answering = sources.filter(({ state }) => state !== 'quiet' && !isTrouble(state)).length;
  if (known === 0) return 'No source was asked in the last 24 hours';
  if (quiet === 0) {
    return answering === known
      ? `All ${words(known).toLowerCase()} sources answer`
      : `${words(answering)} of ${words(known).toLowerCase()} sources answer`;
  }
  const rest = `${words(quiet).toLowerCase()} ${quiet === 1 ? 'was' : 'were'} not asked`;
  if (answering === 0) return `${words(known)} ${known === 1 ? 'source is' : 'sources are'} out, ${rest}`;
  const out = known - answering;
  const answer = `${words(answering)} ${answering === 1 ? 'source answers' : 'sources answer'}`;
  return out === 0
    ? `${answer}, ${rest}`
    : `${answer}, ${words(out).toLowerCase()} ${out === 1 ? 'does' : 'do'} not, ${rest}`;
}

const CLAUSES: Partial<Record<SourceState, string>> = {
  slow: 'is slow',
  unsteady: 'fails now and then',
  refusing: 'is refusing us',
  failing: 'does not answer',
  resting: 'is left alone for a while',
  off: 'is switched off',
};

export function summary(sources: readonly Pick<SourceStatus, 'state' | 'name'>[]): string {
  const clauses = sources.flatMap(({ state, name }) => (CLAUSES[state] ? [`${name} ${CLAUSES[state]}`] : []));
  const trouble = clauses.length ? ` ${listed(clauses)}.` : '';
  return `The service itself is up.${trouble} Decoding never depends on a source, and a label we hold is always served.`;
}

export function changeText({ name, state, reason }: Pick<Change, 'name' | 'state' | 'reason'>): string {
  const why = reason ? `: ${reason.replace(/\.$/, '')}` : '';
  switch (state) {
    case 'on':
      return `${name} is asked again${why}.`;
    case 'off':
      return `We switched ${name} off${why}.`;
    case 'resting':
      return `We leave ${name} alone for a while${why}.`;
  }
}
