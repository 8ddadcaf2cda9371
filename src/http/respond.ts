import type { FastifyReply, FastifyRequest } from 'fastify';
import { duration } from '@monroney/label/lib/words';
import type { Log } from '../lib/log.ts';
import { LongWorkFull } from '../lib/long-work.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { Busy } from '../lookup/texts-and-previews.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import type { HeaderSets } from './response.ts';
import { problemResponse, type Answer, type ProblemOptions } from './problems.ts';
import { MAX_BODY_BYTES } from './request.ts';
import { vinOf, type Respond } from './route.ts';
import type { Send } from './send.ts';

/** Turns answers and errors into responses: problem documents, or what the route presents instead. */
export function createRespond(options: { send: Send; headerSets: HeaderSets; baseUrl: string; log: Log }): {
  respond: Respond;
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void>;
} {
  const { send, log } = options;

  async function sendAnswer(request: FastifyRequest, reply: FastifyReply, given: Answer): Promise<void> {
    const present = 'reason' in given ? request.route?.present : undefined;
    const answer = present && 'reason' in given ? await present(given, request) : given;
    const response = 'reason' in answer ? problemResponse(options, answer, request.id) : answer;
    await send(request, reply.raw, response);
  }

  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    answering: Answer | Promise<Answer>,
  ): Promise<void> {
    // `send` writes the response, and Fastify must not.
    reply.hijack();
    try {
      await sendAnswer(request, reply, await answering);
    } catch (error) {
      await fail(error, request, reply);
    }
  }

  /** Sends the problem of an error, and gives up if that fails too. */
  async function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.hijack();
    try {
      await sendAnswer(request, reply, problemOf(error, log, request.id, vinOf(request)));
    } catch {
      reply.raw.destroy();
    }
  }

  return { respond, fail };
}

/** The problem of an error that a handler or the parser of bodies threw. Logs it if it is ours. */
function problemOf(error: unknown, log: Log, requestId: string, vin?: string): ProblemOptions {
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
