import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isVin, parseVin, tidyVin, vinsIn } from '@monroney/vin';
import type { FastifyRequest } from 'fastify';
import type { Lookup } from '../lookup/find.ts';
import type { ProblemOptions } from './problems.ts';

/** What we read from a request: its target, Host, VIN, parameters, preferences and contact. */

/** The target of a request line. Not parsed with `new URL`, which costs seven times as much and normalizes the path. */
interface Target {
  path: string;
  query: string;
}

/** RFC 9112, 3.2: origin form, or absolute form, whose host we do not need. Null for anything else. */
function splitTarget(url: string): Target | null {
  let origin = url;
  if (!url.startsWith('/')) {
    const found = /^https?:\/\/[^/?#]+/i.exec(url);
    if (!found) return null;
    origin = url.slice(found[0].length);
    if (!origin.startsWith('/')) origin = `/${origin}`;
  }
  const mark = origin.indexOf('?');
  return mark < 0
    ? { path: origin, query: '' }
    : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

/** RFC 9110, 9.3.7: `OPTIONS *` is about the server in general. */
export const SERVER_PATH = '*';

const TARGET = Symbol('target');
type TargetedMessage = IncomingMessage & { [TARGET]?: Target | null };

/** RFC 3986, 2.3: letters, digits and `-._~` mean the same with and without percent-encoding. */
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

const withUnreservedDecoded = (path: string): string =>
  path.replace(ENCODED_UNRESERVED, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16)));

/**
 * The URL that the router sees. It decodes paths, but in ours only what needs no encoding is decoded: the rest is compared and
 * passed on as sent, and broken encoding is what a handler says it is. So it is encoded once more. It doesn't need the query.
 */
export function routedUrl(req: IncomingMessage): string {
  const isForServer = req.url === SERVER_PATH && req.method === 'OPTIONS';
  const target = isForServer ? { path: SERVER_PATH, query: '' } : splitTarget(req.url!);
  (req as TargetedMessage)[TARGET] = target;
  if (target === null || isForServer) return '/';
  if (target.path.includes('%')) target.path = withUnreservedDecoded(target.path);
  const { path } = target;
  return path.includes('%') || path.includes('#') ? encodedOnce(path) : path;
}

const encodedOnce = (path: string): string => path.replaceAll('%', '%25').replaceAll('#', '%23');

export const targetOf = (req: IncomingMessage): Target => (req as TargetedMessage)[TARGET] ?? NO_TARGET;

const NO_TARGET: Target = { path: '', query: '' };

/** What is wrong with a request whatever its route. */
export function malformedProblem(req: IncomingMessage): ProblemOptions | null {
  if (!hasOneHost(req.rawHeaders, req.httpVersion))
    // A proxy may have parsed a different request than we did, so the connection isn't reused.
    return badRequest('Send exactly one Host header.', { headers: { connection: 'close' } });
  if (!isValidHost(req.headers.host)) return badRequest(INVALID_HOST);
  const { path } = targetOf(req);
  if (path === '') return badRequest('The URL path must begin with a slash.');
  if (hasDotSegment(path)) return badRequest('The URL path must not contain "." or ".." segments.');
  return null;
}

const badRequest = (detail: string, more: Partial<ProblemOptions> = {}): ProblemOptions => ({
  reason: 'bad-request',
  detail,
  ...more,
});

const DOT_SEGMENT = /\/\.{1,2}(?:[/#]|$)/;

/** Clients remove `.` and `..` segments (RFC 3986, 5.2.4). A proxy may do so too, and have checked a different path. */
function hasDotSegment(path: string): boolean {
  return path.includes('/.') && DOT_SEGMENT.test(path);
}

/** RFC 9112, 3.2: exactly one Host in HTTP/1.1. A second one may be request smuggling. */
function hasOneHost(rawHeaders: readonly string[], httpVersion: string): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * RFC 9112, 6.1: HTTP/1.0 has no Transfer-Encoding, so a proxy may have found the end of the body elsewhere than we did. The
 * connection must be closed after the response.
 */
export function hasUncertainLength({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

/** RFC 9112, 6: one of these fields says that there is a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** RFC 9110, 10.1.1: the only expectation is 100-continue, which Node answers. HTTP/1.0 has none. */
export function hasUnsupportedExpect({ httpVersion, headers: { expect } }: IncomingMessage): boolean {
  return expect !== undefined && httpVersion !== '1.0' && !/(?:^|\W)100-continue(?:$|\W)/i.test(expect);
}

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

const INVALID_HOST =
  'The Host header must be a host name or an IP address, with or without a port, such as example.com:8080.';

/** Nearly all requests have the same. */
let lastValidHost: string | undefined;

/** RFC 9112, 3.2: whether a Host header has the form of a host, with or without a port. HTTP/1.0 has none. */
function isValidHost(host: string | undefined): boolean {
  if (host === undefined || host === lastValidHost) return true;
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return false;
  lastValidHost = host;
  return true;
}

// Distinguishes the request ids of different processes.
const processPrefix = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
let count = 0;

/** Long enough for a UUID or a trace id. Without dots, colons and @, so that it can't be an IP or e-mail address. */
const REQUEST_ID = /^[\w-]{1,128}$/;

/** Identifies one request in the log and in the response: the client's own id, if it is well-formed. */
export function nextRequestId(req?: Pick<IncomingMessage, 'headers'>): string {
  const given = req?.headers['x-request-id'];
  if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
  return `${processPrefix}-${(++count).toString(36).padStart(7, '0')}`;
}

/** A value, or what is wrong. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: ProblemOptions };

/** The VIN that was probably meant by a text that is none; null if that is uncertain. */
function suggestedVinFor(text: string, { decode }: Pick<Lookup, 'decode'>): string | null {
  const start = text.slice(0, 100);
  const [vin, ...others] = vinsIn(start);
  if (vin && others.length === 0) return vin;
  const tidy = tidyVin(start);
  if (isVin(tidy)) return tidy;
  return tidy.length >= 16 && tidy.length <= 18 ? decode(tidy).repair : null;
}

/** What is wrong with a text that isn't a VIN, in the same words everywhere. `error`: from `parseVin`. */
export function explainBadVin(text: string, error: string, lookup: Pick<Lookup, 'decode'>) {
  const suggested = suggestedVinFor(text, lookup);
  const isSaid = suggested === null || error.includes(suggested);
  return { message: isSaid ? error : `${error} Did you mean ${suggested}?`, suggested };
}

/** The segment of the path where the VIN is, in a route with `{vin}`. */
export const vinSegment = ({ params }: Pick<FastifyRequest, 'params'>): string =>
  (params as { vin: string }).vin;

/** The VIN of a path segment, upper-case. */
export function parseVinSegment(segment: string, lookup: Pick<Lookup, 'decode'>): Parsed<string> {
  const encoded = segment.includes('%');
  const text = encoded ? decoded(segment) : segment;
  const parsed = text === null ? null : parseVin(text);
  if (parsed?.ok && !encoded) return { ok: true, value: parsed.vin };
  const error = parsed?.ok
    ? `Send the VIN without percent-encoding: ${parsed.vin}.`
    : (parsed?.message ?? 'The percent-encoding in the URL is invalid. A VIN needs none.');
  const { message: detail, suggested: suggestedVin } = explainBadVin(text ?? '', error, lookup);
  return { ok: false, problem: { reason: 'bad-vin', detail, suggestedVin } };
}

/** The VIN of a path segment, for a problem that is not about the VIN. */
export function vinIn(segment: string | undefined): string | undefined {
  const parsed = segment === undefined ? null : parseVin(segment);
  return parsed?.ok ? parsed.vin : undefined;
}

/** What a parameter may be. */
export interface Parameter<T> {
  name: string;
  values: Readonly<Record<string, T>>;
  /** The value if it is absent. */
  absent: T;
  ignoreCase?: boolean;
}

/** The value of a parameter, or the default. Unknown parameters are ignored. */
export function parseParameter<T>(
  query: string,
  vin: string,
  { name, values, absent, ignoreCase }: Parameter<T>,
): Parsed<T> {
  if (query === '') return { ok: true, value: absent };
  const given = parameters(query, name);
  if (given.length === 0) return { ok: true, value: absent };
  if (given.length > 1) return { ok: false, problem: repeatedParameter(name, given.length, vin) };
  const text = ignoreCase ? given[0]?.toLowerCase() : given[0];
  if (typeof text === 'string' && Object.hasOwn(values, text)) return { ok: true, value: values[text]! };
  const detail = `"${name}" must be ${either(Object.keys(values))}, got ${quoted(given[0]!)}.`;
  return { ok: false, problem: { reason: 'bad-parameter', detail, vin } };
}

export const repeatedParameter = (name: string, times: number, vin: string): ProblemOptions => ({
  reason: 'bad-parameter',
  detail: `"${name}" appears ${times} times in the URL. Send it once.`,
  vin,
});

/** Every value given for a name, decoded; null where the encoding is broken. */
export function parameters(query: string, name: string): (string | null)[] {
  const values: (string | null)[] = [];
  // Without percent-encoding, the name appears literally or not at all.
  if (!query.includes(name) && !query.includes('%')) return values;
  // Mostly there is one parameter and nothing to decode.
  if (!/[%&+]/.test(query) && query.startsWith(`${name}=`)) return [query.slice(name.length + 1)];
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    // An encoded name is longer than the name.
    if (key !== name && (key.length <= name.length || decoded(key) !== name)) continue;
    values.push(equals < 0 ? '' : decoded(pair.slice(equals + 1).replaceAll('+', ' ')));
  }
  return values;
}

/** The names in a header such as Accept, in lower case and in its order, each with its weight (RFC 9110, 12.4.2). */
export function weightsIn(field = ''): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of field.toLowerCase().split(',')) {
    const name = item.split(';', 1)[0]!.trim();
    const weight = /;\s*q=([^;]*)/.exec(item)?.[1] ?? 1;
    if (!weights.has(name)) weights.set(name, Number(weight) || 0);
  }
  return weights;
}

const MAX_QUOTED_CHARACTERS = 40;

/** A client's value in an error message, cut short and without characters that change how the message looks. */
export function quoted(text: string | null): string {
  if (text === null) return 'invalid percent-encoding';
  const isLong = text.length > MAX_QUOTED_CHARACTERS;
  const start = isLong ? `${text.slice(0, MAX_QUOTED_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return JSON.stringify(start).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
}

/** A source gets no more time than this. */
const MAX_WAIT_SECONDS = 20;
const WAIT = /(?:^|,)\s*wait\s*=\s*(?:(\d{1,9})|"(\d{1,9})")\s*(?=[;,]|$)/i;

/** RFC 7240, 4.3: the seconds of `Prefer: wait=N`, at most 20; null without a usable one. */
export function preferredWaitSeconds(prefer: string | string[] | undefined): number | null {
  if (prefer === undefined) return null;
  const found = WAIT.exec(typeof prefer === 'string' ? prefer : prefer.join(','));
  return found ? Math.min(MAX_WAIT_SECONDS, Number(found[1] ?? found[2])) : null;
}

/** How long to wait for a source, when the client prefers to wait less than we would. */
export function maxWaitMs({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const seconds = preferredWaitSeconds(headers.prefer);
  return seconds === null ? undefined : seconds * 1000;
}

/** The contact that the client sent, not validated. The header takes precedence over the parameter. */
export function contactOf({
  headers,
  queryText,
}: Pick<FastifyRequest, 'headers' | 'queryText'>): string | undefined {
  const header = headers['x-contact'];
  if (header !== undefined) return typeof header === 'string' ? header : undefined;
  if (queryText === '') return undefined;
  const given = parameters(queryText, 'contact');
  return given.length === 1 ? (given[0] ?? undefined) : undefined;
}

const BAD_ESCAPE = /%(?![0-9a-f]{2})/i;

/**
 * Null where the percent-encoding is broken. Not `decodeURIComponent`, which throws: a URL can have thousands of broken
 * parameters, and as many exceptions would block the event loop for half a second.
 */
function decoded(text: string): string | null {
  if (!text.includes('%')) return text;
  if (BAD_ESCAPE.test(text)) return null;
  const bytes = Buffer.from(
    text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
  return isUtf8(bytes) ? bytes.toString() : null;
}

/** A path or query without broken percent-encoding, for libraries that throw an exception for each occurrence. */
export function withoutBrokenEscapes(text: string): string {
  if (!text.includes('%')) return text;
  const escaped = text.replaceAll(new RegExp(BAD_ESCAPE, 'gi'), '%25');
  try {
    decodeURIComponent(escaped);
    return escaped;
  } catch {
    return escaped.replaceAll(/%(?=[89a-f])/gi, '%25');
  }
}

function either(words: string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

export const MAX_BODY_BYTES = 64 * 1024;

/** Aborted when the client has left. */
export function disconnectionOf(response: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished)
      disconnected.abort(Object.assign(new Error('The client left.'), { code: 'ECONNRESET' }));
  });
  return disconnected.signal;
}
