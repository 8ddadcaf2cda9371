import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Everything we use of `node:http` that it doesn't document, each with what happens without it. `NODE_INTERNALS=off` turns
 * it all off: CI runs the tests of this folder once that way, so a Node without these fields costs speed and nothing else.
 */
const ON = process.env.NODE_INTERNALS !== 'off';

interface Internals {
  /** The head as text; null until there is one. */
  _header?: string | null;
  _keepAliveTimeout?: number;
}

/**
 * Sets a head that is already text, which saves Node checking and copying each header. False when it can't be set; use
 * `writeHead` then. `end` makes the last lines from the keep-alive time in milliseconds.
 */
export function setRawHead(res: ServerResponse, head: string, end: (keepAliveMs: number) => string): boolean {
  const internals = res as unknown as Internals;
  if (!ON || internals._header !== null) return false;
  internals._header = head + end(internals._keepAliveTimeout ?? 0);
  return true;
}

/**
 * Makes the parser drop the rest of what was read. Destroying the socket alone lets it turn a complete read into request
 * objects, and two hundred connections doing so in one turn of the event loop exhaust the heap.
 */
export function stopParser(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming: () => number } | null };
  // 2 means: stop.
  if (ON && parser) parser.onIncoming = () => 2;
  socket.destroy();
}
