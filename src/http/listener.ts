import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// The global of the same name is a getter that costs more than the reading itself.
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream';
import { Busy } from '../lookup/derived-cache.ts';
import { LabelGone, StoreUnavailable } from '../store/store.ts';
import type { Soon } from '../lib/soon.ts';
import { duration } from '../lib/words.ts';
import type { Answer, ApiRequest } from './answer.ts';
import { readBody } from './body.ts';
import { codingOf, createCompressor, plainConditions, taggedFor, type Coding } from './compression.ts';
import { fieldsOf, headOf, writeHead, type Head } from './head.ts';
import { lifecycleLines, ownLines } from './headers.ts';
import { LIMIT, policyField, type Verdict } from './limit.ts';
import { clientsOfPages, PAGES_A_MINUTE, PAGES_AT_ONCE, refusedPages } from './page-limit.ts';
import { contactOf, vinIn } from './params.ts';
import { createFront, type HttpParts } from './parts.ts';
import { problem, READ_ONLY, withRequestId, type ProblemOf } from './problems.ts';
import { apiRoute, isApi, isOpen, openRoute, unknownApi, type ApiRoute } from './routes.ts';
import { nowRunning } from '../lib/stalls.ts';
import { hasOneHost, nextRequestId, splitTarget } from './target.ts';

/** `unmet`: the request has an Expect header that we don't support. */
export type Listener = (req: IncomingMessage, res: ServerResponse, unmet?: boolean) => void;

/** One request being answered. */
interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  id: string;
  started: number;
  template: string;
  /** Where the VIN stands, or something in its place. */
  segment: string | undefined;
  verdict: Verdict | null;
  unmet: boolean;
  /** What the answer may be compressed with. */
  coding: Coding | null;
  /** The request names a tag of that encoding. */
  tagged: boolean;
}

const ADDRESS = Symbol('address');
type CountedSocket = Socket & { [ADDRESS]?: string };

/** In the log, of a caller that did not wait for the answer. */
const GONE = 499;
const ANY_VIN = '00000000000000000';

/**
 * Answers everything under `/api/` and the machine-readable documents by plain functions, without a turn of the
 * event loop where everything is in memory; the rest (pages, tools) goes to `fallback`.
 */
export function createListener(
  parts: HttpParts,
  fallback: (req: IncomingMessage, res: ServerResponse, client: string) => unknown,
): Listener {
  const front = createFront(parts);
  const { sets, log } = front;
  const compressor = createCompressor();
  const [open, everywhere] = [fieldsOf(sets.open), fieldsOf(sets.everywhere)];
  const page = fieldsOf(sets.everywhere + sets.catalogue);
  const say = (what: ProblemOf) => problem(sets, front.baseUrl, what);

  function listen(req: IncomingMessage, res: ServerResponse, unmet = false): void {
    const exchange: Exchange = {
      req,
      res,
      id: nextRequestId(),
      started: performance.now(),
      template: '*',
      segment: undefined,
      verdict: null,
      unmet,
      coding: codingOf(req.headers['accept-encoding']),
      tagged: false,
    };
    const target = splitTarget(req.url!);
    // A body may follow that nobody was going to send otherwise.
    if (unmet) res.shouldKeepAlive = false;
    if (!hasOneHost(req.rawHeaders, req.httpVersion)) {
      // Whoever is in between may have read another request than we did: nothing more is taken from there.
      res.shouldKeepAlive = false;
      return write(exchange, say({ reason: 'bad-request', detail: 'Send exactly one Host header.' }));
    }
    if (target === null) {
      if (req.url === '*' && req.method === 'OPTIONS') return write(exchange, preflight(READ_ONLY));
      return write(exchange, say({ reason: 'bad-request', detail: 'The address must begin with a slash.' }));
    }
    const { query } = target;
    const path = withoutSlash(target.path);
    if (exchange.coding) exchange.tagged = plainConditions(req.headers, exchange.coding);
    const request: ApiRequest = { method: req.method!, path, query, headers: req.headers };
    if (isApi(path)) return answerApi(exchange, request);
    if (unmet) return write(exchange, expectationFailed());
    const open = openRoute(request, front);
    if (!open) return passOn(exchange, request);
    exchange.template = open.template;
    if (req.method === 'OPTIONS') return write(exchange, preflight(READ_ONLY));
    note(exchange, request);
    try {
      settle(exchange, readsOnly(request) ? open.handle() : wrongMethod(request));
    } catch (error) {
      write(exchange, failed(exchange, error));
    }
  }

  function answerApi(exchange: Exchange, request: ApiRequest): void {
    const route = apiRoute(request.path);
    exchange.template = route?.template ?? unknownApi(request.path);
    nowRunning(exchange.template);
    exchange.segment = route?.segment;
    // A preflight asks for permission, not for an answer: it is not counted, and only told the policy.
    if (request.method === 'OPTIONS' && !exchange.unmet) return write(exchange, apiPreflight(route));
    try {
      const client = clientOf(exchange.req.socket, request);
      request.client = client;
      const verdict = front.limiter ? front.limiter.take(client) : null;
      settle(
        exchange,
        verdict instanceof Promise
          ? verdict.then((later) => judged(exchange, request, route, later))
          : judged(exchange, request, route, verdict),
      );
    } catch (error) {
      write(exchange, failed(exchange, error));
    }
  }

  function judged(
    exchange: Exchange,
    request: ApiRequest,
    route: ApiRoute | undefined,
    verdict: Verdict | null,
  ): Soon<Answer> {
    exchange.verdict = verdict;
    if (verdict && !verdict.allowed) return tooMany(verdict.seconds, vinIn(exchange.segment));
    if (exchange.unmet) return expectationFailed(vinIn(exchange.segment));
    if (!route) return say({ reason: 'not-found', detail: notHere(request.path) });
    if (route.method === 'POST' ? request.method !== 'POST' : !readsOnly(request))
      return wrongMethod(request, vinIn(exchange.segment), allowed(route));
    if (route.method === 'POST') request.body = () => readBody(exchange.req);
    note(exchange, request);
    return route.handle(request, front);
  }

  /** Writes what is there, or what comes later; what goes wrong is a problem too. */
  function settle(exchange: Exchange, answer: Soon<Answer>): void {
    if (!(answer instanceof Promise)) return write(exchange, answer);
    answer.then(
      (ready) => write(exchange, ready),
      (error: unknown) => write(exchange, failed(exchange, error)),
    );
  }

  function failed(exchange: Exchange, error: unknown): Answer {
    const vin = vinIn(exchange.segment);
    // A label whose bytes are away is the store's trouble too: there is one, and it may be back.
    if (error instanceof StoreUnavailable || error instanceof LabelGone) {
      log.warn('store unavailable', { id: exchange.id, error: error.message });
      const detail = 'Label storage is temporarily unavailable. Try again in 10 seconds.';
      return say({ reason: 'store-unavailable', detail, vin, retryAfter: 10 });
    }
    if (error instanceof Busy) {
      const detail = `Too many labels are being opened just now. Please try again in ${duration(error.retryAfter)}.`;
      return say({ reason: 'busy', detail, vin, retryAfter: error.retryAfter });
    }
    log.error('crash', {
      id: exchange.id,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    const detail = 'Something went wrong on our side. It has been recorded.';
    return say({ reason: 'internal', detail, vin });
  }

  function write(exchange: Exchange, answer: Answer): void {
    const { req, res } = exchange;
    const { body } = answer;
    const shared = body !== null && typeof body === 'object' && 'done' in body ? body : null;
    if (res.destroyed || res.headersSent) {
      shared?.done();
      return logged(exchange, GONE);
    }
    if (exchange.coding) {
      const { coding } = exchange;
      exchange.coding = null;
      const compressed = compressor.compress(answer, coding);
      if (compressed) return settle(exchange, compressed);
      if (answer.status === 304 && exchange.tagged)
        return write(exchange, { ...answer, head: taggedFor(answer.head, coding) });
    }
    if (body !== null && typeof body === 'object' && 'open' in body)
      return flow(exchange, answer, body.open());
    writeHead(req, res, answer.status, headOfAnswer(exchange, answer));
    if (body === null || req.method === 'HEAD') {
      shared?.done();
      res.end();
    } else if (typeof body === 'string') {
      res.end(answer.status < 400 ? body : withRequestId(body, exchange.id), 'latin1');
    } else if (shared) {
      res.once('close', () => shared.done());
      res.end(shared.bytes);
    } else res.end(body);
    logged(exchange, answer.status);
  }

  function flow(exchange: Exchange, answer: Answer, opening: Promise<NodeJS.ReadableStream>): void {
    opening.then(
      (stream) => {
        writeHead(exchange.req, exchange.res, answer.status, headOfAnswer(exchange, answer));
        pipeline(stream, exchange.res, () => logged(exchange, answer.status));
      },
      (error: unknown) => write(exchange, failed(exchange, error)),
    );
  }

  function headOfAnswer({ id, verdict, template }: Exchange, { head }: Answer): Head {
    const change = front.lifecycle(template);
    const own = head + ownLines(id, verdict);
    return change ? own + lifecycleLines(change) : own;
  }

  function logged({ req, id, template, started }: Exchange, status: number): void {
    log.request(id, req.method!, template, status, performance.now() - started);
  }

  function passOn(exchange: Exchange, request: ApiRequest): void {
    const { req, res } = exchange;
    exchange.template = front.routeOf(request.path);
    nowRunning(exchange.template);
    const isRead = isOpen(request.path);
    // The tools answer their own.
    if (isRead && req.method === 'OPTIONS' && request.path !== '/mcp') {
      return write(exchange, preflight(READ_ONLY));
    }
    const client = clientOf(req.socket, request);
    // Style sheets and scripts belong to the page that was counted.
    const wait = request.path.startsWith('/assets/') ? null : enterPage(res, client);
    if (wait !== null && (isRead || !/\btext\/html\b/.test(req.headers.accept ?? '')))
      return write(
        exchange,
        say({ reason: 'too-many-requests', detail: waitDetail(wait), retryAfter: wait }),
      );
    if (wait !== null) refusedPages.set(req, wait);
    clientsOfPages.set(req, client);
    const fields = isRead ? open : request.path.startsWith('/assets/') ? everywhere : page;
    for (const [name, value] of fields) res.setHeader(name, value);
    res.setHeader('X-Request-Id', exchange.id);
    const change = front.lifecycle(exchange.template);
    if (change) for (const [name, value] of fieldsOf(lifecycleLines(change))) res.appendHeader(name, value);
    res.once('close', () => logged(exchange, res.statusCode));
    // The tools note the contact themselves, by the tool's name.
    if (request.path !== '/mcp' && wait === null) note(exchange, request);
    req.url = request.query === '' ? request.path : `${request.path}?${request.query}`;
    try {
      void Promise.resolve(fallback(req, res, client)).catch((error: unknown) =>
        write(exchange, failed(exchange, error)),
      );
    } catch (error) {
      write(exchange, failed(exchange, error));
    }
  }

  /** Null when a page may be answered; else the seconds to wait. */
  function enterPage(res: ServerResponse, client: string): number | null {
    if (!front.pageLimit) return null;
    const wait = front.pageLimit.enter(client);
    if (wait === null) res.once('close', () => front.pageLimit!.leave(client));
    return wait;
  }

  function note({ req, template }: Exchange, request: ApiRequest): void {
    const contact = contactOf(request);
    if (contact) front.noteContact(contact, template, request.client ?? clientOf(req.socket, request));
  }

  /** Lives in memory, for seconds to minutes; nobody below may do anything with it but compare it. */
  function clientOf(socket: CountedSocket, { headers }: ApiRequest): string {
    if (front.trustedProxies.length > 0) return front.addressOf(socket.remoteAddress, headers);
    return (socket[ADDRESS] ??= front.addressOf(socket.remoteAddress, headers));
  }

  const preflight = (allow: string): Answer => ({ status: 204, head: sets.preflight(allow), body: null });
  const apiPreflight = (route: ApiRoute | undefined): Answer => ({
    status: 204,
    head:
      sets.preflight(allowed(route)) +
      (front.limiter ? headOf('RateLimit-Policy', policyField(front.limiter.policy)) : ''),
    body: null,
  });

  const wrongMethod = (request: ApiRequest, vin?: string, allow: string = READ_ONLY): Answer => {
    const use = allow === READ_ONLY ? 'GET or HEAD' : 'POST';
    const detail = `${request.method.slice(0, 20)} isn't supported here. Use ${use}.`;
    return say({ reason: 'method-not-allowed', detail, vin, head: headOf('Allow', allow) });
  };

  const expectationFailed = (vin?: string): Answer =>
    say({
      reason: 'expectation-failed',
      detail: 'The only expectation that can be met is 100-continue.',
      vin,
    });

  // Made once each, as they go to whoever asks far too often; all VINs are equally long.
  const blocked = new Map<string, Answer & { body: string }>();
  function tooMany(seconds: number, vin: string | undefined): Answer {
    const key = `${seconds} ${vin !== undefined}`;
    let answer = blocked.get(key);
    if (!answer) {
      const { requests, seconds: window } = front.limiter?.policy ?? LIMIT;
      const detail = `More than ${requests} requests came from your IP address within ${duration(window)}. Please wait ${duration(seconds)}.`;
      const example = vin && ANY_VIN;
      answer = say({ reason: 'too-many-requests', detail, vin: example, retryAfter: seconds });
      blocked.set(key, answer);
    }
    return vin ? { ...answer, body: answer.body.replace(ANY_VIN, vin) } : answer;
  }

  return listen;
}

const allowed = (route: ApiRoute | undefined): string =>
  route?.method === 'POST' ? 'POST, OPTIONS' : READ_ONLY;

const waitDetail = (seconds: number): string =>
  `More than ${PAGES_A_MINUTE} requests in a minute, or more than ${PAGES_AT_ONCE} at once, came from your IP address. Please wait ${duration(seconds)}.`;

const readsOnly = ({ method }: ApiRequest) => method === 'GET' || method === 'HEAD';

/** Clients that join URLs add a slash to the tools' address, and few follow a redirect of a POST. */
function withoutSlash(path: string): string {
  return path === '/mcp/' ? '/mcp' : path;
}

function notHere(path: string): string {
  const trailing =
    path.endsWith('/') && apiRoute(path.slice(0, -1)) ? ' Leave out the slash at the end.' : '';
  return `There is no operation at this address.${trailing} The operations are listed in /openapi.json.`;
}
