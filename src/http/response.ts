import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { fieldsOf, type Head } from './head.ts';

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
export interface StreamedBody {
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

/** The value of one header. */
export function headerOf(response: ApiResponse, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return fieldsOf(response.head).find(([given]) => given.toLowerCase() === wanted)?.[1];
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

/** What a conditional request is compared with (RFC 9110, 8.8). */
export interface Validators {
  etag: string;
  /** Milliseconds since the epoch; null when there is only an ETag. */
  modified: number | null;
  /** The head of a 304. */
  unchanged: Head | (() => Head);
}
