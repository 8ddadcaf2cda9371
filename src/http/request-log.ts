import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';

/** Logged when the client disconnected before it got the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Logs and counts a request whose response is closed: one line, under the template of its route. */
export type RequestLog = (request: FastifyRequest, response: ServerResponse, ms: number) => void;

export function createRequestLog({ log, metrics }: { log: Log; metrics: Metrics }): RequestLog {
  const count = countFinished(metrics);
  return ({ id, raw, row }, response, ms) => {
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
