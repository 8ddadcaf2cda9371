import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http';
// The global of the same name is a getter that costs more than reading the clock.
import { performance } from 'node:perf_hooks';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Lifecycle } from '../store/contact-store.ts';
import { createHeldBytes } from '../lib/held-bytes.ts';
import type { Decision, Limiter } from '../lib/limits.ts';
import type { Log } from '../lib/log.ts';
import type { MemoryCache } from '../lib/memory-cache.ts';
import type { Metrics } from '../lib/metrics.ts';
import { nowRunning } from '../lib/stalls.ts';
import type { Traces } from '../lib/traces.ts';
import { createClientIpOf } from './client-ip.ts';
import { limitConnections } from './connections.ts';
import { createDrain, type Drain } from './drain.ts';
import { createHeaders, type HeaderSets } from './headers.ts';
import { policyField, secondsOf, type ApiLimiter } from './limit.ts';
import { problemResponse, type ProblemOptions, type Answer } from './problems.ts';
import { problemOf, tooManyPages, tooManyRequests, wrongMethod } from './general-problems.ts';
import {
  contactOf,
  hasBody,
  hasUncertainLength,
  hasUnsupportedExpect,
  malformedProblem,
  MAX_BODY_BYTES,
  nextRequestId,
  routedUrl,
  SERVER_PATH,
  targetOf,
  vinIn,
} from './request.ts';
import { createSender } from './send.ts';
import { createVisitorOf } from './sites.ts';
import { createRequestLog } from './request-log.ts';
import type { HeaderFields } from './response.ts';
import { refuseMalformed, SERVER_LIMITS, type ServerLimits, WITHOUT_SCHEMAS } from './server.ts';

/**
 * The Fastify app that everything listens with. A part of the service is a Fastify plugin that calls `app.serve(route)` for
 * each of its routes:
 *
 *     export const pages: FastifyPluginCallback<PageContext> = (app, context, done) => {
 *       app.serve({ template: '/compare', limit: 'page', handle: (request) => comparePage(request, context) });
 *       done();
 *     };
 *
 * - A handler returns its response, `{ status, headers, body }`, or a problem, `{ reason, detail }`. It sends nothing.
 * - The headers of a response are complete (`{ ...app.headerSets.page, ... }`), apart from those of the request: its id, the
 *   state of the rate limit and announced changes of the route. Names are in lower case.
 * - A problem becomes a problem document. A route whose problems are pages for people has `present`.
 * - `{name}` in a template is one segment of the path, in `request.params` as sent, never decoded; a final `*` is the rest.
 * - HEAD comes with GET. OPTIONS is a preflight where `isCrossOrigin`. All other methods get 405; rare ones, such as PROPFIND,
 *   go to the route `/*` unless it is the API.
 * - Bodies are text of at most 64 KB in `request.body`.
 * - In tests, `await app.inject({ url: '/compare', headers: { accept: 'text/html' } })`.
 */
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

export interface HttpOptions {
  baseUrl: string;
  trustedProxies: readonly string[];
  log: Log;
  metrics: Metrics;
  memory: MemoryCache;
  traces?: Pick<Traces, 'within' | 'endRequestSpan'> | null;
  /** Null when limits are off. */
  limiter: ApiLimiter | null;
  pageLimit: Pick<Limiter, 'take' | 'end'> | null;
  /** Records the contact that a client sent, valid or not. Never throws or blocks. */
  noteContact(raw: string | undefined, route: string, client: string): void;
  /** The announced change of a route that is in force now. */
  lifecycle(route: string): Lifecycle | null;
  limits?: Partial<ServerLimits>;
}

declare module 'fastify' {
  interface FastifyInstance {
    headerSets: HeaderSets;
    baseUrl: string;
    drain: Drain;
    /** Of all routes. */
    templates: string[];
    serve(route: Route): void;
  }
  interface FastifyRequest {
    /** As sent, not decoded. */
    readonly path: string;
    /** As sent, without the question mark. */
    readonly queryText: string;
    /** Identifies the client, for limits and fair queues. Never logged or stored. */
    readonly client: string;
    /** The client as a visitor of the site whose page shows our response. Never logged or stored. */
    readonly visitor: string;
    /** The route or row that answers it. */
    row: Row;
    /** For `client` alone. */
    clientKey: string | null;
    /** The API limit's decision. */
    decision: Decision | null;
  }
}

/** Each may take up to 64 KB. Beyond this, the client with most of them loses one. */
const MAX_ARRIVING_BYTES = 32 * 1024 * 1024;

/** CONNECT has no path; Node handles it apart. */
const ALL_METHODS = METHODS.filter((method) => method !== 'CONNECT');
/** On pages and documents the others are left to `/*`: registering 33 methods for each of a hundred routes takes 0.3 s. */
const COMMON_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];

export function createHttpApp(options: HttpOptions): FastifyInstance {
  const { baseUrl, log, limiter, memory, pageLimit, traces, trustedProxies } = options;
  const headerSets = createHeaders(baseUrl);
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const app = fastify({
    exposeHeadRoutes: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionTimeout: limits.stalledMs,
    maxRequestsPerSocket: limits.requestsPerConnection,
    return503OnClosing: false,
    genReqId: nextRequestId,
    rewriteUrl: routedUrl,
    // A long VIN is a wrong VIN (400), not an unknown path.
    routerOptions: { maxParamLength: limits.headerBytes },
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: Math.min(limits.headersMs, 5000),
      // A missing Host gets a problem document; Node wouldn't send one.
      requireHostHeader: false,
      optimizeEmptyRequests: true,
    },
    clientErrorHandler: (error, socket) => malformed(error, socket),
    schemaController: WITHOUT_SCHEMAS,
  });
  const connections = limitConnections(app.server, limits, trustedProxies);
  const { headerBytes } = limits;
  const malformed = refuseMalformed(app.server, { headerSets, baseUrl, headerBytes, connections });
  // Counted like any other request, and refused by its route.
  app.server.on('checkExpectation', (req, res) => app.routing(req, res));
  app.server.on('checkContinue', (req, res) => {
    // Behind another response, Node could send it inside its own.
    if (res.socket) res.writeContinue();
    app.routing(req, res);
  });

  for (const method of ALL_METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) =>
    done(null, withoutMark(String(body))),
  );

  const clientIpOf = createClientIpOf(trustedProxies);
  const visitorOf = createVisitorOf(baseUrl);
  const record = createRequestLog(options);
  const drain = createDrain(app.server, connections, { headerSets, baseUrl });
  const { lifecycle } = options;
  const send = createSender({ log, memory, policy: limiter?.policy, lifecycle, isLast: drain.isLast });
  const policy: HeaderFields = limiter ? { 'ratelimit-policy': policyField(limiter.policy) } : {};

  app.decorate('drain', drain);
  app.decorate('headerSets', headerSets);
  app.decorate('baseUrl', baseUrl);
  app.decorate('templates', []);
  app.decorateRequest('path', {
    getter() {
      return targetOf(this.raw).path;
    },
  });
  app.decorateRequest('queryText', {
    getter() {
      return targetOf(this.raw).query;
    },
  });
  app.decorateRequest('client', {
    getter() {
      return (this.clientKey ??= clientIpOf(this.socket.remoteAddress, this.headers));
    },
  });
  app.decorateRequest('clientKey', null);
  app.decorateRequest('visitor', {
    getter() {
      return visitorOf(this.client, this.headers);
    },
  });
  app.decorateRequest('row', null as never);
  app.decorateRequest('decision', null);

  /** Counts, logs and checks a request, whatever its route. False if it was answered here. */
  function begin(request: FastifyRequest, { raw: res }: FastifyReply): boolean {
    const { raw: req } = request;
    const started = performance.now();
    if (!connections.started(req, res, request.id)) return false;
    res.on('close', () => {
      connections.ended(req, res);
      record(request, res, performance.now() - started);
    });
    // What comes next may be the rest of this request.
    if (hasUncertainLength(req) || hasUnsupportedExpect(req) || req.headers.upgrade)
      res.setHeader('connection', 'close');
    const problem = malformedProblem(req);
    if (problem) void send(request, res, problemResponse({ headerSets, baseUrl }, problem, request.id));
    else if (request.path === SERVER_PATH)
      void send(request, res, { status: 204, headers: headerSets.preflight(READ_ONLY), body: null });
    else return true;
    return false;
  }
  // The rest runs in its context.
  if (traces) app.addHook('onRequest', ({ raw }, _, done) => traces.within(raw, done));

  /** Bodies that haven't arrived completely. */
  const arriving = createHeldBytes<IncomingMessage>(MAX_ARRIVING_BYTES, (req) => req.destroy());

  function prepareBody({ raw: req, headers, client }: FastifyRequest): void {
    if (hasBody(req)) {
      arriving.add(req, MAX_BODY_BYTES, client);
      req.on('close', () => arriving.remove(req));
      return;
    }
    // Node has ended it (`optimizeEmptyRequests`), and the parser of bodies would wait for the end.
    delete headers['content-type'];
  }

  app.decorate('serve', function serve(this: FastifyInstance, route: Route) {
    const { limit, isCrossOrigin, present } = route;
    app.templates.push(route.template);

    /** Sends what a handler or a refusal says, or the problem if that fails. Never rejects. */
    async function respond(
      request: FastifyRequest,
      reply: FastifyReply,
      answering: Answer | Promise<Answer>,
      isFailure = false,
    ): Promise<void> {
      const { raw: res } = reply;
      try {
        const given = await answering;
        const answer = 'reason' in given && present ? await present(given, request) : given;
        const isProblem = 'reason' in answer;
        await send(
          request,
          res,
          isProblem ? problemResponse({ headerSets, baseUrl }, answer, request.id) : answer,
        );
      } catch (error) {
        if (isFailure) res.destroy();
        else await respond(request, reply, problemOf(error, log, request.id, vinOf(request)), true);
      }
    }

    function onRequest(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
      if (!begin(request, reply)) return;
      const row = route.find?.(request.path) ?? route;
      request.row = row;
      nowRunning(row.template);
      if (request.method === 'OPTIONS' && isCrossOrigin && !hasUnsupportedExpect(request.raw)) {
        const headers = headerSets.preflight(methodsOf(row, true).join(', '));
        const own = limit === 'api' ? { ...headers, ...policy } : headers;
        return void respond(request, reply, { status: 204, headers: own, body: null });
      }
      const taken = limit === 'api' && limiter ? limiter.take(request.client) : null;
      // Without Redis there is nothing to wait for.
      if (taken instanceof Promise)
        taken.then((decision) => admit(request, reply, decision, done)).catch(done);
      else admit(request, reply, taken, done);
    }

    /** Refuses a request that was counted, or passes it on. */
    function admit(
      request: FastifyRequest,
      reply: FastifyReply,
      decision: Decision | null,
      done: () => void,
    ): void {
      request.decision = decision;
      const refused = refusal(request, reply);
      if (refused) return void respond(request, reply, refused);
      const contact = route.notesContact ? undefined : contactOf(request);
      if (contact) options.noteContact(contact, request.row.template, request.client);
      if (request.method !== 'GET' && request.method !== 'HEAD') prepareBody(request);
      done();
    }

    /** What is sent instead of calling the handler. */
    function refusal(request: FastifyRequest, { raw: res }: FastifyReply): Answer | null {
      const { method, row, decision } = request;
      if (limiter && decision?.allowed === false)
        return tooManyRequests(limiter.policy, secondsOf(decision), vinOf(request));
      if (limit === 'page' && pageLimit) {
        const { client } = request;
        const taken = pageLimit.take(client);
        if (!taken.allowed) return tooManyPages(secondsOf(taken));
        if (route.isEmbedded) pageLimit.end(client);
        else res.on('close', () => pageLimit.end(client));
      }
      if (hasUnsupportedExpect(request.raw)) return { ...EXPECTATION_FAILED, vin: vinOf(request) };
      if (isAllowed(row, method)) return null;
      return wrongMethod(method, methodsOf(row, isCrossOrigin), vinOf(request));
    }

    this.route({
      method: limit === 'api' || route.template.endsWith('*') ? ALL_METHODS : COMMON_METHODS,
      url: route.template.replace(/\{(\w+)\}/g, ':$1'),
      onRequest,
      handler(request, reply) {
        arriving.remove(request.raw);
        void respond(request, reply, request.row.handle(request, reply.raw));
      },
      errorHandler: (error, request, reply) =>
        void respond(request, reply, problemOf(error, log, request.id, vinOf(request)), true),
    });
  });

  return app;
}

const READ_ONLY = 'GET, HEAD, OPTIONS';

const EXPECTATION_FAILED: ProblemOptions = {
  reason: 'expectation-failed',
  detail: 'The only supported expectation is 100-continue.',
};

const vinOf = (request: FastifyRequest): string | undefined => vinIn(request.row?.vinOf?.(request));

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

const GET = ['GET'] as const;

/** UTF-8 without the byte order mark that .NET and PowerShell like to send. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
