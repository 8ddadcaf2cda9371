import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { nowRunning } from '../lib/stalls.ts';
import { type ApiRequest, type ApiResponse, fieldsOf } from './response.ts';
import {
  readBody,
  hasDotSegment,
  hasOneHost,
  hasUncertainLength,
  isValidHost,
  splitTarget,
  contactOf,
  vinIn,
  withoutBrokenEscapes,
} from './request.ts';
import { stripCodingFromConditions } from './compression.ts';
import { createSender, openExchange, type Exchange, type Sender } from './exchange.ts';
import { lifecycleLines } from './headers.ts';
import type { LimitDecision } from './limit.ts';
import { clientsOfPages, refusedPages } from './page-limit.ts';
import { createHttpContext, type ApiRoute, type HttpContext, type HttpDependencies } from './context.ts';
import { READ_ONLY } from './problems.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import { apiRoute, isApi, isCrossOriginPath, unlimitedRoute, unknownApi } from './routes.ts';

/** `unsupportedExpect`: the request has an Expect header that we don't support. */
export type Listener = (req: IncomingMessage, res: ServerResponse, unsupportedExpect?: boolean) => void;

/** Handles pages and tools. */
type Fallback = (req: IncomingMessage, res: ServerResponse, client: string) => unknown;

/** Used by the handlers of all three kinds of routes. */
interface Shared extends Sender {
  context: HttpContext;
  refusals: Refusals;
  /** The client's IP address: in memory only, for seconds to minutes, and only ever compared. */
  clientOf(socket: Socket, request: ApiRequest): string;
  noteContact(exchange: Exchange, request: ApiRequest): void;
}

/**
 * Handles `/api/`, `/vpic/` and machine-readable documents with plain functions, without a turn of the event loop if
 * everything is in memory. Passes pages and tools to `fallback`.
 */
export function createListener(dependencies: HttpDependencies, fallback: Fallback): Listener {
  const shared = createShared(createHttpContext(dependencies));
  const { send, refusals } = shared;
  const handleApi = createApiHandler(shared);
  const handleUnlimited = createUnlimitedHandler(shared);
  const passOn = createFallbackHandler(shared, fallback);

  function handle(exchange: Exchange): void {
    const { req, res, unsupportedExpect } = exchange;
    const target = splitTarget(req.url!);
    // What comes next may be the rest of this request.
    if (unsupportedExpect || hasUncertainLength(req)) res.shouldKeepAlive = false;
    if (!hasOneHost(req.rawHeaders, req.httpVersion)) {
      // A proxy may have parsed a different request than we did, so don't reuse this connection.
      res.shouldKeepAlive = false;
      const detail = 'Send exactly one Host header.';
      return send(exchange, refusals.problem({ reason: 'bad-request', detail }));
    }
    if (target === null) {
      if (req.url === '*' && req.method === 'OPTIONS') return send(exchange, refusals.preflight(READ_ONLY));
      const detail = 'The URL path must begin with a slash.';
      return send(exchange, refusals.problem({ reason: 'bad-request', detail }));
    }
    if (hasDotSegment(target.path)) {
      const detail = 'The URL path must not contain "." or ".." segments.';
      return send(exchange, refusals.problem({ reason: 'bad-request', detail }));
    }
    const { query } = target;
    const path = withoutSlash(target.path);
    if (exchange.coding) exchange.tagged = stripCodingFromConditions(req.headers, exchange.coding);
    const request: ApiRequest = { method: req.method!, path, query, headers: req.headers };
    if (isApi(path)) return handleApi(exchange, request);
    if (unsupportedExpect) return send(exchange, refusals.expectationFailed());
    if (!handleUnlimited(exchange, request)) passOn(exchange, request);
  }

  return function listen(req, res, unsupportedExpect = false) {
    const exchange = openExchange(req, res, unsupportedExpect);
    try {
      handle(exchange);
    } catch (error) {
      shared.abandon(exchange, error);
    }
  };
}

const CLIENT_IP = Symbol('client IP');
type CountedSocket = Socket & { [CLIENT_IP]?: string };

function createShared(context: HttpContext): Shared {
  const refusals = createRefusals(context);
  function clientOf(socket: CountedSocket, { headers }: ApiRequest): string {
    if (context.trustedProxies.length > 0) return context.clientIpOf(socket.remoteAddress, headers);
    return (socket[CLIENT_IP] ??= context.clientIpOf(socket.remoteAddress, headers));
  }
  return {
    context,
    refusals,
    ...createSender(context, refusals),
    clientOf,
    noteContact({ req, template }, request) {
      const contact = contactOf(request);
      if (contact) context.noteContact(contact, template, request.client ?? clientOf(req.socket, request));
    },
  };
}

/** `/api/` and `/vpic/`, which are rate limited. */
function createApiHandler({ context, refusals, send, sendWhenReady, fail, clientOf, noteContact }: Shared) {
  function respond(
    exchange: Exchange,
    request: ApiRequest,
    route: ApiRoute | undefined,
    decision: LimitDecision | null,
  ): MaybePromise<ApiResponse> {
    exchange.limit = decision;
    if (decision && !decision.allowed)
      return refusals.tooManyRequests(decision.seconds, vinIn(exchange.segment));
    if (exchange.unsupportedExpect) return refusals.expectationFailed(vinIn(exchange.segment));
    if (!route) return refusals.problem({ reason: 'not-found', detail: notFoundDetail(request.path) });
    if (route.method === 'POST' ? request.method !== 'POST' : !isReadOnly(request))
      return refusals.wrongMethod(request.method, vinIn(exchange.segment), allowed(route));
    if (route.method === 'POST') request.body = () => readBody(exchange.req);
    noteContact(exchange, request);
    return route.handle(request, context);
  }

  return function handleApi(exchange: Exchange, request: ApiRequest): void {
    const route = apiRoute(request.path);
    exchange.template = route?.template ?? unknownApi(request.path);
    nowRunning(exchange.template);
    exchange.segment = route?.segment;
    // Preflights aren't counted.
    if (request.method === 'OPTIONS' && !exchange.unsupportedExpect)
      return send(exchange, refusals.apiPreflight(allowed(route)));
    try {
      const client = clientOf(exchange.req.socket, request);
      request.client = client;
      const decision = context.limiter ? context.limiter.take(client) : null;
      sendWhenReady(
        exchange,
        decision instanceof Promise
          ? decision.then((decided) => respond(exchange, request, route, decided))
          : respond(exchange, request, route, decision),
      );
    } catch (error) {
      fail(exchange, error);
    }
  };
}

/** Machine-readable documents, health checks and error codes. Returns false for other paths. */
function createUnlimitedHandler({ context, refusals, send, sendWhenReady, fail, noteContact }: Shared) {
  return function handleUnlimited(exchange: Exchange, request: ApiRequest): boolean {
    const route = unlimitedRoute(request, context);
    if (!route) return false;
    exchange.template = route.template;
    if (request.method === 'OPTIONS') {
      send(exchange, refusals.preflight(READ_ONLY));
      return true;
    }
    noteContact(exchange, request);
    try {
      sendWhenReady(exchange, isReadOnly(request) ? route.handle() : refusals.wrongMethod(request.method));
    } catch (error) {
      fail(exchange, error);
    }
    return true;
  };
}

/** Pages and tools: they have a limit of their own. Sets the common headers and calls `fallback`. */
function createFallbackHandler(
  { context, refusals, send, fail, abandon, recordResponse, clientOf, noteContact }: Shared,
  fallback: Fallback,
) {
  const { headerSets, pageLimit } = context;
  const [crossOrigin, common] = [fieldsOf(headerSets.crossOrigin), fieldsOf(headerSets.common)];
  const page = fieldsOf(headerSets.common + headerSets.catalog);

  /** Null if the request is allowed; otherwise the seconds to wait. */
  function enterPage(res: ServerResponse, client: string): number | null {
    if (!pageLimit) return null;
    const wait = pageLimit.enter(client);
    if (wait === null) res.once('close', () => pageLimit.leave(client));
    return wait;
  }

  function setHeaders({ res, id, template }: Exchange, fields: readonly [string, string][]): void {
    for (const [name, value] of fields) res.setHeader(name, value);
    res.setHeader('X-Request-Id', id);
    const change = context.lifecycle(template);
    if (change) for (const [name, value] of fieldsOf(lifecycleLines(change))) res.appendHeader(name, value);
  }

  return function passOn(exchange: Exchange, request: ApiRequest): void {
    const { req, res } = exchange;
    exchange.template = context.routeOf(request.path);
    nowRunning(exchange.template);
    const isCrossOrigin = isCrossOriginPath(request.path);
    const isAsset = isReadOnly(request) && request.path.startsWith('/assets/');
    // The tools handle their own preflights.
    if (isCrossOrigin && req.method === 'OPTIONS' && request.path !== '/mcp')
      return send(exchange, refusals.preflight(READ_ONLY));
    const client = clientOf(req.socket, request);
    // Style sheets and scripts belong to a page that was counted.
    const wait = isAsset ? null : enterPage(res, client);
    if (wait !== null && (isCrossOrigin || !/\btext\/html\b/.test(req.headers.accept ?? '')))
      return send(exchange, refusals.tooManyPages(wait));
    if (wait !== null) refusedPages.set(req, wait);
    clientsOfPages.set(req, client);
    if (!isValidHost(req.headers.host))
      return send(exchange, refusals.problem({ reason: 'bad-request', detail: INVALID_HOST }));
    setHeaders(exchange, isCrossOrigin ? crossOrigin : isAsset ? common : page);
    res.once('close', () => recordResponse(exchange, res.statusCode));
    // The tools record the contact themselves, with the name of the tool.
    if (request.path !== '/mcp' && wait === null) noteContact(exchange, request);
    // The router of the pages sends an empty 400 for a backslash.
    const path = request.path.replaceAll('\\', '%5C');
    req.url = withoutBrokenEscapes(request.query === '' ? path : `${path}?${request.query}`);
    try {
      Promise.resolve(fallback(req, res, client))
        .catch((error: unknown) => fail(exchange, error))
        .catch((error: unknown) => abandon(exchange, error));
    } catch (error) {
      fail(exchange, error);
    }
  };
}

const INVALID_HOST =
  'The Host header must be a host name or an IP address, with or without a port, such as example.com:8080.';

const allowed = (route: ApiRoute | undefined): string =>
  route?.method === 'POST' ? 'POST, OPTIONS' : READ_ONLY;

const isReadOnly = ({ method }: ApiRequest) => method === 'GET' || method === 'HEAD';

/** Clients that join URLs add a slash to the tools' URL, and few follow a redirect of a POST. */
function withoutSlash(path: string): string {
  return path === '/mcp/' ? '/mcp' : path;
}

function notFoundDetail(path: string): string {
  const trailing =
    path.endsWith('/') && apiRoute(path.slice(0, -1)) ? ' Leave out the slash at the end.' : '';
  const listed = path.startsWith('/vpic/')
    ? '/docs/nhtsa-api lists the NHTSA operations we support.'
    : '/openapi.json lists all operations.';
  return `There is no operation at this URL.${trailing} ${listed}`;
}
