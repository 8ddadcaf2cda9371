import { duration } from '@monroney/label/lib/words';
import type { Budget, Decision } from '../lib/limits.ts';

/** The limits of the API and of the pages. `lib/limits.ts` counts. */

/** At most `requests` in `seconds`; a client that sends more is blocked for `seconds`. */
export interface Policy {
  readonly requests: number;
  readonly seconds: number;
}

/** The default limit of the API. Private instances can set another with `LIMIT`. */
export const LIMIT: Policy = { requests: 10, seconds: 10 };

/** `10 requests in 10 seconds`: wherever the limit is told, it is told in these words. */
export const limitInWords = ({ requests, seconds }: Policy): string =>
  `${requests} ${requests === 1 ? 'request' : 'requests'} in ${duration(seconds)}`;

/** Says what the limit is, or that there is none. */
export const limitSentence = (policy: Policy | null): string =>
  policy
    ? `The limit is ${limitInWords(policy)} per IP address; whoever sends more is blocked for ${duration(policy.seconds)}.`
    : 'This instance has no limit on requests.';

/** Counts the API's requests: in this process, or over all instances. */
export interface ApiLimiter {
  readonly policy: Policy;
  take(client: string): Decision | Promise<Decision>;
}

/** Whoever sends more than `requests` is blocked. */
export const budgetOf = ({ requests, seconds }: Policy): Budget => ({
  requests,
  windowMs: seconds * 1000,
  blocks: true,
});

export const MAX_PAGES_PER_MINUTE = 300;
export const MAX_CONCURRENT_PAGES = 20;

/** For pages, their pictures and the tools: per client, in this process. */
export const PAGE_BUDGET: Budget = {
  requests: MAX_PAGES_PER_MINUTE,
  windowMs: 60_000,
  concurrent: MAX_CONCURRENT_PAGES,
};

/** Seconds until one more is allowed, or until the block ends. */
export const secondsOf = ({ waitMs }: Decision): number => Math.max(1, Math.ceil(waitMs / 1000));

/** The `RateLimit-Policy` field (draft-ietf-httpapi-ratelimit-headers). */
export const policyField = ({ requests, seconds }: Policy): string => `"default";q=${requests};w=${seconds}`;

/** The `RateLimit` field. */
export const limitField = (decision: Decision): string =>
  `"default";r=${decision.remaining};t=${secondsOf(decision)}`;
