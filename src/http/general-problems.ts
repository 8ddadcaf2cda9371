import { LongWorkFull } from '../lib/long-work.ts';
import { duration } from '@monroney/label/lib/words';
import type { Log } from '../lib/log.ts';
import { Busy } from '../lookup/texts-and-previews.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { limitInWords, MAX_CONCURRENT_PAGES, MAX_PAGES_PER_MINUTE, type Policy } from './limit.ts';
import type { ProblemOptions } from './problems.ts';
import { MAX_BODY_BYTES } from './request.ts';

/** Problems that don't come from a handler: rate limits, wrong methods, and errors that were thrown. */

export function tooManyRequests(policy: Policy, seconds: number, vin?: string): ProblemOptions {
  const detail = `Your IP address sent more than ${limitInWords(policy)}. Wait ${duration(seconds)}, then try again.`;
  return { reason: 'too-many-requests', detail, vin, retryAfter: seconds };
}

export function tooManyPages(seconds: number): ProblemOptions {
  const detail = `Your IP address sent more than ${MAX_PAGES_PER_MINUTE} requests in a minute, or more than ${MAX_CONCURRENT_PAGES} at once. Wait ${duration(seconds)}, then try again.`;
  return { reason: 'too-many-requests', detail, retryAfter: seconds };
}

export function wrongMethod(method: string, allowed: readonly string[], vin?: string): ProblemOptions {
  const use = allowed.filter((one) => one !== 'OPTIONS').join(', ');
  const detail = `${method.slice(0, 20)} isn't supported here. Use ${use.replace(/, (?=\w+$)/, ' or ')}.`;
  return { reason: 'method-not-allowed', detail, vin, headers: { allow: allowed.join(', ') } };
}

/** The problem of an error that a handler or the parser of bodies threw. Logs it if it is ours. */
export function problemOf(error: unknown, log: Log, requestId: string, vin?: string): ProblemOptions {
  // A label whose bytes are missing is a store failure too: it exists and may come back.
  if (error instanceof StoreUnavailable || error instanceof LabelMissing) {
    log.debug('store unavailable', { id: requestId, error: error.message });
    const detail = `${STORE_UNAVAILABLE}. Try again in 10 seconds.`;
    return { reason: 'store-unavailable', detail, vin, retryAfter: 10 };
  }
  if (error instanceof Busy) {
    const detail = `We're processing too many PDFs right now. Try again in ${duration(error.retryAfter)}.`;
    return { reason: 'busy', detail, vin, retryAfter: error.retryAfter };
  }
  if (error instanceof LongWorkFull) {
    const detail = `Too many batches and lists are waiting. Try again in ${duration(error.retryAfter)}.`;
    return { reason: 'busy', detail, retryAfter: error.retryAfter };
  }
  const { code } = error as { code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return { reason: 'body-too-large', detail: `The body is larger than ${MAX_BODY_BYTES / 1024} KB.` };
  if (code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE')
    return { reason: 'bad-request', detail: 'A QUERY request needs a Content-Type header.' };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return { reason: 'unsupported-media-type', detail: 'The Content-Type header is malformed.' };
  // The client left, or sent less than it announced: nobody reads this.
  if (code === 'ECONNRESET' || code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return { reason: 'bad-request', detail: "The body wasn't sent completely." };
  log.error('request failed', {
    id: requestId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return { reason: 'internal', detail: "Something went wrong on our side, and we've logged it.", vin };
}
