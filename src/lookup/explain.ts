import type { LookupResult } from './finding.ts';
import { explained } from './messages.ts';
import { codeOf, retryAfterOf } from './outcomes.ts';

/** Why a VIN has no label to show, in words for a person, and what to do next. Pages and tools say the same. */
export interface Explanation {
  reason:
    | 'available'
    | 'make-not-supported'
    | 'make-unknown'
    | 'manufacturer-unknown'
    | 'no-label'
    | 'source-off'
    | 'withdrawn'
    | 'try-again'
    | 'not-asked';
  /** One sentence: the answer. */
  headline: string;
  explanation: string;
  nextSteps: string[];
  /** Seconds, when asking again helps. */
  retryAfter: number | null;
}

const LASTING = [
  'available',
  'make-not-supported',
  'no-label',
  'source-off',
  'withdrawn',
  'not-asked',
] as const;

export function explain(found: LookupResult): Explanation {
  const code = codeOf(found.finding);
  const { headline, explanation, nextSteps, case: precise } = explained(code, found);
  return {
    reason: precise ?? LASTING.find((each) => each === code) ?? 'try-again',
    headline,
    explanation,
    nextSteps,
    retryAfter: retryAfterOf(found.finding),
  };
}
