import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseVin } from '@monroney/vin';
import { createHeldBytes } from '../lib/held-bytes.ts';
import type { ApiRequest, ApiResponse } from './response.ts';
import type { HttpContext } from './context.ts';
import { MAX_DRAINED_BYTES } from '../lib/node-internals.ts';
import { problem } from './problems.ts';

/** What we read from a request: its target, Host, VIN, parameters, preferences, contact and body. */

/** The target of a request line. Not parsed with `new URL`, which costs seven times as much and normalizes the path. */
interface Target {
  path: string;
  query: string;
}

/** RFC 9112, 3.2: origin form, or absolute form, whose host we do not need. Null for anything else. */
export function splitTarget(url: string): Target | null {
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

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/#]|$)/i;

/**
 * Whether a path has a `.` or `..` segment. Clients remove them (RFC 3986, 5.2.4). The pages would too, but after we chose
 * the limit: `/assets/../compare` would be a page that isn't counted.
 */
export function hasDotSegment(path: string): boolean {
  return (path.includes('/.') || path.includes('/%')) && DOT_SEGMENT.test(path);
}

/** RFC 9112, 3.2: exactly one Host in HTTP/1.1. A second one may be request smuggling. */
export function hasOneHost(rawHeaders: readonly string[], httpVersion: string): boolean {
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

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;

/** Whether a Host header has the form of a host, with or without a port. The router of the pages needs one. */
export function isValidHost(host: string | undefined): boolean {
  return host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`);
}

// Distinguishes the request ids of different processes.
const processPrefix = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
let count = 0;

/** Identifies one request in the log and in the response. All have the same length, see `REQUEST_ID` in `problems.ts`. */
export function nextRequestId(): string {
  return `${processPrefix}-${(++count).toString(36).padStart(7, '0')}`;
}

/** A value, or the error response. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; response: ApiResponse };

/** The VIN of a path segment, upper-case. */
export function parseVinSegment(segment: string, context: HttpContext): Parsed<string> {
  const encoded = segment.includes('%');
  const text = encoded ? decoded(segment) : segment;
  const parsed = text === null ? null : parseVin(text);
  if (parsed?.ok && !encoded) return { ok: true, value: parsed.vin };
  const detail = parsed?.ok
    ? `Send the VIN without percent-encoding: ${parsed.vin}.`
    : (parsed?.message ?? 'The percent-encoding in the URL is invalid. A VIN needs none.');
  return { ok: false, response: problem(context, { reason: 'bad-vin', detail }) };
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
  request: ApiRequest,
  vin: string,
  context: HttpContext,
  { name, values, absent, ignoreCase }: Parameter<T>,
): Parsed<T> {
  if (request.query === '') return { ok: true, value: absent };
  const given = parameters(request.query, name);
  if (given.length === 0) return { ok: true, value: absent };
  const text = ignoreCase ? given[0]?.toLowerCase() : given[0];
  if (given.length === 1 && typeof text === 'string' && Object.hasOwn(values, text)) {
    return { ok: true, value: values[text]! };
  }
  const detail =
    given.length > 1
      ? `"${name}" appears ${given.length} times in the URL. Send it once.`
      : `"${name}" must be ${either(Object.keys(values))}, got ${quoted(given[0]!)}.`;
  return {
    ok: false,
    response: problem(context, { reason: 'bad-parameter', detail, vin }),
  };
}

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

/** The contact that the client sent, not validated. The header takes precedence over the parameter. */
export function contactOf(request: ApiRequest): string | undefined {
  const header = request.headers['x-contact'];
  if (header !== undefined) return typeof header === 'string' ? header : undefined;
  if (request.query === '') return undefined;
  const given = parameters(request.query, 'contact');
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

/** Bodies that haven't arrived completely. */
const arriving = createHeldBytes<IncomingMessage>(32 * 1024 * 1024, (req) => req.destroy());

/** Each takes a few hundred bytes of its own, so many small ones are joined. */
const MAX_CHUNKS = 32;

export class ClientDisconnected extends Error {}

/** The body as text; null when it is too large. Rejects with `ClientDisconnected` if the client leaves. */
export function readBody(req: IncomingMessage): Promise<string | null> {
  // Without Content-Length and Transfer-Encoding there is no body, and the stream emits no events
  // (`optimizeEmptyRequests`).
  if (req.readableEnded) return Promise.resolve('');
  // It left before we began to read, so there will be no event either.
  if (req.destroyed) return Promise.reject(new ClientDisconnected('the client disconnected'));
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        if (chunks.push(chunk) > MAX_CHUNKS) chunks = [Buffer.concat(chunks)];
        arriving.add(req, chunk.length);
      } else {
        chunks = [];
        arriving.remove(req);
        resolve(null);
      }
      if (size > MAX_DRAINED_BYTES) req.destroy();
    });
    req.once('end', () => {
      arriving.remove(req);
      resolve(size > MAX_BODY_BYTES ? null : textOf(Buffer.concat(chunks)));
    });
    const disconnected = () => {
      arriving.remove(req);
      reject(new ClientDisconnected('the client disconnected'));
    };
    req.once('error', disconnected);
    req.once('close', disconnected);
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) resolve(null);
  });
}

/** UTF-8 without the byte order mark that .NET and PowerShell like to send. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
