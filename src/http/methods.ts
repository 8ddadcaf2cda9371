import { METHODS } from 'node:http';
import { nowRunning } from '../lib/stalls.ts';
import type { HeaderSets, HeaderFields } from './response.ts';
import { policyField, type ApiLimiter } from './limit.ts';
import type { ProblemOptions } from './problems.ts';
import { hasUnsupportedExpect } from './request.ts';
import { isOf, vinOf, type Hook, type Respond, type Route, type Row } from './route.ts';

/** Finds the route that a request means, and refuses methods that it doesn't have. */

/** CONNECT has no path; Node handles it apart. */
export const ALL_METHODS = METHODS.filter((method) => method !== 'CONNECT');
/** On pages and documents the others are left to `/*`: registering 33 methods for each of a hundred routes takes 0.3 s. */
const COMMON_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];

/** The methods that a route is registered for, to refuse most of them. */
export const registeredMethods = ({ limit, template }: Route): string[] =>
  limit === 'api' || template.endsWith('*') ? ALL_METHODS : COMMON_METHODS;

/** Finds the row that answers. Before this, problems aren't presented and the log names no route. */
export const findRow =
  (routes: readonly Route[]) =>
  (registered: Route): Hook =>
  (request, _, done) => {
    const { method, path } = request;
    const isLeft = registered.template === '/*' && !COMMON_METHODS.includes(method);
    const route = (isLeft && routes.find(({ template }) => isOf(template, path))) || registered;
    request.route = route;
    request.row = route.find?.(path) ?? route;
    nowRunning(request.row.template);
    done();
  };

/** Answers preflights, before they are counted. */
export function answerPreflights(options: {
  limiter: Pick<ApiLimiter, 'policy'> | null;
  headerSets: HeaderSets;
  respond: Respond;
}): (route: Route) => Hook {
  const { limiter, headerSets, respond } = options;
  const policy: HeaderFields = limiter ? { 'ratelimit-policy': policyField(limiter.policy) } : {};
  return ({ limit, isCrossOrigin }) =>
    (request, reply, done) => {
      if (request.method !== 'OPTIONS' || !isCrossOrigin || hasUnsupportedExpect(request.raw)) return done();
      const own = headerSets.preflight(methodsOf(request.row, true).join(', '));
      const headers = limit === 'api' ? { ...own, ...policy } : own;
      void respond(request, reply, { status: 204, headers, body: null });
    };
}

export function wrongMethod(method: string, allowed: readonly string[], vin?: string): ProblemOptions {
  const use = allowed.filter((one) => one !== 'OPTIONS').join(', ');
  const detail = `${method.slice(0, 20)} isn't supported here. Use ${use.replace(/, (?=\w+$)/, ' or ')}.`;
  return { reason: 'method-not-allowed', detail, vin, headers: { allow: allowed.join(', ') } };
}

const EXPECTATION_FAILED: ProblemOptions = {
  reason: 'expectation-failed',
  detail: 'The only supported expectation is 100-continue.',
};

/** Refuses methods and expectations that a route doesn't have. They were counted like any other request. */
export const refuseOtherMethods =
  (respond: Respond): Hook =>
  (request, reply, done) => {
    const { method, route, row } = request;
    if (hasUnsupportedExpect(request.raw))
      return void respond(request, reply, { ...EXPECTATION_FAILED, vin: vinOf(request) });
    if (isAllowed(row, method)) return done();
    void respond(request, reply, wrongMethod(method, methodsOf(row, route?.isCrossOrigin), vinOf(request)));
  };

const GET = ['GET'] as const;

function isAllowed({ methods = GET }: Row, method: string): boolean {
  const [first] = methods;
  if (first === '*' || (first === 'GET' && (method === 'GET' || method === 'HEAD'))) return true;
  return methods.includes(method as 'GET');
}

/** The methods of a row, as in `Allow`. */
function methodsOf({ methods = GET }: Row, isCrossOrigin = false): string[] {
  const own = methods.flatMap((method) => (method === 'POST' ? ['POST'] : ['GET', 'HEAD']));
  return isCrossOrigin ? [...own, 'OPTIONS'] : own;
}
