import type { LookupResult } from './finding.ts';
import { explained } from './messages.ts';
import { codeOf, retryAfterOf } from './outcomes.ts';

/** Why a VIN has no label to show and what to do next, for people. Used by pages and tools. */
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
  /** Seconds, when a retry helps. */
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
