import { METHODS, STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import type { Connections } from './connections.ts';
import type { HeaderSets } from './response.ts';
import { problemResponse, type ProblemOptions } from './problems.ts';
import { ALL_METHODS, wrongMethod } from './route.ts';
import { MAX_BODY_BYTES, nextRequestId, routedUrl } from './request.ts';

export interface ServerLimits {
  /** Bytes of the request line and all headers. */
  headerBytes: number;
  /** Milliseconds for the headers, and for the complete request, to arrive. */
  headersMs: number;
  requestMs: number;
  /** Milliseconds between two requests of one connection. */
  idleMs: number;
  /** Milliseconds without progress before a connection is closed. Longer than a source may take to respond. */
  stalledMs: number;
  /** Each takes up to 25 KB while its headers arrive. */
  connections: number;
  /** Peers that are remembered and refused because they sent many requests at once. Beyond this, the oldest are forgotten. */
  refusedPeers: number;
  /** Bounds what one read can start; the client connects again. */
  requestsPerConnection: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 10_000,
  stalledMs: 40_000,
  connections: 2500,
  refusedPeers: 1000,
  requestsPerConnection: 1000,
};

const noSchemas = () => {
  throw new Error('Handlers check what they get, so routes have no schemas.');
};

/** Fastify would load compilers of JSON schemas, which take 40 ms of the start and 4 MB. */
export const WITHOUT_SCHEMAS = {
  compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
};

type ClientError = Error & { code?: string; rawPacket?: unknown };

/** Fastify with our limits and without what we do ourselves (docs/decisions/2026-11-17-one-http-stack.md). */
export function createFastify(
  limits: ServerLimits,
  clientErrorHandler: (error: ClientError, socket: Duplex) => void,
): FastifyInstance {
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
    clientErrorHandler,
    schemaController: WITHOUT_SCHEMAS,
  });
  for (const method of ALL_METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  // Counted like any other request, and refused by its route.
  app.server.on('checkExpectation', (req, res) => app.routing(req, res));
  app.server.on('checkContinue', (req, res) => {
    // Behind another response, Node could send it inside its own.
    if (res.socket) res.writeContinue();
    app.routing(req, res);
  });
  return app;
}

/** Codes of errors that mean that the client left. */
const LEFT = new Set<string | undefined>(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);

/** Sends problem documents for what Node doesn't pass on as a request. Returns the handler of client errors. */
export function refuseMalformed(
  server: Server,
  options: { headerSets: HeaderSets; baseUrl: string; headerBytes: number; connections: Connections },
): (error: ClientError, socket: Duplex) => void {
  const { headerBytes, connections } = options;
  const refused = new WeakSet<Duplex>();

  /** Responds on the bare socket, and keeps reading for a moment: closing with unread bytes would lose the response. */
  function refuse(socket: Duplex, problem: ProblemOptions): void {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable) return void socket.destroy();
    const responding = connections.responding(socket);
    if (responding) {
      socket.pause();
      return void responding.once('close', () => socket.end(() => socket.destroy()));
    }
    const id = nextRequestId();
    const { status, headers, body } = problemResponse(options, problem, id);
    const fields = { connection: 'close', ...headers, 'x-request-id': id };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, 'latin1');
    socket.resume();
    setTimeout(() => socket.destroy(), 1000).unref();
  }

  server.on('connect', (_, socket: Duplex) => {
    // Node has removed its own listener, and an error without one ends the process.
    socket.on('error', () => {});
    refuse(socket, wrongMethod('CONNECT', MOST_METHODS));
  });

  return (error, socket) => {
    // Thousands may leave at once, so don't prepare a response for each.
    if (LEFT.has(error.code)) return void socket.destroy();
    // RFC 9112, 9.6: what follows a request that closes the connection is ignored, and the response is still sent.
    if (error.code === 'HPE_CLOSED_CONNECTION' && connections.responding(socket)) return void socket.pause();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      // The rest of the request isn't late: we paused reading.
      if (connections.isPaused(socket)) return;
      const detail = "The complete request didn't arrive in time.";
      return refuse(socket, { reason: 'request-timeout', detail });
    }
    if (error.code === 'HPE_HEADER_OVERFLOW') {
      const hasRequestLine = (error.rawPacket as Buffer | undefined)?.subarray(0, headerBytes).includes(0x0a);
      if (hasRequestLine === false)
        return refuse(socket, {
          reason: 'uri-too-long',
          detail: `A URL may have at most ${headerBytes} bytes.`,
        });
      const detail = `The headers may have at most ${headerBytes} bytes in total.`;
      return refuse(socket, { reason: 'headers-too-large', detail });
    }
    const method = error.code === 'HPE_INVALID_METHOD' && unknownMethod(error.rawPacket);
    if (method) return refuse(socket, wrongMethod(method, MOST_METHODS));
    refuse(socket, { reason: 'bad-request', detail: 'This is not a valid HTTP/1.1 request.' });
  };
}

/** What most URLs allow: nobody has looked for the route yet. */
const MOST_METHODS = ['GET', 'HEAD', 'OPTIONS'];

const REQUEST_LINE = /^([A-Za-z_-]{1,20}) [!-~]+ HTTP\/1\.[01]\r?\n/;

/** The method of a request that is valid but for a method that Node's parser doesn't know. */
function unknownMethod(packet: unknown): string | undefined {
  const [, method] = REQUEST_LINE.exec((packet as Buffer | undefined)?.toString('latin1') ?? '') ?? [];
  return method !== undefined && METHODS.includes(method) ? undefined : method;
}
