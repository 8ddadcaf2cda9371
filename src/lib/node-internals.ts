import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { paceBody } from './body-pace.ts';

/**
 * Everything we use of `node:http` that it doesn't document, each with what happens without it. `NODE_INTERNALS=off` turns
 * it all off: CI runs the tests of what uses it once that way, so a Node without these fields costs speed and nothing else.
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

/** How much of an oversized or unwanted body is still read, so that the client gets to read the response. */
export const MAX_DRAINED_BYTES = 4 * 1024 * 1024;

const RECEIVED = Symbol('body received');

type OnBody = (this: Parser, bytes: Buffer) => void;
interface Parser {
  incoming?: (IncomingMessage & { [RECEIVED]?: { chunks: number; bytes: number } }) | null;
  socket?: Socket | null;
  [callback: string]: unknown;
}

/**
 * A body may have `anySize` chunks of any size. Beyond that, they must have `minBytes` on average. Fewer for requests, because
 * hundreds of clients may send them at the same moment: with 1,000 chunks each, 400 blocked the main thread for 1.5 seconds.
 */
const REQUEST_CHUNKS = { anySize: 200, minBytes: 256 };
/** Servers that write a page word by word are slow, not hostile. */
const RESPONSE_CHUNKS = { anySize: 1000, minBytes: 4 };

/** The body of a response had too many tiny chunks. */
export class TinyChunksError extends Error {}

/**
 * Closes a connection on which a body consists of many tiny chunks, or a client sends an endless one. Each chunk costs a
 * callback and a buffer: 65,000 chunks of one byte took 46 MB and 200 ms of the main thread, whether anything reads the body
 * or not. Node drops bodies that nobody reads, but without a limit.
 */
export function limitBodies(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null };
  if (!ON || !parser) return;
  const name = Object.keys(parser).find((key) => (parser[key] as OnBody | null)?.name === 'parserOnBody');
  // Node reuses parsers, so most have the limit already.
  if (name === undefined) return;
  const onBody = parser[name] as OnBody;
  parser[name] = function limited(this: Parser, bytes: Buffer): void {
    const { incoming } = this;
    // Node drops what belongs to no message.
    if (!incoming) return onBody.call(this, bytes);
    // Node uses the same parsers for our own requests. Only their responses have a status.
    const isRequest = incoming.statusCode === null;
    const received = (incoming[RECEIVED] ??= { chunks: 0, bytes: 0 });
    received.chunks++;
    received.bytes += bytes.length;
    const { anySize, minBytes } = isRequest ? REQUEST_CHUNKS : RESPONSE_CHUNKS;
    const isTiny = received.chunks > anySize && received.bytes < received.chunks * minBytes;
    if (!isTiny && !(isRequest && received.bytes > MAX_DRAINED_BYTES)) {
      onBody.call(this, bytes);
      if (isRequest && this.socket) paceBody(incoming, this.socket, bytes.length);
      return;
    }
    // The parser goes on until the end of the read, faster without a callback. It isn't reused before the next turn.
    this[name] = null;
    setImmediate(() => (this[name] = limited));
    if (isRequest) this.socket?.destroy();
    else incoming.destroy(new TinyChunksError());
  };
}
