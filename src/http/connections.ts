import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { peerOf } from './client-ip.ts';

/** Requests of one connection that may be in progress at once: beyond that, we stop reading from it. */
const MAX_IN_FLIGHT = 8;

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

interface Connection {
  socket: Socket;
  inFlight: number;
  latest: ServerResponse | null;
}

interface Peer {
  connections: Set<Connection>;
  /** Those without a request in progress, the longest idle first. */
  idle: Set<Connection>;
}

export interface Connections {
  /** Whether we stopped reading from the socket because many of its requests are in progress. */
  isPaused(socket: Duplex): boolean;
  /** The response that is being written or queued, so that nothing else may be written to the socket. */
  responding(socket: Duplex): ServerResponse | null;
}

/**
 * Bounds what connections take: how many there are, and how many requests of each are in progress. When there are too many,
 * the peer with most idle ones loses the one that has been idle longest.
 */
export function limitConnections(server: Server, maxConnections: number): Connections {
  const max = connectionsWithin(openFileLimit(), maxConnections);
  const open = new WeakMap<Duplex, Connection & { peer: Peer }>();
  const peers = new Map<string, Peer>();
  let total = 0;

  server.on('connection', (socket) => {
    const name = peerOf(socket.remoteAddress);
    const peer = peers.get(name) ?? { connections: new Set(), idle: new Set() };
    if (total >= max && !makeRoom(peer)) return void socket.destroy();
    const connection = { socket, peer, inFlight: 0, latest: null };
    total++;
    open.set(socket, connection);
    peers.set(name, peer);
    peer.connections.add(connection);
    peer.idle.add(connection);
    // Node resumes a socket by itself, for example when a response has been written.
    socket.on('resume', () => {
      if (isPaused(socket)) socket.pause();
    });
    socket.once('close', () => {
      total--;
      peer.connections.delete(connection);
      peer.idle.delete(connection);
      if (peer.connections.size === 0) peers.delete(name);
    });
  });

  /** Closes a connection for a new one. Without an idle one, it is one of the largest peer, if that has far more. */
  function makeRoom({ connections: { size } }: Peer): boolean {
    const most = largest(({ idle }) => idle);
    const victims = most.size > 0 ? most : largest(({ connections }) => connections);
    if (most.size === 0 && victims.size <= size + 1) return false;
    const [victim] = victims;
    victim?.socket.destroy();
    return victim !== undefined;
  }

  function largest(of: (peer: Peer) => Set<Connection>): Set<Connection> {
    let most = new Set<Connection>();
    for (const peer of peers.values()) if (of(peer).size > most.size) most = of(peer);
    return most;
  }

  function started({ socket }: IncomingMessage, res: ServerResponse): void {
    const connection = open.get(socket);
    if (!connection) return;
    connection.latest = res;
    if (connection.inFlight++ === 0) connection.peer.idle.delete(connection);
    if (connection.inFlight >= MAX_IN_FLIGHT) socket.pause();
    res.on('close', () => {
      if (socket.destroyed) return;
      if (--connection.inFlight === 0) connection.peer.idle.add(connection);
      if (connection.inFlight === MAX_IN_FLIGHT - 1) socket.resume();
    });
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, started);
  // A read of 64 KB can hold more requests than one connection may send.
  server.on('dropRequest', (_, socket) => void socket.destroy());

  const isPaused = (socket: Duplex): boolean => (open.get(socket)?.inFlight ?? 0) >= MAX_IN_FLIGHT;
  const responding = (socket: Duplex): ServerResponse | null => {
    const latest = open.get(socket)?.latest;
    if (!latest || latest.writableFinished) return null;
    // What is wrong came after the request that this response is for.
    return latest.headersSent || latest.socket === null || latest.req.complete ? latest : null;
  };
  return { isPaused, responding };
}
