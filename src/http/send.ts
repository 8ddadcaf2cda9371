import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { duration } from '@monroney/label/lib/words';
import { createHeldBytes } from '../lib/limits.ts';
import type { Log } from '../lib/log.ts';
import { LongWorkFull } from '../lib/long-work.ts';
import type { MemoryCache } from '../lib/memory-cache.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { Busy } from '../lookup/texts-and-previews.ts';
import type { Lifecycle } from '../store/contact-store.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { createCompressor } from './representation.ts';
import { limitField } from './limit.ts';
import { problemResponse, type Answer, type ProblemOptions } from './problems.ts';
import { MAX_BODY_BYTES } from './request.ts';
import { lifecycleFields, type HeaderSets, type HttpResponse } from './response.ts';
import { vinOf, type Respond } from './route.ts';

/** Bodies that clients haven't received yet. Beyond this, the client with most of them loses the slowest. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

interface Download {
  socket: Socket;
  bytes: number;
  since: number;
}

/** Bytes per millisecond that the operating system took. A body is one write, so Node itself shows no progress of it. */
function speedOf({ socket, bytes, since }: Download): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  const left = handle?.writeQueueSize ?? socket.writableLength;
  return (bytes - left) / (performance.now() - since + 1);
}

type Send = (request: FastifyRequest, res: ServerResponse, response: HttpResponse) => void | Promise<void>;

interface SendOptions {
  log: Log;
  memory: MemoryCache;
  /** The `RateLimit-Policy` field of the API. */
  policy: string | undefined;
  lifecycle(route: string): Lifecycle | null;
  /** Whether its connection is closed after this response. */
  isLast(res: ServerResponse): boolean;
}

/** Sends responses, each with the headers of its request: the id, the state of the rate limit, announced changes. */
function createSender(options: SendOptions): Send {
  const compress = createCompressor(options.memory);
  const unread = createHeldBytes<Download>(MAX_UNREAD_BYTES, ({ socket }) => socket.destroy(), speedOf);

  function fieldsOf(request: FastifyRequest, { status, headers, body }: HttpResponse): OutgoingHttpHeaders {
    const fields: OutgoingHttpHeaders = { ...headers, 'x-request-id': request.id };
    if (request.decision) {
      fields['ratelimit-policy'] = options.policy;
      fields.ratelimit = limitField(request.decision);
    }
    // RFC 9530: Content-Digest is about the content, and HEAD has none; Repr-Digest is about what GET would send.
    if (request.method === 'HEAD' && headers['content-digest'] !== undefined) {
      fields['repr-digest'] = headers['repr-digest'] ?? headers['content-digest'];
      delete fields['content-digest'];
    }
    if (headers['content-length'] === undefined && status !== 204 && status !== 304) {
      if (typeof body === 'string' || Buffer.isBuffer(body)) fields['content-length'] = body.length;
      else if (body === null && request.method !== 'HEAD') fields['content-length'] = 0;
    }
    const change = options.lifecycle(request.row?.template ?? '');
    return change ? { ...fields, ...lifecycleFields(change, [headers.link ?? []].flat()) } : fields;
  }

  function write(request: FastifyRequest, res: ServerResponse, response: HttpResponse): void {
    const { status, body } = response;
    if (res.destroyed || res.headersSent) {
      // The client left in the meantime, or the service stops and couldn't wait.
      if (body instanceof Readable) body.destroy();
      return;
    }
    if (options.isLast(res)) res.setHeader('connection', 'close');
    // Directly: Fastify would add a charset to JSON, and check the length and every header of it again.
    res.writeHead(status, fieldsOf(request, response));
    if (body === null || request.method === 'HEAD') {
      if (body instanceof Readable) body.destroy();
      return void res.end();
    }
    if (body instanceof Readable) {
      // `pipeline` adds seven listeners to those that wait for the end already.
      res.setMaxListeners(20);
      return void pipeline(body, res, (error) => {
        if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
          options.log.error('response: the body broke off', { id: request.id, error: error.message });
      });
    }
    res.end(body, 'latin1');
    // The operating system has taken all of a small one.
    if (res.writableLength === 0) return;
    // All of a file, though only a part of it may be sent. Several clients may receive the same.
    const download = { socket: request.socket, bytes: body.length, since: performance.now() };
    if (typeof body === 'string') unread.add(download, body.length, request.client);
    else unread.add(download, body.buffer.byteLength, request.client, body.buffer);
    res.on('close', () => unread.remove(download));
  }

  return function send(request, res, response) {
    const ready = compress(request.headers['accept-encoding'], response);
    if (ready instanceof Promise) return ready.then((compressed) => write(request, res, compressed));
    return write(request, res, ready);
  };
}

/** Turns answers and errors into responses: problem documents, or what the route presents instead. */
export function createRespond(options: SendOptions & { headerSets: HeaderSets; baseUrl: string }): {
  respond: Respond;
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void>;
} {
  const send = createSender(options);

  async function sendAnswer(request: FastifyRequest, reply: FastifyReply, given: Answer): Promise<void> {
    const present = 'reason' in given ? request.route?.present : undefined;
    const answer = present && 'reason' in given ? await present(given, request) : given;
    const response = 'reason' in answer ? problemResponse(options, answer, request.id) : answer;
    await send(request, reply.raw, response);
  }

  const respond: Respond = async (request, reply, answering) => {
    // `send` writes the response, and Fastify must not.
    reply.hijack();
    try {
      await sendAnswer(request, reply, await answering);
    } catch (error) {
      await fail(error, request, reply);
    }
  };

  /** Sends the problem of an error, and gives up if that fails too. */
  async function fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.hijack();
    try {
      await sendAnswer(request, reply, problemOf(error, options.log, request.id, vinOf(request)));
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
