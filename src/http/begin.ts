// The global of the same name is a getter that costs more than reading the clock.
import { performance } from 'node:perf_hooks';
import { nowRunning } from '../lib/stalls.ts';
import type { Connections } from './connections.ts';
import type { HeaderSets } from './headers.ts';
import { meantRoute } from './methods.ts';
import { hasUncertainLength, hasUnsupportedExpect, malformedProblem, SERVER_PATH } from './request.ts';
import type { RequestLog } from './request-log.ts';
import type { Hook, Respond, Route } from './route.ts';

const READ_ONLY = 'GET, HEAD, OPTIONS';

/** Counts and logs every request, and refuses what is malformed, whatever its route. */
export function beginRequests(options: {
  connections: Connections;
  record: RequestLog;
  headerSets: HeaderSets;
  respond: Respond;
}): Hook {
  const { connections, record, headerSets, respond } = options;
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

/** Finds the row that answers. Before this, problems aren't presented and the log names no route. */
export const findRow =
  (routes: readonly Route[]) =>
  (route: Route): Hook =>
  (request, _, done) => {
    request.route = (route.template === '/*' && meantRoute(routes, request)) || route;
    request.row = route.find?.(request.path) ?? request.route;
    nowRunning(request.row.template);
    done();
  };
