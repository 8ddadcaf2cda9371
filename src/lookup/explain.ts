import type { LookupResult } from './finding.ts';
import { explanationOf, type ExplanationText } from './messages.ts';
import { codeOf, retryAfterOf } from './finding-response.ts';

/** Why a VIN has no label to show and what to do next, for people. Used by pages and tools. */
export interface Explanation extends Omit<ExplanationText, 'case'> {
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
  /** Seconds; null if a retry doesn't help. */
  retryAfter: number | null;
}

/** Codes that are their own reason. All others mean `try-again`. */
const OWN_REASONS = [
  'available',
  'make-not-supported',
  'no-label',
  'source-off',
  'withdrawn',
  'not-asked',
] as const;

export function explain(found: LookupResult): Explanation {
  const code = codeOf(found.finding);
  const { headline, explanation, nextSteps, case: specialCase } = explanationOf(code, found);
  return {
    reason: specialCase ?? OWN_REASONS.find((reason) => reason === code) ?? 'try-again',
    headline,
    explanation,
    nextSteps,
    retryAfter: retryAfterOf(found.finding),
  };
}
