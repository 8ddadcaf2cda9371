import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { setRawHead } from '../lib/node-internals.ts';

/** A request as the handlers see it, without a socket. */
export interface ApiRequest {
  method: string;
  /** As sent, not decoded. */
  path: string;
  /** As sent, without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  /** Reads the body as text, once; null when it is too large. Only for operations that take a body. */
  body?: () => Promise<string | null>;
  /** Identifies the client, for limits and fair queues. Never logged or stored. */
  client?: string;
  /** How long to wait for a source, when the client prefers to wait less than we would. */
  maxWaitMs?: number;
}

/** A body of known length that is opened only when it is sent. */
interface StreamedBody {
  open(): Promise<Readable>;
}

/** A body that several responses share. `done` must be called when this response is finished or aborted. */
export interface SharedBody {
  bytes: Buffer;
  done(): void;
}

/** What a handler returns. `exchange.ts` adds the headers of every response and sends it; HEAD sends no body. */
export interface ApiResponse {
  status: number;
  head: Head;
  /** A string is pure ASCII. */
  body: string | Buffer | StreamedBody | SharedBody | null;
}

/** JSON whose length in characters is its length in bytes: anything beyond ASCII is escaped. */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) === json.length) return json;
  return json.replace(
    // eslint-disable-next-line no-control-regex
    /[^\x00-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** As a web-standard `Response`, for the routes that Hono handles. */
export function toResponse(response: ApiResponse & { body: string | Buffer | null }): Response {
  const body =
    typeof response.body === 'string' || response.body === null
      ? response.body
      : new Uint8Array(response.body);
  return new Response(body, { status: response.status, headers: fieldsOf(response.head) });
}

/** A machine-readable document; as a string it is pure ASCII. */
export interface Document {
  type: string;
  body: string | Buffer;
  /** Five minutes by default. */
  cacheControl?: string;
}

export function jsonDocument(value: unknown, type = 'application/json'): Document {
  return { type, body: asciiJson(value) };
}

/** What a conditional request is compared with (RFC 9110, 8.8). */
export interface Validators {
  etag: string;
  /** Milliseconds since the epoch; null when there is only an ETag. */
  modified: number | null;
  /** The head of a 304. */
  unchanged: Head | (() => Head);
}

/** Header lines as they go over the wire, each with its line end: `ETag: "a"\r\nAllow: GET\r\n`. */
export type Head = string;

const INVALID = /[^\t\x20-\x7e]/;

/** Header lines from alternating names and values. Throws on characters that could inject a header. */
export function headOf(...fields: readonly string[]): Head {
  let head = '';
  for (let index = 0; index < fields.length; index += 2) {
    const value = fields[index + 1]!;
    if (INVALID.test(value)) throw new TypeError(`${fields[index]} cannot be ${JSON.stringify(value)}`);
    head += `${fields[index]}: ${value}\r\n`;
  }
  return head;
}

/** The names and values of the lines. */
export function fieldsOf(head: Head): [name: string, value: string][] {
  return head
    .split('\r\n')
    .slice(0, -1)
    .map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}

/** Flattens the string once: V8 would otherwise join its pieces again for each response. */
export function flatten(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/**
 * Node checks and copies every header of every response, which is a fifth of the cost of a held lookup. Our heads are
 * finished strings, so we set them where Node keeps its own. Connections that will be closed, and Node versions without
 * that field, use the documented `writeHead`.
 */
export function writeHead(req: IncomingMessage, res: ServerResponse, status: number, head: Head): void {
  const keepAlive = res.shouldKeepAlive && req.httpVersion === '1.1';
  if (keepAlive && setRawHead(res, statusLine(status) + head, endOfHead)) res.statusCode = status;
  else res.writeHead(status, fieldsOf(head).flat());
}

const statusLines: string[] = [];
function statusLine(status: number): string {
  return (statusLines[status] ??= `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`);
}

let second = 0;
let idle = -1;
let ending = '';

/** The end of a head on a keep-alive connection, the same for all responses within a second. */
function endOfHead(idleMs: number): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second || idleMs !== idle) {
    second = now;
    idle = idleMs;
    const hint = idleMs > 0 ? `Keep-Alive: timeout=${Math.floor(idleMs / 1000)}\r\n` : '';
    ending = flatten(`Date: ${httpDate(now * 1000)}\r\nConnection: keep-alive\r\n${hint}\r\n`);
  }
  return ending;
}

/** HTTP dates have a resolution of one second. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
