import { createLimiter as createCounts, type Budget, type Limiter as Counts } from '../lib/limits.ts';

/** The limiter's decision about one request. `field` is the `RateLimit` header (draft-ietf-httpapi-ratelimit-headers). */
export interface LimitDecision {
  allowed: boolean;
  /** Requests left. */
  remaining: number;
  /** Seconds until one more is allowed, or until the block ends. */
  seconds: number;
  field: string;
}

export interface Limiter {
  readonly policy: Policy;
  /** Counts one request of a client. */
  take(client: string): LimitDecision | Promise<LimitDecision>;
}

export interface MemoryLimiter extends Limiter {
  take(client: string): LimitDecision;
  readonly counts: Counts;
}

/** At most `requests` in `seconds`; a client that sends more is blocked for `seconds`. */
export interface Policy {
  readonly requests: number;
  readonly seconds: number;
}

/** The default limit. Private instances can set another with `LIMIT`. */
export const LIMIT: Policy = { requests: 10, seconds: 10 };

/** The `RateLimit-Policy` field. */
export const policyField = ({ requests, seconds }: Policy): string => `"default";q=${requests};w=${seconds}`;

/** Returns the decision for the requests left and the milliseconds until there is one more. Each is built once. */
export function decisionsOf(
  policy: Policy,
): (allowed: boolean, remaining: number, ms: number) => LimitDecision {
  const maxSeconds = policy.seconds;
  const [passed, refused] = [[] as LimitDecision[], [] as LimitDecision[]];
  return (allowed, remaining, ms) => {
    const seconds = Math.min(maxSeconds, Math.max(1, Math.ceil(ms / 1000)));
    const decisions = allowed ? passed : refused;
    const index = remaining * (maxSeconds + 1) + seconds;
    const cached = decisions[index];
    if (cached) return cached;
    const field = `"default";r=${remaining};t=${seconds}`;
    return (decisions[index] = { allowed, remaining, seconds, field });
  };
}

/** Whoever sends more than `requests` is blocked. */
export const budgetOf = ({ requests, seconds }: Policy): Budget => ({
  requests,
  windowMs: seconds * 1000,
  blocks: true,
});

/** The limit in this process's memory. */
export function createLimiter(
  clock: () => number,
  maxClients?: number,
  policy: Policy = LIMIT,
): MemoryLimiter {
  const counts = createCounts(budgetOf(policy), clock, maxClients);
  const decide = decisionsOf(policy);
  return {
    policy,
    counts,
    take(client) {
      const { allowed, remaining, waitMs } = counts.take(client);
      return decide(allowed, remaining, waitMs);
    },
  };
}
