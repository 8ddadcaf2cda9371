import type { FastifyInstance } from 'fastify';
import type { Lifecycle } from '../store/contact-store.ts';
import type { Decision, Limiter } from '../lib/limits.ts';
import type { Log } from '../lib/log.ts';
import type { MemoryCache } from '../lib/memory-cache.ts';
import type { Metrics } from '../lib/metrics.ts';
import { beginRequests, receiveBodies } from './begin.ts';
import { createClientIpOf } from './client-ip.ts';
import { createDrain, limitConnections, type Drain } from './connections.ts';
import { countRequests, policyField, type ApiLimiter } from './limit.ts';
import { contactOf, targetOf } from './request.ts';
import { createHeaders, type HeaderSets } from './response.ts';
import {
  answerPreflights,
  findRow,
  refuseOtherMethods,
  registeredMethods,
  type Hook,
  type Route,
  type Row,
} from './route.ts';
import { createRespond } from './send.ts';
import { createFastify, refuseMalformed, SERVER_LIMITS, type ServerLimits } from './server.ts';
import { createVisitorOf } from './sites.ts';

export interface HttpOptions {
  baseUrl: string;
  trustedProxies: readonly string[];
  log: Log;
  metrics: Metrics;
  memory: MemoryCache;
  /** Null when limits are off. */
  limiter: ApiLimiter | null;
  pageLimit: Pick<Limiter, 'take' | 'end'> | null;
  /** Records the contact that a client sent, valid or not. Never throws or blocks. */
  noteContact(raw: string | undefined, route: string): void;
  /** The announced change of a route that is in force now. */
  lifecycle(route: string): Lifecycle | null;
  limits?: Partial<ServerLimits>;
}

declare module 'fastify' {
  interface FastifyInstance {
    headerSets: HeaderSets;
    baseUrl: string;
    drain: Drain;
    readonly routes: readonly Route[];
    serve(route: Route): void;
  }
  interface FastifyRequest {
    /** As sent, with only letters, digits and `-._~` decoded. */
    readonly path: string;
    /** As sent, without the question mark. */
    readonly queryText: string;
    /** Identifies the client, for limits and fair queues. Never logged or stored. */
    readonly client: string;
    /** The client as a visitor of the site whose page shows our response. Never logged or stored. */
    readonly visitor: string;
    /** Null until it is known. */
    route: Route | null;
    /** The route, or its row, that answers it. */
    row: Row;
    /** For `client` alone. */
    clientKey: string | null;
    /** The API limit's decision. */
    decision: Decision | null;
  }
}

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
 * - HEAD comes with GET. OPTIONS is a preflight where `isCrossOrigin`. All other methods get 405.
 * - Bodies are text of at most 64 KB in `request.body`.
 * - In tests, `await app.inject({ url: '/compare', headers: { accept: 'text/html' } })`.
 */
export function createHttpApp(options: HttpOptions): FastifyInstance {
  const { baseUrl, log, limiter, memory, lifecycle, trustedProxies } = options;
  const headerSets = createHeaders(baseUrl);
  const limits = { ...SERVER_LIMITS, ...options.limits };
  const app = createFastify(limits, (error, socket) => malformed(error, socket));
  const connections = limitConnections(app.server, limits, trustedProxies);
  const { headerBytes } = limits;
  const malformed = refuseMalformed(app.server, { headerSets, baseUrl, headerBytes, connections });
  const drain = createDrain(app.server, connections, { headerSets, baseUrl });
  const policy = limiter ? policyField(limiter.policy) : undefined;
  const sending = { log, memory, policy, lifecycle, isLast: drain.isLast };
  const { respond, fail } = createRespond({ ...sending, headerSets, baseUrl });
  const shared = { ...options, policy, headerSets, connections, respond };
  const begin = beginRequests(shared);
  const bodies = receiveBodies(app);
  const routes: Route[] = [];
  /** What a route's requests pass through, in this order. */
  const steps = [
    () => begin,
    findRow(routes),
    answerPreflights(shared),
    countRequests(shared),
    () => refuseOtherMethods(respond),
    noteContacts(options),
    () => bodies.prepare,
  ];

  decorateRequests(app, options);
  app.decorate('drain', drain);
  app.decorate('headerSets', headerSets);
  app.decorate('baseUrl', baseUrl);
  app.decorate('routes', routes);
  app.decorate('serve', function serve(this: FastifyInstance, route: Route) {
    routes.push(route);
    this.route({
      method: registeredMethods(route),
      url: route.template.replace(/\{(\w+)\}/g, ':$1'),
      onRequest: steps.map((step) => step(route)),
      handler(request, reply) {
        bodies.received(request.raw);
        void respond(request, reply, request.row.handle(request, reply.raw));
      },
      errorHandler: (error, request, reply) => void fail(error, request, reply),
    });
  });
  return app;
}

/** What handlers and steps read from a request in addition to what Fastify has. */
function decorateRequests(
  app: FastifyInstance,
  { baseUrl, trustedProxies }: Pick<HttpOptions, 'baseUrl' | 'trustedProxies'>,
): void {
  const clientIpOf = createClientIpOf(trustedProxies);
  const visitorOf = createVisitorOf(baseUrl);
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
  app.decorateRequest('route', null);
  app.decorateRequest('row', null as never);
  app.decorateRequest('decision', null);
}

/** Records the contact that a client sent with a request that is handled. */
const noteContacts =
  ({ noteContact }: Pick<HttpOptions, 'noteContact'>) =>
  ({ notesContact }: Route): Hook =>
  (request, _, done) => {
    const contact = notesContact ? undefined : contactOf(request);
    if (contact) noteContact(contact, request.row.template);
    done();
  };
