import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { fieldsOf, type Head } from './head.ts';

/** A request as our functions see it: no socket. */
export interface ApiRequest {
  method: string;
  /** As sent: not decoded. */
  path: string;
  /** As sent, without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
  /** Reads the body as text, once; null when it is too large. Only of operations that take one. */
  body?: () => Promise<string | null>;
  /** Whose request it is, for limits and fair queues. Opaque, never logged, never written down. */
  client?: string;
  /** How long to wait for a source, where the caller prefers to wait less than we would. */
  patienceMs?: number;
}

/** A body of known length that is opened only when it is sent. */
export interface StreamedBody {
  open(): Promise<Readable>;
}

/** A body several readers share: `done` is called when this one has all of it, or is gone. */
export interface SharedBody {
  bytes: Buffer;
  done(): void;
}

/** What a function answers. `listener.ts` adds what belongs to every response and writes it; HEAD sends no body. */
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

/** For tests and for answers that leave through the framework: one header's value. */
export function headerOf(response: ApiResponse, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return fieldsOf(response.head).find(([given]) => given.toLowerCase() === wanted)?.[1];
}

/** The same response for the framework's routes, which speak web-standard responses. */
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
  /** By default five minutes. */
  cacheControl?: string;
}

/** What stands behind a response, to hold a request's conditions against. */
export interface Validators {
  etag: string;
  /** Milliseconds since the epoch, null where only the tag tells versions apart. */
  modified: number | null;
  /** The head of a 304. */
  unchanged: Head | (() => Head);
}
