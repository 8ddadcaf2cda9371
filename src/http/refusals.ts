import { duration } from '../lib/words.ts';
import { Busy } from '../lookup/derived-cache.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { type ApiResponse, headOf } from './response.ts';
import { LIMIT, policyField } from './limit.ts';
import { MAX_PAGES_PER_MINUTE, MAX_CONCURRENT_PAGES } from './page-limit.ts';
import type { HttpContext } from './context.ts';
import { problem, READ_ONLY, type ProblemOptions } from './problems.ts';

/** Responses that don't come from a handler: preflights, rate limits, wrong methods, and errors that a handler threw. */
export interface Refusals {
  problem(what: ProblemOptions): ApiResponse;
  /** The 204 for OPTIONS. */
  preflight(allow: string): ApiResponse;
  /** The same for rate-limited URLs, with the policy. */
  apiPreflight(allow: string): ApiResponse;
  wrongMethod(method: string, vin?: string, allow?: string): ApiResponse;
  expectationFailed(vin?: string): ApiResponse;
  tooManyRequests(seconds: number, vin: string | undefined): ApiResponse;
  tooManyPages(seconds: number): ApiResponse;
  /** For an error that a handler threw. Logs it. */
  failed(error: unknown, requestId: string, vin: string | undefined): ApiResponse;
}

const VIN_PLACEHOLDER = '00000000000000000';

export function createRefusals(context: HttpContext): Refusals {
  const { headerSets, log, limiter } = context;
  const refuse = (what: ProblemOptions) => problem(context, what);
  const policy = limiter ? headOf('RateLimit-Policy', policyField(limiter.policy)) : '';

  // Cached, because clients over the limit send many requests. All VINs have the same length, so the head fits all.
  const cached = new Map<string, ApiResponse & { body: string }>();
  function tooManyRequests(seconds: number, vin: string | undefined): ApiResponse {
    const key = `${seconds} ${vin !== undefined}`;
    let response = cached.get(key);
    if (!response) {
      const { requests, seconds: window } = limiter?.policy ?? LIMIT;
      const detail = `Your IP address sent more than ${requests} requests within ${duration(window)}. Wait ${duration(seconds)}, then try again.`;
      response = refuse({
        reason: 'too-many-requests',
        detail,
        vin: vin && VIN_PLACEHOLDER,
        retryAfter: seconds,
      });
      cached.set(key, response);
    }
    return vin ? { ...response, body: response.body.replace(VIN_PLACEHOLDER, vin) } : response;
  }

  function failed(error: unknown, requestId: string, vin: string | undefined): ApiResponse {
    // A label whose bytes are missing is a store failure too: it exists and may come back.
    if (error instanceof StoreUnavailable || error instanceof LabelMissing) {
      log.debug('store unavailable', { id: requestId, error: error.message });
      const detail = `${STORE_UNAVAILABLE}. Try again in 10 seconds.`;
      return refuse({ reason: 'store-unavailable', detail, vin, retryAfter: 10 });
    }
    if (error instanceof Busy) {
      const detail = `We're processing too many PDFs right now. Try again in ${duration(error.retryAfter)}.`;
      return refuse({ reason: 'busy', detail, vin, retryAfter: error.retryAfter });
    }
    log.error('request failed', {
      id: requestId,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    const detail = "Something went wrong on our side, and we've logged it.";
    return refuse({ reason: 'internal', detail, vin });
  }

  return {
    problem: refuse,
    preflight: (allow) => ({ status: 204, head: headerSets.preflight(allow), body: null }),
    apiPreflight: (allow) => ({ status: 204, head: headerSets.preflight(allow) + policy, body: null }),
    wrongMethod(method, vin, allow = READ_ONLY) {
      const use = allow === READ_ONLY ? 'GET or HEAD' : 'POST';
      const detail = `${method.slice(0, 20)} isn't supported here. Use ${use}.`;
      return refuse({ reason: 'method-not-allowed', detail, vin, head: headOf('Allow', allow) });
    },
    expectationFailed: (vin) =>
      refuse({
        reason: 'expectation-failed',
        detail: 'The only supported expectation is 100-continue.',
        vin,
      }),
    tooManyRequests,
    tooManyPages(seconds) {
      const detail = `Your IP address sent more than ${MAX_PAGES_PER_MINUTE} requests in a minute, or more than ${MAX_CONCURRENT_PAGES} at once. Wait ${duration(seconds)}, then try again.`;
      return refuse({ reason: 'too-many-requests', detail, retryAfter: seconds });
    },
    failed,
  };
}
