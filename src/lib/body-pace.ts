import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of request bodies in one turn of the event loop, before connections that send more have to wait. */
const MAX_BYTES_PER_TURN = 256 * 1024;
/** Connections that have waited and are read again in one turn, mostly 64 KB each. */
const READS_PER_TURN = 4;

/** Connections that wait, with the request whose body is arriving. */
const waiting = new Map<Socket, IncomingMessage>();
const watched = new WeakSet<Socket>();
let bytesInTurn = 0;

function startTurn(): void {
  bytesInTurn = 0;
  let reads = 0;
  for (const [socket, req] of waiting) {
    if (reads++ === READS_PER_TURN) break;
    waiting.delete(socket);
    // Node resumes it when a body that doesn't fit into the buffer is read, but not if that is complete.
    if (req.complete || req.readableLength < req.readableHighWaterMark) socket.resume();
  }
  if (waiting.size > 0) setImmediate(startTurn);
}

/**
 * Counts bytes of a body. If there were many in this turn of the event loop, the connection has to wait for a later one.
 * Node reads up to 2 MB of each connection per turn and accepts one new connection: a health check behind 200 clients that
 * send as fast as they can waited for seconds.
 */
export function paceBody(req: IncomingMessage, socket: Socket, bytes: number): void {
  if (bytesInTurn === 0 && waiting.size === 0) setImmediate(startTurn);
  bytesInTurn += bytes;
  if (bytesInTurn <= MAX_BYTES_PER_TURN || socket.destroyed) return;
  waiting.set(socket, req);
  socket.pause();
  if (watched.has(socket)) return;
  watched.add(socket);
  // Node resumes the socket whenever something reads the body.
  socket.on('resume', () => {
    if (waiting.has(socket)) socket.pause();
  });
  socket.once('close', () => waiting.delete(socket));
}
