import { readFileSync } from 'node:fs';
import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../lib/metrics.ts';
import { createOpenCounts } from '../lib/open-counts.ts';
import type { Store } from '../store/store.ts';
import type { Listener } from './listener.ts';
import { createClientIpOf, createPeerOf, type ClientIpOf, type PeerOf } from './client-ip.ts';
import { createRequestGate } from './request-gate.ts';
import { headOf, type Head } from './response.ts';
import { createHeaders } from './headers.ts';
import { problem, READ_ONLY, type Reason } from './problems.ts';
import { limitBodies } from '../lib/node-internals.ts';
import { nextRequestId } from './request.ts';

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
  /** Connections of one public IP address (IPv6: /64). Trusted proxies have no such limit. */
  connectionsPerClient: number;
}

const LIMITS: ServerLimits = {
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 10_000,
  stalledMs: 40_000,
  connections: 2500,
  connectionsPerClient: 500,
};

/** File handles that clients' connections leave free: for labels, the database, workers and requests to sources. */
export const RESERVED_HANDLES = 128;

/** At most `max` connections, and fewer if the process may not have that many file handles. */
export function connectionsWithin(openFiles: number, max: number): number {
  return Math.max(1, Math.min(max, Math.max(openFiles - RESERVED_HANDLES, Math.floor(openFiles / 2))));
}

/** The limit on open files, where the system tells it. Node has raised it to the hard limit at startup. */
function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
    return Number(soft);
  } catch {
    return Infinity;
  }
}

/** Closes connections beyond the limit of their client, so that one client can't use up all connections. */
function limitPerClient(server: Server, max: number, peerOf: PeerOf): void {
  const connections = createOpenCounts();
  server.on('connection', (socket) => {
    const client = peerOf(socket.remoteAddress);
    if (client === null) return;
    if (connections.of(client) >= max) socket.destroy();
    else socket.once('close', connections.add(client));
  });
}

/** Sends `100 Continue` to clients that wait for it before they send a body. */
function invitingBodies(listener: Listener): Listener {
  return (req, res, unsupportedExpect) => {
    if (req.headers.expect === undefined || unsupportedExpect || req.httpVersion !== '1.1')
      return listener(req, res, unsupportedExpect);
    const start = () => {
      res.writeContinue();
      listener(req, res);
    };
    // Behind another response, it starts when that one has ended: Node could send the 100 inside the later response.
    if (res.socket) start();
    else res.once('socket', start);
  };
}

/** Codes of errors that mean that the client left. */
const LEFT = new Set<string | undefined>(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);

/** The HTTP server with its limits. Malformed requests get a problem document too, readable from other origins. */
export function createHttpServer(
  listener: Listener,
  baseUrl: string,
  limits: Partial<ServerLimits> = {},
  peerOf: PeerOf = createPeerOf([]),
  clientIpOf: ClientIpOf = createClientIpOf([]),
): Server {
  const { headerBytes, headersMs, requestMs, idleMs, stalledMs, connections, connectionsPerClient } = {
    ...LIMITS,
    ...limits,
  };
  const gate = createRequestGate(invitingBodies(listener), ({ socket, headers }) =>
    clientIpOf(socket.remoteAddress, headers),
  );
  const server = createServer(
    {
      maxHeaderSize: headerBytes,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: Math.min(headersMs, 5000),
      // The listener answers a missing Host with a problem document; Node wouldn't.
      requireHostHeader: false,
      optimizeEmptyRequests: true,
    },
    gate.listener,
  );
  server.timeout = stalledMs;
  server.maxConnections = connectionsWithin(openFileLimit(), connections);
  limitPerClient(server, connectionsPerClient, peerOf);
  server.on('connection', limitBodies);
  server.on('connection', gate.accepted);

  const refused = new WeakSet<Duplex>();
  const headerSets = createHeaders(baseUrl);

  /** Responds on the bare socket, and keeps reading for a moment: closing with unread bytes would lose the response. */
  function refuse(socket: Duplex, reason: Reason, detail: string, more?: Head): void {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable || gate.isResponding(socket)) return void socket.destroy();
    const requestId = nextRequestId();
    const { status, head, body } = problem(
      { headerSets, baseUrl },
      {
        reason,
        detail,
        requestId,
        head: headOf('X-Request-Id', requestId) + (more ?? ''),
      },
    );
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${head}\r\n${body}`,
      'latin1',
    );
    socket.resume();
    setTimeout(() => socket.destroy(), 1000).unref();
  }

  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket) => {
    // Thousands may leave at once, so don't prepare a response for each.
    if (LEFT.has(error.code)) return void socket.destroy();
    // RFC 9112, 9.6: what follows a request that closes the connection is ignored, and the response is still sent.
    if (error.code === 'HPE_CLOSED_CONNECTION' && gate.isResponding(socket)) return void socket.pause();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      // The rest of the request isn't late: we paused reading.
      if (gate.isPaused(socket)) return;
      return refuse(socket, 'request-timeout', "The complete request didn't arrive in time.");
    }
    if (error.code === 'HPE_HEADER_OVERFLOW') {
      const hasRequestLine = error.rawPacket?.subarray(0, headerBytes).includes(0x0a);
      if (hasRequestLine === false)
        return refuse(socket, 'uri-too-long', `A URL may have at most ${headerBytes} bytes.`);
      return refuse(
        socket,
        'headers-too-large',
        `The headers may have at most ${headerBytes} bytes in total.`,
      );
    }
    refuse(socket, 'bad-request', 'This is not a valid HTTP/1.1 request.');
  });
  server.on('connect', (_: IncomingMessage, socket: Duplex) => {
    // Node has removed its own listener, and an error without one ends the process.
    socket.on('error', () => {});
    const detail = "CONNECT isn't supported here. Use GET or HEAD.";
    refuse(socket, 'method-not-allowed', detail, headOf('Allow', READ_ONLY));
  });
  server.on('checkContinue', gate.listener);
  // Counted like any other request, so the listener answers.
  server.on('checkExpectation', (req, res) => gate.listener(req, res, true));
  return server;
}

/** Serves Prometheus metrics and readiness to the operator. Listens on loopback unless ADMIN_HOST is set; HOST doesn't apply. */
export async function openAdminPort(
  config: { adminPort: number | null; adminHost: string },
  { metrics, store }: { metrics: Metrics; store: Pick<Store, 'ready'> },
): Promise<{ port: number; close(): Promise<void> } | null> {
  if (config.adminPort === null) return null;
  const server = createServer((req, res) => {
    if (req.url === '/metrics') {
      res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(metrics.text());
    } else if (req.url === '/readyz') {
      store.ready().then(
        () => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('ready\n'),
        () => res.writeHead(503, { 'Content-Type': 'text/plain' }).end('the store is not writable\n'),
      );
    } else {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('available: /metrics and /readyz\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.adminPort!, config.adminHost, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
