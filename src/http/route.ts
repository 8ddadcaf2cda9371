import { METHODS, type ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nowRunning } from '../lib/metrics.ts';
import type { Answer, ProblemOptions } from './problems.ts';
import { hasUnsupportedExpect, vinIn } from './request.ts';
import type { HeaderFields, HeaderSets } from './response.ts';

/** What a route is, how a request finds it, and how it refuses methods that it doesn't have. */

/** What `app.serve` gets (`app.ts` has an example). */
export interface Route extends Row {
  /** What counts its requests: the API's limit, that of the pages, or nothing. */
  limit: 'api' | 'page' | 'none';
  /** Other origins may read it, so OPTIONS is answered with a preflight. */
  isCrossOrigin?: boolean;
  /** Finds the row of a path, for a template that ends in `*`. Without a row the route itself answers. */
  find?(path: string): Row | undefined;
  /** Turns a problem of this route into its response, such as an error page. */
  present?(problem: ProblemOptions, request: FastifyRequest): Answer | Promise<Answer>;
  /** The handler records the contact itself. */
  notesContact?: true;
  /** One page shows many of them, so they count toward the requests in a minute, and not toward those at once. */
  isEmbedded?: true;
}

export interface Row {
  /** As in the log and in OpenAPI: `/api/v1/vin/{vin}`. */
  template: string;
  /** By default GET and, with it, HEAD. `*` is every method. */
  methods?: readonly ('GET' | 'POST' | '*')[];
  /** The VIN in a path, as sent, for problems. */
  vinOf?(request: FastifyRequest): string | undefined;
  /** `res` tells when the client has left. */
  handle(request: FastifyRequest, res: ServerResponse): Answer | Promise<Answer>;
}

/** One step before a handler: calls `done`, or responds. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Sends an answer, or the problem if that fails. Never rejects. */
export type Respond = (
  request: FastifyRequest,
  reply: FastifyReply,
  answering: Answer | Promise<Answer>,
) => Promise<void>;

/** The VIN that a problem of this request names. */
export const vinOf = (request: FastifyRequest): string | undefined => vinIn(request.row?.vinOf?.(request));

/** Whether a path is one of a template. */
export function isOf(template: string, path: string): boolean {
  const given = path.split('/');
  const segments = template.split('/');
  return (
    segments.length === given.length &&
    segments.every((segment, index) => segment.startsWith('{') || segment === given[index])
  );
}

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
  /** The `RateLimit-Policy` field of the API. */
  policy: string | undefined;
  headerSets: HeaderSets;
  respond: Respond;
}): (route: Route) => Hook {
  const { headerSets, respond } = options;
  const policy: HeaderFields = options.policy ? { 'ratelimit-policy': options.policy } : {};
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
