// The global of the same name is a getter that costs more than reading the clock.
import { performance } from 'node:perf_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createHeldBytes } from '../lib/limits.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Connections } from './connections.ts';
import {
  hasBody,
  hasUncertainLength,
  hasUnsupportedExpect,
  malformedProblem,
  MAX_BODY_BYTES,
  SERVER_PATH,
} from './request.ts';
import type { HeaderSets } from './response.ts';
import type { Hook, Respond } from './route.ts';

const READ_ONLY = 'GET, HEAD, OPTIONS';

/** Counts and logs every request, and refuses what is malformed, whatever its route. */
export function beginRequests(options: {
  connections: Connections;
  headerSets: HeaderSets;
  respond: Respond;
  log: Log;
  metrics: Metrics;
}): Hook {
  const { connections, headerSets, respond } = options;
  const record = createRequestLog(options);
  return (request, reply, done) => {
    const [{ raw: req }, { raw: res }] = [request, reply];
    const started = performance.now();
    if (!connections.started(req, res, request.id)) return void reply.hijack();
    res.on('close', () => {
      connections.ended(req, res);
      record(request, res, performance.now() - started);
    });
    // What comes next may be the rest of this request.
    if (hasUncertainLength(req) || hasUnsupportedExpect(req) || req.headers.upgrade)
      res.setHeader('connection', 'close');
    const problem = malformedProblem(req);
    if (problem) return void respond(request, reply, problem);
    if (request.path !== SERVER_PATH) return done();
    void respond(request, reply, { status: 204, headers: headerSets.preflight(READ_ONLY), body: null });
  };
}

/** Logged when the client disconnected before it got the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Logs and counts a request whose response is closed: one line, under the template of its route. */
function createRequestLog({ log, metrics }: { log: Log; metrics: Metrics }) {
  const count = countFinished(metrics);
  return ({ id, raw, row }: FastifyRequest, response: ServerResponse, ms: number): void => {
    const route = row?.template ?? '*';
    const status = statusOf(response);
    const method = raw.method!;
    count(route, status, ms / 1000);
    // Health checks come every few seconds.
    if (route !== '/healthz' && route !== '/readyz') log.request(id, method, route, status, ms);
    else log.debug('request', { id, method, route, status, ms: Math.round(ms) });
  };
}

function statusOf({ writableFinished, errored, statusCode }: ServerResponse): number {
  if (writableFinished) return statusCode;
  return errored ? 500 : CLIENT_CLOSED_REQUEST;
}

interface Route {
  observe(seconds: number): void;
  statuses: Map<number, { value: number }>;
}

/** Counts finished requests. On the hot path, so it caches the counters instead of building label strings. */
function countFinished(metrics: Metrics): (route: string, status: number, seconds: number) => void {
  const routes = new Map<string, Route>();
  return (route, status, seconds) => {
    let row = routes.get(route);
    if (!row) {
      const observe = metrics.histogram('monroney_http_request_duration_seconds', { route });
      routes.set(route, (row = { observe, statuses: new Map() }));
    }
    row.observe(seconds);
    let counter = row.statuses.get(status);
    if (!counter) {
      counter = metrics.counter('monroney_http_requests_total', { route, status: String(status) });
      row.statuses.set(status, counter);
    }
    counter.value++;
  };
}

/** Each may take up to 64 KB. Beyond this, the client with most of them loses one. */
const MAX_ARRIVING_BYTES = 32 * 1024 * 1024;

/** Bodies are text in `request.body`, and bounded in total while they arrive. */
export function receiveBodies(app: FastifyInstance): { prepare: Hook; received(req: IncomingMessage): void } {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) =>
    done(null, withoutMark(String(body))),
  );
  const arriving = createHeldBytes<IncomingMessage>(MAX_ARRIVING_BYTES, (req) => req.destroy());

  return {
    prepare(request, _, done) {
      const { raw: req, method } = request;
      if (method === 'GET' || method === 'HEAD') return done();
      if (hasBody(req)) {
        arriving.add(req, MAX_BODY_BYTES, request.client);
        req.on('close', () => arriving.remove(req));
      } else {
        // Node has ended it (`optimizeEmptyRequests`), and the parser of bodies would wait for the end.
        delete request.headers['content-type'];
      }
      done();
    },
    received: arriving.remove,
  };
}

/** UTF-8 without the byte order mark that .NET and PowerShell like to send. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
