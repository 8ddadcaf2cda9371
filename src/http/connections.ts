import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { peerOf } from './client-ip.ts';

/** Requests of one connection that may be in progress at once: beyond that, we stop reading from it. */
export const MAX_IN_FLIGHT = 8;

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
  /** Those in progress, in the order of their requests. */
  responses: Set<ServerResponse>;
}

interface Peer {
  connections: Set<Connection>;
  /** Those without a request in progress, the longest idle first. */
  idle: Set<Connection>;
}

export interface Connections {
  /** Counts a request until `ended`. */
  started(req: IncomingMessage, res: ServerResponse): void;
  ended(req: IncomingMessage, res: ServerResponse): void;
  /** Whether we stopped reading from the socket because many of its requests are in progress. */
  isPaused(socket: Duplex): boolean;
  /** The response that is being written or queued, so that nothing else may be written to the socket. */
  responding(socket: Duplex): ServerResponse | null;
}

/**
 * Bounds what connections take: how many there are, and how many requests of each are in progress. When there are too many,
 * the peer with most of them loses the one that has been idle longest.
 */
export function limitConnections(server: Server, maxConnections: number): Connections {
  const max = connectionsWithin(openFileLimit(), maxConnections);
  const open = new Map<Duplex, Connection & { peer: Peer }>();
  const peers = new Map<string, Peer>();

  server.on('connection', (socket) => {
    const name = peerOf(socket.remoteAddress);
    const peer = peers.get(name) ?? { connections: new Set(), idle: new Set() };
    if (open.size >= max && !makeRoom(peer)) return void socket.destroy();
    const connection = { socket, peer, responses: new Set<ServerResponse>() };
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
    });
  });

  /** After CONNECT, Node forgets the responses that wait behind another one, and whoever counts them waits for their end. */
  function closeQueued(responses: Set<ServerResponse>): void {
    for (const response of responses) {
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

  function started({ socket }: IncomingMessage, res: ServerResponse): void {
    const connection = open.get(socket);
    if (!connection) return;
    const { responses, peer } = connection;
    responses.add(res);
    peer.idle.delete(connection);
    if (responses.size >= MAX_IN_FLIGHT) socket.pause();
  }

  function ended({ socket }: IncomingMessage, res: ServerResponse): void {
    const connection = open.get(socket);
    if (!connection?.responses.delete(res) || socket.destroyed) return;
    const { responses, peer } = connection;
    if (responses.size === 0) peer.idle.add(connection);
    if (responses.size === MAX_IN_FLIGHT - 1) socket.resume();
  }

  // A read of 64 KB can hold more requests than one connection may send.
  server.on('dropRequest', (_, socket) => void socket.destroy());

  const isPaused = (socket: Duplex): boolean => (open.get(socket)?.responses.size ?? 0) >= MAX_IN_FLIGHT;
  const responding = (socket: Duplex): ServerResponse | null => {
    const latest = [...(open.get(socket)?.responses ?? [])].at(-1);
    if (!latest || latest.writableFinished) return null;
    // What is wrong came after the request that this response is for.
    return latest.headersSent || latest.socket === null || latest.req.complete ? latest : null;
  };
  return { started, ended, isPaused, responding };
}
