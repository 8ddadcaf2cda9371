import { performance } from 'node:perf_hooks';
import { duration } from '@monroney/label/lib/words';
import type { Config } from '../config.ts';
import {
  createLimiter,
  createSharedLimiter,
  type Budget,
  type Decision,
  type Limiter,
} from '../lib/limits.ts';
import type { Runtime } from '../runtime.ts';
import type { ProblemOptions } from './problems.ts';
import { vinOf, type Hook, type Respond, type Route } from './route.ts';

/** The limits of the API and of the pages: what they are, how they are told, and who is refused. `lib/limits.ts` counts. */

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

/** The API's limit; null if limits are off. Instances that share a store share the count. */
export function openApiLimiter(
  { limit: policy, databaseUrl }: Pick<Config, 'limit' | 'databaseUrl'>,
  { store, metrics }: Pick<Runtime, 'store' | 'metrics'>,
): ApiLimiter | null {
  if (!policy) return null;
  const budget = budgetOf(policy);
  const local = createLimiter(budget, () => performance.now());
  if (!store.coordination) return { policy, take: local.take };
  const { take } = createSharedLimiter(store.coordination.redis, 'limit', budget, {
    // All instances know this, and nobody else does.
    secret: String(databaseUrl),
    local,
    alone: () => metrics.count('monroney_limit_alone_total'),
  });
  return { policy, take };
}

const PAGE_BUDGET: Budget = {
  requests: MAX_PAGES_PER_MINUTE,
  windowMs: 60_000,
  concurrent: MAX_CONCURRENT_PAGES,
};

/**
 * For pages, their pictures and the tools. Per instance, because it protects the instance: a shared count would cost more than
 * serving the page.
 */
export const createPageLimit = (): Limiter => createLimiter(PAGE_BUDGET, () => performance.now());

/** Seconds until one more is allowed, or until the block ends. */
const secondsOf = ({ waitMs }: Decision): number => Math.max(1, Math.ceil(waitMs / 1000));

/** The `RateLimit-Policy` field (draft-ietf-httpapi-ratelimit-headers). */
export const policyField = ({ requests, seconds }: Policy): string => `"default";q=${requests};w=${seconds}`;

/** The `RateLimit` field. */
export const limitField = (decision: Decision): string =>
  `"default";r=${decision.remaining};t=${secondsOf(decision)}`;

export function tooManyRequests(policy: Policy, seconds: number, vin?: string): ProblemOptions {
  const detail = `Your IP address sent more than ${limitInWords(policy)}. Wait ${duration(seconds)}, then try again.`;
  return { reason: 'too-many-requests', detail, vin, retryAfter: seconds };
}

function tooManyPages(seconds: number): ProblemOptions {
  const detail = `Your IP address sent more than ${MAX_PAGES_PER_MINUTE} requests in a minute, or more than ${MAX_CONCURRENT_PAGES} at once. Wait ${duration(seconds)}, then try again.`;
  return { reason: 'too-many-requests', detail, retryAfter: seconds };
}

/** Counts a request by the limit of its route, and refuses it when that is used up. */
export function countRequests(options: {
  limiter: ApiLimiter | null;
  pageLimit: Pick<Limiter, 'take' | 'end'> | null;
  respond: Respond;
}): (route: Route) => Hook {
  const { limiter, pageLimit, respond } = options;

  const countByApi =
    ({ policy, take }: ApiLimiter): Hook =>
    (request, reply, done) => {
      const admit = (decision: Decision) => {
        request.decision = decision;
        if (decision.allowed) return done();
        void respond(request, reply, tooManyRequests(policy, secondsOf(decision), vinOf(request)));
      };
      const taken = take(request.client);
      // Without Redis there is nothing to wait for.
      if (taken instanceof Promise) taken.then(admit).catch(done);
      else admit(taken);
    };

  const countByPages =
    ({ take, end }: NonNullable<typeof pageLimit>, isEmbedded = false): Hook =>
    (request, reply, done) => {
      const { client } = request;
      const taken = take(client);
      if (!taken.allowed) return void respond(request, reply, tooManyPages(secondsOf(taken)));
      if (isEmbedded) end(client);
      else reply.raw.on('close', () => end(client));
      done();
    };

  const uncounted: Hook = (_request, _reply, done) => done();

  return ({ limit, isEmbedded }) => {
    if (limit === 'api' && limiter) return countByApi(limiter);
    if (limit === 'page' && pageLimit) return countByPages(pageLimit, isEmbedded);
    return uncounted;
  };
}
