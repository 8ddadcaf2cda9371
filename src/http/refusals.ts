import { duration } from '../lib/words.ts';
import { Busy } from '../lookup/derived-cache.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import type { ApiResponse } from './response.ts';
import { headOf } from './head.ts';
import { LIMIT, policyField } from './limit.ts';
import { PAGES_A_MINUTE, PAGES_AT_ONCE } from './page-limit.ts';
import type { HttpContext } from './context.ts';
import { problem, READ_ONLY, type ProblemOf } from './problems.ts';

/** The responses that no handler makes: preflights, limits, wrong methods, and errors that a handler threw. */
export interface Refusals {
  problem(what: ProblemOf): ApiResponse;
  /** 204 for OPTIONS. */
  preflight(allow: string): ApiResponse;
  /** The same for what the limit counts: it also states the policy. */
  apiPreflight(allow: string): ApiResponse;
  wrongMethod(method: string, vin?: string, allow?: string): ApiResponse;
  expectationFailed(vin?: string): ApiResponse;
  tooManyRequests(seconds: number, vin: string | undefined): ApiResponse;
  tooManyPages(seconds: number): ApiResponse;
  /** For whatever a handler threw; logs it. */
  failed(error: unknown, requestId: string, vin: string | undefined): ApiResponse;
}

const ANY_VIN = '00000000000000000';

export function createRefusals(context: HttpContext): Refusals {
  const { headerSets, log, limiter } = context;
  const say = (what: ProblemOf) => problem(context, what);
  const policy = limiter ? headOf('RateLimit-Policy', policyField(limiter.policy)) : '';

  // Cached: they go to clients that ask far too often. All VINs have the same length, so the head fits each of them.
  const blocked = new Map<string, ApiResponse & { body: string }>();
  function tooManyRequests(seconds: number, vin: string | undefined): ApiResponse {
    const key = `${seconds} ${vin !== undefined}`;
    let response = blocked.get(key);
    if (!response) {
      const { requests, seconds: window } = limiter?.policy ?? LIMIT;
      const detail = `Your IP address sent more than ${requests} requests within ${duration(window)}. Wait ${duration(seconds)}.`;
      response = say({ reason: 'too-many-requests', detail, vin: vin && ANY_VIN, retryAfter: seconds });
      blocked.set(key, response);
    }
    return vin ? { ...response, body: response.body.replace(ANY_VIN, vin) } : response;
  }

  function failed(error: unknown, requestId: string, vin: string | undefined): ApiResponse {
    // A label whose bytes are missing is the store's trouble too: there is one, and it may be back.
    if (error instanceof StoreUnavailable || error instanceof LabelMissing) {
      log.debug('store unavailable', { id: requestId, error: error.message });
      const detail = 'Label storage is temporarily unavailable. Try again in 10 seconds.';
      return say({ reason: 'store-unavailable', detail, vin, retryAfter: 10 });
    }
    if (error instanceof Busy) {
      const detail = `We're processing too many PDFs right now. Try again in ${duration(error.retryAfter)}.`;
      return say({ reason: 'busy', detail, vin, retryAfter: error.retryAfter });
    }
    log.error('crash', {
      id: requestId,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    const detail = "Something went wrong on our side, and we've logged it.";
    return say({ reason: 'internal', detail, vin });
  }

  return {
    problem: say,
    preflight: (allow) => ({ status: 204, head: headerSets.preflight(allow), body: null }),
    apiPreflight: (allow) => ({ status: 204, head: headerSets.preflight(allow) + policy, body: null }),
    wrongMethod(method, vin, allow = READ_ONLY) {
      const use = allow === READ_ONLY ? 'GET or HEAD' : 'POST';
      const detail = `${method.slice(0, 20)} isn't supported here. Use ${use}.`;
      return say({ reason: 'method-not-allowed', detail, vin, head: headOf('Allow', allow) });
    },
    expectationFailed: (vin) =>
      say({
        reason: 'expectation-failed',
        detail: 'The only supported expectation is 100-continue.',
        vin,
      }),
    tooManyRequests,
    tooManyPages(seconds) {
      const detail = `Your IP address sent more than ${PAGES_A_MINUTE} requests in a minute, or more than ${PAGES_AT_ONCE} at once. Wait ${duration(seconds)}.`;
      return say({ reason: 'too-many-requests', detail, retryAfter: seconds });
    },
    failed,
  };
}
