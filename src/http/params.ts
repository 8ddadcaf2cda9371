import { parseVin } from '@monroney/vin';
import type { ApiRequest, ApiResponse } from './response.ts';
import type { HttpContext } from './context.ts';
import { problem } from './problems.ts';

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
  // Fast path: without percent-encoding, the name appears literally or not at all.
  if (!query.includes(name) && !query.includes('%')) return values;
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (key !== name && decoded(key.replaceAll('+', ' ')) !== name) continue;
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

function decoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function either(words: string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
