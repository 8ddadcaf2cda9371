import type { IncomingMessage, ServerResponse } from 'node:http';
// The global of the same name is a getter that costs more than reading the clock.
import { performance } from 'node:perf_hooks';
import { pipeline, type Readable } from 'node:stream';
import { createHeldBytes } from '../lib/held-bytes.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type ApiResponse, writeHead, type Head } from './response.ts';
import { codingOf, createCompressor, withCodingETag, type Coding } from './compression.ts';
import { lifecycleLines, requestLines } from './headers.ts';
import type { LimitDecision } from './limit.ts';
import { ClientDisconnected, vinIn, nextRequestId } from './request.ts';
import type { HttpContext } from './context.ts';
import { withRequestId } from './problems.ts';
import type { Refusals } from './refusals.ts';

/** One request and its response, with what the log and the response headers need. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  id: string;
  started: number;
  /** The template of its route, for the log. */
  template: string;
  /** The VIN in the path as sent, valid or not. */
  segment: string | undefined;
  limit: LimitDecision | null;
  /** The request has an Expect header that we don't support. */
  unsupportedExpect: boolean;
  /** The content coding that the response may use. */
  coding: Coding | null;
  /** The request names an ETag of that coding. */
  tagged: boolean;
}

export function openExchange(
  req: IncomingMessage,
  res: ServerResponse,
  unsupportedExpect: boolean,
): Exchange {
  return {
    req,
    res,
    id: nextRequestId(),
    started: performance.now(),
    template: '*',
    segment: undefined,
    limit: null,
    unsupportedExpect,
    coding: codingOf(req.headers['accept-encoding']),
    tagged: false,
  };
}

export interface Sender {
  send(exchange: Exchange, response: ApiResponse): void;
  /** Sends the response now, or when the promise resolves. A rejection becomes a problem document. */
  sendWhenReady(exchange: Exchange, response: MaybePromise<ApiResponse>): void;
  fail(exchange: Exchange, error: unknown): void;
  /** Closes the connection after an error that no response can report, so that it doesn't end the process. */
  abandon(exchange: Exchange, error: unknown): void;
  /** Logs, counts and traces it. */
  recordResponse(exchange: Exchange, status: number): void;
}

/** Logged when the client disconnected before it got the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Large texts that their clients haven't received yet. Files share their bytes and aren't counted. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** Smaller ones fit into the buffers of the operating system. */
const MIN_UNREAD_BYTES = 64 * 1024;

export function createSender(context: HttpContext, refusals: Refusals): Sender {
  const { log } = context;
  const compressor = createCompressor();
  const countRequest = countRequests(context.metrics);
  const unread = createHeldBytes<ServerResponse>(MAX_UNREAD_BYTES, ({ req }) => req.socket.destroy());

  function sendWhenReady(exchange: Exchange, response: MaybePromise<ApiResponse>): void {
    if (!(response instanceof Promise)) return send(exchange, response);
    response
      .then(
        (ready) => send(exchange, ready),
        (error: unknown) => fail(exchange, error),
      )
      .catch((error: unknown) => abandon(exchange, error));
  }

  function fail(exchange: Exchange, error: unknown): void {
    if (error instanceof ClientDisconnected) return recordResponse(exchange, CLIENT_CLOSED_REQUEST);
    send(exchange, refusals.failed(error, exchange.id, vinIn(exchange.segment)));
  }

  function abandon({ id, res }: Exchange, error: unknown): void {
    log.error('request failed', { id, error: error instanceof Error ? error.stack : String(error) });
    res.destroy();
  }

  function send(exchange: Exchange, response: ApiResponse): void {
    const { req, res } = exchange;
    const { body } = response;
    const shared = body !== null && typeof body === 'object' && 'done' in body ? body : null;
    if (res.destroyed || res.headersSent) {
      shared?.done();
      return recordResponse(exchange, CLIENT_CLOSED_REQUEST);
    }
    if (exchange.coding) {
      const { coding } = exchange;
      exchange.coding = null;
      const compressed = compressor.compress(response, coding);
      if (compressed) return sendWhenReady(exchange, compressed);
      if (response.status === 304 && exchange.tagged)
        return send(exchange, { ...response, head: withCodingETag(response.head, coding) });
    }
    if (body !== null && typeof body === 'object' && 'open' in body)
      return stream(exchange, response, body.open());
    writeHead(req, res, response.status, fullHead(exchange, response));
    if (body === null || req.method === 'HEAD') {
      shared?.done();
      res.end();
    } else if (typeof body === 'string') {
      if (body.length >= MIN_UNREAD_BYTES) {
        unread.add(res, body.length);
        res.once('close', () => unread.remove(res));
      }
      res.end(response.status < 400 ? body : withRequestId(body, exchange.id), 'latin1');
    } else if (shared) {
      res.once('close', () => shared.done());
      res.end(shared.bytes);
    } else res.end(body);
    recordResponse(exchange, response.status);
  }

  function stream(exchange: Exchange, response: ApiResponse, opening: Promise<Readable>): void {
    opening
      .then(
        (bytes) => {
          // The client left in the meantime. `pipeline` would throw.
          if (exchange.res.destroyed) {
            bytes.destroy();
            return recordResponse(exchange, CLIENT_CLOSED_REQUEST);
          }
          writeHead(exchange.req, exchange.res, response.status, fullHead(exchange, response));
          pipeline(bytes, exchange.res, (error) => {
            if (!error) return recordResponse(exchange, response.status);
            const hasLeft = error.code === 'ERR_STREAM_PREMATURE_CLOSE';
            if (!hasLeft)
              log.error('response: the file broke off', { id: exchange.id, error: error.message });
            recordResponse(exchange, hasLeft ? CLIENT_CLOSED_REQUEST : 500);
          });
        },
        (error: unknown) => fail(exchange, error),
      )
      .catch((error: unknown) => abandon(exchange, error));
  }

  function fullHead({ id, limit, template }: Exchange, { head }: ApiResponse): Head {
    const change = context.lifecycle(template);
    const own = head + requestLines(id, limit);
    return change ? own + lifecycleLines(change) : own;
  }

  function recordResponse({ req, id, template, started }: Exchange, status: number): void {
    const ms = performance.now() - started;
    countRequest(template, status, ms / 1000);
    context.endRequestSpan?.(req, template, status);
    if (!isProbe(template)) log.request(id, req.method!, template, status, ms);
    else log.debug('request', { id, method: req.method!, route: template, status, ms: Math.round(ms) });
  }

  return { send, sendWhenReady, fail, abandon, recordResponse };
}

/** Health checks come every few seconds, so they are logged at debug level. */
const isProbe = (template: string): boolean => template === '/healthz' || template === '/readyz';

interface Route {
  observe(seconds: number): void;
  statuses: Map<number, { value: number }>;
}

/** Counts finished requests. On the hot path, so it caches the counters instead of building label strings. */
function countRequests(metrics: Metrics): (route: string, status: number, seconds: number) => void {
  const routes = new Map<string, Route>();
  return (route, status, seconds) => {
    let row = routes.get(route);
    if (!row) {
      const observe = metrics.histogram('monroney_http_request_duration_seconds', { route });
      routes.set(route, (row = { observe, statuses: new Map() }));
    }
    row.observe(seconds);
    let count = row.statuses.get(status);
    if (!count) {
      count = metrics.counter('monroney_http_requests_total', { route, status: String(status) });
      row.statuses.set(status, count);
    }
    count.value++;
  };
}
