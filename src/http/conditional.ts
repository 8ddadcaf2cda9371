import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { codedETag, codingOf } from './compression.ts';
import { etagOf, type HeaderSets, type HeaderFields, type ValidatedFields } from './response.ts';
import type { Answer } from './problems.ts';

/** Conditional and range requests. */

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
