import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import type { MemoryCache } from '../lib/memory-cache.ts';
import { inMemorySingleFlight } from '../lib/promises.ts';
import type { Answer } from './problems.ts';
import { weightsIn } from './request.ts';
import {
  digestOf,
  etagOf,
  type HeaderFields,
  type HeaderSets,
  type HttpResponse,
  type ValidatedFields,
} from './response.ts';

/** Which form of a response a client gets: none if it has it, a range of it, or a compressed one. */

type Precondition = 'go' | 'not-modified' | 'failed';

/**
 * RFC 9110, 13.2.2, for GET and HEAD: If-Match before If-Unmodified-Since, If-None-Match before
 * If-Modified-Since; an invalid date is ignored. `modified` is null when there is no date.
 */
export function precondition(
  headers: IncomingHttpHeaders,
  etag: string,
  modified: number | null,
): Precondition {
  const match = headers['if-match'];
  if (match !== undefined) {
    if (!lists(match, etag, false)) return 'failed';
  } else if (modified !== null) {
    const since = dateOf(headers['if-unmodified-since']);
    if (since !== null && wholeSecond(modified) > since) return 'failed';
  }
  const none = headers['if-none-match'];
  if (none !== undefined) return none === etag || lists(none, etag, true) ? 'not-modified' : 'go';
  if (modified !== null) {
    const since = dateOf(headers['if-modified-since']);
    if (since !== null && wholeSecond(modified) <= since) return 'not-modified';
  }
  return 'go';
}

/** RFC 9110, 13.1.5: whether a Range may be honored. Strong comparison; a date must be exactly ours. */
export function ifRange(field: string | string[] | undefined, etag: string, modified: number): boolean {
  if (field === undefined) return true;
  if (typeof field !== 'string') return false;
  const given = field.trim();
  if (given.startsWith('"') || given.startsWith('W/')) return given === etag;
  return dateOf(given) === wholeSecond(modified);
}

/** Both ends inclusive, as in `Content-Range`. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * RFC 9110, 14.2. Only a single range is supported. We ignore several ranges, other units and malformed values, as the
 * RFC allows, and send the full file. `unsatisfiable` means one well-formed range that starts past the end.
 */
export function byteRange(field: string | undefined, size: number): ByteRange | 'full' | 'unsatisfiable' {
  if (field === undefined) return 'full';
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(field);
  if (!match) return 'full';
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return 'full';
    const length = Number(last);
    if (length === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'full';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function wholeSecond(ms: number): number {
  return ms - (ms % 1000);
}

// The three formats that a recipient must accept (RFC 9110, 5.6.7). Date.parse alone accepts far more.
const DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

function dateOf(text: string | undefined): number | null {
  if (text === undefined || !DATE.test(text)) return null;
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(ms) ? null : ms;
}

const TAG = /\s*(W\/)?("[!\x23-\x7e\x80-\xff]*")\s*(?:,|$)|\s*,/y;

/** Whether a list of entity tags, or `*`, contains ours. Stops at the first malformed tag. */
function lists(field: string, etag: string, weak: boolean): boolean {
  if (field.trim() === '*') return true;
  TAG.lastIndex = 0;
  while (TAG.lastIndex < field.length) {
    const found = TAG.exec(field);
    if (!found) return false;
    if (found[2] === etag && (weak || found[1] === undefined)) return true;
  }
  return false;
}

const ABOUT_CONTENT = new Set([
  'content-type',
  'content-length',
  'content-digest',
  'content-disposition',
  'repr-digest',
]);

/** RFC 9110, 15.4.5: a 304 doesn't describe the content that it doesn't have. In a loop, which costs a fifth of filtering. */
function withoutContent(wanted: ValidatedFields, etag: string): HeaderFields {
  const kept: Record<string, string | string[]> = {};
  for (const name in wanted) if (!ABOUT_CONTENT.has(name)) kept[name] = wanted[name]!;
  kept.etag = etag;
  return kept;
}

/** The 304 or 412 that the request's conditions ask for; null when the response with these headers is wanted. */
export function conditionalResponse(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  wanted: ValidatedFields,
  vin?: string,
): Answer | null {
  // What a POST returns isn't what its URL has.
  if (method === 'POST') return null;
  const { etag, 'last-modified': lastModified } = wanted;
  const modified = lastModified === undefined ? null : Date.parse(lastModified);
  let outcome = precondition(headers, etag, modified);
  let matched = etag;
  // The client may have got the compressed form, which has an ETag of its own.
  const tags = outcome === 'not-modified' ? undefined : (headers['if-none-match'] ?? headers['if-match']);
  const coding = tags === undefined ? null : codingOf(headers['accept-encoding']);
  if (coding && tags?.includes(`-${coding}"`)) {
    matched = codedETag(etag, coding);
    outcome = precondition(headers, matched, modified);
  }
  if (outcome === 'go') return null;
  if (outcome === 'not-modified')
    return { status: 304, headers: withoutContent(wanted, matched), body: null };
  const detail = `The current ETag is ${etag}, which doesn't match the request's condition.`;
  return { reason: 'precondition-failed', detail, vin };
}

/** A text body with its ETag, or the 304 or 412 that the request's conditions ask for. */
export function conditionalJson(
  request: Pick<FastifyRequest, 'method' | 'headers'>,
  body: string | Buffer,
  cacheControl: string,
  headerSets: HeaderSets,
  {
    etag = etagOf(body),
    type,
    vin,
    more,
  }: { etag?: string; type?: string; vin?: string; more?: HeaderFields } = {},
): Answer {
  const headers = { ...headerSets.json(body, etag, cacheControl, type), ...more, etag };
  return conditionalResponse(request, headers, vin) ?? { status: 200, headers, body };
}

/**
 * Compresses responses when the client accepts it (RFC 9110, 12.5.3). Bodies with an ETag are compressed once and cached.
 * Each coding has its own ETag, because a strong ETag identifies exact bytes.
 */
type Coding = 'br' | 'gzip';

/** Below this, compression saves less than a packet. */
const MIN_BODY_BYTES = 1024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-ndjson|wasm)|image\/svg)/;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const compressors: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => zip(bytes),
};

/** The best coding that an Accept-Encoding allows; brotli when both have the same weight. */
export function codingOf(accept: string | undefined): Coding | null {
  const weights = weightsIn(accept);
  const [br = 0, gz = 0] = [weights.get('br'), weights.get('gzip')];
  if (br > 0 && br >= gz) return 'br';
  return gz > 0 ? 'gzip' : null;
}

/** The ETag of a coded form. */
const codedETag = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`;

/** Compresses a response whose `Vary` allows it, if that is worth it and the client accepts it. */
export function createCompressor(
  memory: MemoryCache,
): (accept: string | undefined, response: HttpResponse) => HttpResponse | Promise<HttpResponse> {
  const cache = memory.of<Buffer>('compressed', ({ length }) => length);
  // Many may ask for the same file at once, and the largest takes 50 ms of a thread.
  const compressing = inMemorySingleFlight();

  async function compressed(
    response: HttpResponse,
    body: string | Buffer,
    coding: Coding,
  ): Promise<HttpResponse> {
    const { headers } = response;
    const etag = headers.etag as string | undefined;
    const key = etag && `${coding} ${etag}`;
    const compressBody = () => compressors[coding](typeof body === 'string' ? Buffer.from(body) : body);
    const bytes = key
      ? (cache.get(key) ?? (await compressing.once(key, compressBody)))
      : await compressBody();
    if (key) cache.set(key, bytes);
    return {
      ...response,
      headers: {
        ...headers,
        'content-encoding': coding,
        'content-length': String(bytes.length),
        ...(etag ? { etag: codedETag(etag, coding) } : {}),
        ...(headers['content-digest'] ? { 'content-digest': digestOf(hash('sha256', bytes, 'hex')) } : {}),
      },
      body: bytes,
    };
  }

  return function compress(accept, response) {
    const { headers, body } = response;
    if (accept === undefined) return response;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return response;
    if (!String(headers.vary).includes('Accept-Encoding')) return response;
    if (body.length < MIN_BODY_BYTES || !COMPRESSIBLE.test(String(headers['content-type']))) return response;
    const coding = codingOf(accept);
    return coding === null ? response : compressed(response, body, coding);
  };
}
