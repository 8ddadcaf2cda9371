import { capitalize, inWords, joinWithAnd } from '../../lib/words.ts';
import type { Change, SourceState, SourceStatus } from './report.ts';

/** States in which this source can't be expected to deliver labels. */
const UNAVAILABLE: readonly SourceState[] = ['refusing', 'failing', 'resting', 'off'];

const inCapitalizedWords = (count: number): string => capitalize(inWords(count));

function isUnavailable(state: SourceState): boolean {
  return UNAVAILABLE.includes(state);
}

/** The status as a heading. A source without recent lookups counts as neither working nor failing. */
export function headline(sources: readonly Pick<SourceStatus, 'state'>[]): string {
  const quiet = sources.filter(({ state }) => state === 'quiet').length;
  const used = sources.length - quiet;
  const answering = sources.filter(({ state }) => state !== 'quiet' && !isUnavailable(state)).length;
  if (used === 0) return 'No lookups in the last 24 hours';
  if (quiet === 0) {
    return answering === used
      ? `All ${inWords(used)} sources are working`
      : `${inCapitalizedWords(answering)} of ${inWords(used)} sources are working`;
  }
  const rest = `${inWords(quiet)} had no lookups`;
  if (answering === 0)
    return `${inCapitalizedWords(used)} ${used === 1 ? 'source is' : 'sources are'} down, ${rest}`;
  const down = used - answering;
  const working = `${inCapitalizedWords(answering)} ${answering === 1 ? 'source is' : 'sources are'} working`;
  return down === 0
    ? `${working}, ${rest}`
    : `${working}, ${inWords(down)} ${down === 1 ? 'is' : 'are'} not, ${rest}`;
}

const CLAUSES: Partial<Record<SourceState, string>> = {
  slow: 'is slow',
  unsteady: 'fails now and then',
  refusing: 'is refusing our requests',
  failing: 'is not responding',
  resting: 'is on hold',
  off: 'is paused',
};

export function summary(sources: readonly Pick<SourceStatus, 'state' | 'name'>[]): string {
  const clauses = sources.flatMap(({ state, name }) => (CLAUSES[state] ? [`${name} ${CLAUSES[state]}`] : []));
  const problems = clauses.length ? ` ${joinWithAnd(clauses)}.` : '';
  return `This service is up.${problems} Decoding works without the sources, and stickers we already have are always available.`;
}

export function changeText({ name, state, reason }: Pick<Change, 'name' | 'state' | 'reason'>): string {
  const why = reason ? `: ${reason.replace(/\.$/, '')}` : '';
  switch (state) {
    case 'on':
      return `Lookups for ${name} are back on${why}.`;
    case 'off':
      return `We paused lookups for ${name}${why}.`;
    case 'resting':
      return `Lookups for ${name} are on hold${why}.`;
  }
}
