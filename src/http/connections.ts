import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { withTimeout } from '../lib/promises.ts';
import { peerOf, trustedCheck } from './client-ip.ts';
import { problemResponse, type ProblemOptions } from './problems.ts';
import type { HeaderSets } from './response.ts';

/** Connections of clients: how many there are, what each may send at once, and how they end when the service stops. */

/** Requests of one connection that may be in progress at once: beyond that, we stop reading from it. */
export const MAX_IN_FLIGHT = 8;

/** Requests that one read of a connection may hold. Node parses all of it, and 64 KB hold a thousand. */
const MAX_PER_READ = 32;

/** How long a peer that sent more gets no connection. */
const REFUSED_MS = 10_000;

/** File handles that clients' connections leave free: for labels, the database, workers and requests to sources. */
export const RESERVED_HANDLES = 128;

/** At most `max` connections, and fewer if the process may not have that many file handles. */
export function connectionsWithin(openFiles: number, max: number): number {
  return Math.max(1, Math.min(max, Math.max(openFiles - RESERVED_HANDLES, Math.floor(openFiles / 2))));
}

/** The limit on open files, where the system reports one. Node has raised it to the hard limit at startup. */
function openFileLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
    return Number(soft);
  } catch {
    return Infinity;
  }
}

interface Connection {
  socket: Socket;
  /** Those in progress, in the order of their requests, each with the request's id. */
  responses: Map<ServerResponse, string>;
  /** What had been read from it when the last response ended. */
  bytesRead: number;
  /** What had been read from it when the last request began, and how many of that read there were so far. */
  bytesParsed: number;
  requestsInRead: number;
}

interface Peer {
  name: string;
  /** One that we trust, which forwards the requests of many. */
  isProxy: boolean;
  connections: Set<Connection>;
  /** Those without a request in progress, the longest idle first. */
  idle: Set<Connection>;
}

export interface Connections {
  /** Counts a request until `ended`. False if it must not be answered, because its connection is closed for a flood. */
  started(req: IncomingMessage, res: ServerResponse, id: string): boolean;
  ended(req: IncomingMessage, res: ServerResponse): void;
  /** Whether we stopped reading from the socket because many of its requests are in progress. */
  isPaused(socket: Duplex): boolean;
  /** The response that is being written or queued, so that nothing else may be written to the socket. */
  responding(socket: Duplex): ServerResponse | null;
  /** Whether no later request of its connection is in progress. */
  isLatest(res: ServerResponse): boolean;
  /** All responses in progress, with the ids of their requests. */
  inProgress(): [ServerResponse, string][];
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>;
  /** Ends connections without a request, and from now on each one whose last response has been sent. */
  endIdle(): void;
}

/** Counts a request. After eight of one read, nothing else is read in this turn of the event loop. */
function isFlooding(connection: Connection): boolean {
  const { bytesRead } = connection.socket;
  if (bytesRead !== connection.bytesParsed) connection.requestsInRead = 0;
  connection.bytesParsed = bytesRead;
  return ++connection.requestsInRead > MAX_PER_READ;
}

/** Refuses peers for a while. */
function createFloods(maxRefused: number) {
  const refused = new LRUCache<string, true>({ max: maxRefused, ttl: REFUSED_MS, ttlAutopurge: true });
  return {
    isRefused: ({ name }: Peer) => refused.has(name),
    /** Closes all its connections, and the next ones. */
    refuse({ name, connections }: Peer): void {
      refused.set(name, true);
      for (const { socket } of connections) socket.destroy();
    },
  };
}

/**
 * Bounds what connections take: how many there are, and how many requests of each are in progress. When there are too many,
 * the peer with most of them loses the one that has been idle longest. A peer that floods one loses all of them.
 */
export function limitConnections(
  server: Server,
  limits: { connections: number; refusedPeers: number },
  trustedProxies: readonly string[],
): Connections {
  const max = connectionsWithin(openFileLimit(), limits.connections);
  const open = new Map<Duplex, Connection & { peer: Peer }>();
  const peers = new Map<string, Peer>();
  const isTrusted = trustedCheck(trustedProxies);
  const floods = createFloods(limits.refusedPeers);
  const waiting: (() => void)[] = [];
  let isEnding = false;

  function peerFrom(address = ''): Peer {
    const isProxy = isTrusted(address);
    // A proxy is not refused for what others in its /48 do.
    const name = isProxy ? address : peerOf(address);
    return peers.get(name) ?? { name, isProxy, connections: new Set(), idle: new Set() };
  }

  server.on('connection', (socket) => {
    const peer = peerFrom(socket.remoteAddress);
    const { name } = peer;
    if (floods.isRefused(peer) || (open.size >= max && !makeRoom(peer))) return void socket.destroy();
    const connection = {
      socket,
      peer,
      responses: new Map<ServerResponse, string>(),
      bytesRead: 0,
      bytesParsed: 0,
      requestsInRead: 0,
    };
    open.set(socket, connection);
    peers.set(name, peer);
    peer.connections.add(connection);
    peer.idle.add(connection);
    // Node resumes a socket by itself, for example when a response has been written.
    socket.on('resume', () => {
      if (isPaused(socket)) socket.pause();
    });
    socket.once('close', () => {
      open.delete(socket);
      peer.connections.delete(connection);
      peer.idle.delete(connection);
      if (peer.connections.size === 0) peers.delete(name);
      setImmediate(closeQueued, connection.responses);
      if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
  });

  /** After CONNECT, Node forgets the responses that wait behind another one, and whoever counts them waits for their end. */
  function closeQueued(responses: Connection['responses']): void {
    for (const response of responses.keys()) {
      if (response.closed || response.socket !== null) continue;
      response.destroyed = true;
      response.emit('close');
    }
  }

  /** Closes a connection of the largest peer for a new one: the longest idle, or the oldest if that peer has far more. */
  function makeRoom(newcomer: Peer): boolean {
    const size = newcomer.connections.size + 1;
    let largest = newcomer;
    for (const peer of peers.values()) {
      const more = peer.connections.size - largest.connections.size;
      if (more > 0 || (more === 0 && largest.idle.size === 0)) largest = peer;
    }
    const isAllowed = largest.idle.size > 0 || largest.connections.size > size;
    const [victim] = largest.idle.size > 0 ? largest.idle : largest.connections;
    if (isAllowed) victim?.socket.destroy();
    return isAllowed;
  }

  function started({ socket }: IncomingMessage, res: ServerResponse, id: string): boolean {
    // The rest of a read is still parsed after its connection was closed.
    if (socket.destroyed) return false;
    const connection = open.get(socket);
    if (!connection) return true;
    const { responses, peer } = connection;
    if (!peer.isProxy && isFlooding(connection)) {
      floods.refuse(peer);
      return false;
    }
    responses.set(res, id);
    peer.idle.delete(connection);
    if (responses.size >= MAX_IN_FLIGHT) socket.pause();
    return true;
  }

  function ended({ socket }: IncomingMessage, res: ServerResponse): void {
    const connection = open.get(socket);
    if (!connection?.responses.delete(res) || socket.destroyed) return;
    const { responses, peer } = connection;
    connection.bytesRead = socket.bytesRead;
    if (responses.size === 0) peer.idle.add(connection);
    if (responses.size === 0 && isEnding) socket.end();
    if (responses.size === MAX_IN_FLIGHT - 1) socket.resume();
  }

  // A read of 64 KB can hold more requests than one connection may send.
  server.on('dropRequest', (_, socket) => void socket.destroy());

  function endIdle(): void {
    isEnding = true;
    for (const { socket, responses, bytesRead } of open.values()) {
      // Of the others, a request has begun to arrive.
      if (responses.size === 0 && socket.bytesRead === bytesRead) socket.end();
    }
  }

  const latestOf = (socket: Duplex) => [...(open.get(socket)?.responses.keys() ?? [])].at(-1);
  const isPaused = (socket: Duplex): boolean => (open.get(socket)?.responses.size ?? 0) >= MAX_IN_FLIGHT;
  const responding = (socket: Duplex): ServerResponse | null => {
    const latest = latestOf(socket);
    if (!latest || latest.writableFinished) return null;
    // What is wrong came after the request that this response is for.
    return latest.headersSent || latest.socket === null || latest.req.complete ? latest : null;
  };
  return {
    started,
    ended,
    isPaused,
    responding,
    isLatest: (res) => latestOf(res.req.socket) === res,
    inProgress: () => [...open.values()].flatMap(({ responses }) => [...responses]),
    allClosed: () => new Promise((resolve) => (open.size === 0 ? resolve() : void waiting.push(resolve))),
    endIdle,
  };
}

/** How long a stopping service accepts requests. Each response closes its connection, so a client notices with its next request. */
const ACCEPT_MS = 5000;
/** How long requests may take after that. */
const FINISH_MS = 5000;
/** For the responses of those that took longer. */
const FLUSH_MS = 500;

const STOPPING: ProblemOptions = {
  reason: 'busy',
  detail: 'The service is being restarted, and this request took too long to wait for.',
  retryAfter: 5,
};

/** The end of a server: no client loses a request that it sent before the connections are closed. */
export interface Drain {
  hasBegun(): boolean;
  /** Whether the connection is closed after this response: not if another request is in progress on it. */
  isLast(res: ServerResponse): boolean;
  /** Ends when every connection is closed. */
  run(acceptMs?: number): Promise<void>;
}

export function createDrain(
  server: Server,
  connections: Connections,
  options: { headerSets: HeaderSets; baseUrl: string },
): Drain {
  let hasBegun = false;

  /** A response beats a closed connection, after which the client wouldn't know what happened. */
  async function refuseRest(): Promise<void> {
    for (const [res, id] of connections.inProgress()) {
      if (res.headersSent) continue;
      const { status, headers, body } = problemResponse(options, STOPPING, id);
      const length = { 'content-length': body.length, 'x-request-id': id };
      res.writeHead(status, { connection: 'close', ...headers, ...length }).end(body, 'latin1');
    }
    await withTimeout(FLUSH_MS, connections.allClosed(), null);
    server.closeAllConnections();
  }

  async function run(acceptMs = ACCEPT_MS): Promise<void> {
    hasBegun = true;
    if (acceptMs > 0) await withTimeout(acceptMs, connections.allClosed(), null);
    // What has arrived by now is read, and what it connects with accepted, before anything is closed.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    // Not its own method: that closes connections whose responses are still being sent.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    connections.endIdle();
    if ((await withTimeout(FINISH_MS, closed, 'late')) === 'late') await refuseRest();
    await closed;
    // Ends its timer.
    server.close();
  }

  return {
    hasBegun: () => hasBegun,
    isLast: (res) => hasBegun && connections.isLatest(res),
    run,
  };
}
