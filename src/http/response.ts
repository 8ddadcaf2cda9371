import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Lifecycle } from '../store/contact-store.ts';
import type { HeldLabel } from '../store/store.ts';

/** What a response is: its headers, those that several routes share, its body and its digest. */

/** Header names in lower case. A list is sent as several lines. */
export type HeaderFields = Readonly<Record<string, string | string[]>>;

/** The headers of a response that can be revalidated. */
export type ValidatedFields = HeaderFields & { etag: string; 'last-modified'?: string };

/** What is sent: `send.ts` adds the headers of the request, such as its id, and leaves out the body for HEAD. */
export interface HttpResponse {
  status: number;
  headers: HeaderFields;
  /** A string is pure ASCII. */
  body: string | Buffer | Readable | null;
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

/** HTTP dates have a resolution of one second. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/** The headers that other origins may read. */
const EXPOSED = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  // A cache adds it. The docs tell clients to ignore RateLimit if it's there.
  'Age',
  'Retry-After',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'Content-Location',
  'Preference-Applied',
  'Accept-Ranges',
  'Last-Modified',
  'Content-Digest',
  'Repr-Digest',
  'Link',
  'Deprecation',
  'Sunset',
  'X-Request-Id',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
].join(', ');

/** By name for old browsers and for Authorization, which `*` doesn't include. `*` is for what tracing scripts add. */
const ALLOWED = [
  '*',
  'Accept',
  'Content-Type',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Unmodified-Since',
  'Prefer',
  'Range',
  'X-Contact',
  'Authorization',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';
export const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface HeaderSets {
  /** On every response. */
  readonly common: HeaderFields;
  /** On pages: `common`, and the link to the API catalog (RFC 9727). */
  readonly page: HeaderFields;
  /** On everything that other origins may read: `/api/`, `/mcp`, machine-readable documents. */
  readonly crossOrigin: HeaderFields;
  /** `crossOrigin`, for what is no page: a browser that is tricked into opening it must not run or frame it. */
  readonly inert: HeaderFields;
  /** For a text body. */
  json(body: string | Buffer, etag: string | null, cacheControl: string, type?: string): HeaderFields;
  /** For a PDF. */
  pdf(label: HeldLabel): ValidatedFields;
  preflight(allow: string): HeaderFields;
}

/** The link to the API catalog, for responses that have other links. */
export function catalogLink(baseUrl: string): string {
  return `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`;
}

export function createHeaders(baseUrl: string): HeaderSets {
  const common: HeaderFields = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  const page = { ...common, link: catalogLink(baseUrl) };
  const crossOrigin = {
    ...page,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
    'cross-origin-resource-policy': 'cross-origin',
  };
  const inert = {
    ...crossOrigin,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };

  return {
    common,
    page,
    crossOrigin,
    inert,
    json: (body, etag, cacheControl, type = JSON_TYPE) => ({
      ...inert,
      'content-type': type,
      'cache-control': cacheControl,
      vary: 'Accept-Encoding',
      'content-length': String(body.length),
      ...(etag === null ? {} : { etag, 'content-digest': digestField(etag) }),
    }),
    pdf: ({ vin, sha256, bytes, fetched }) => ({
      ...crossOrigin,
      'content-security-policy': "sandbox; default-src 'none'",
      etag: `"${sha256}"`,
      'cache-control': IMMUTABLE,
      'last-modified': httpDate(fetched),
      'x-robots-tag': 'noindex',
      'accept-ranges': 'bytes',
      'content-type': 'application/pdf',
      'repr-digest': digestOf(sha256),
      'content-disposition': `inline; filename="window-sticker-${vin}.pdf"`,
      'content-length': String(bytes),
      'content-digest': digestOf(sha256),
    }),
    preflight: (allow) => ({
      ...crossOrigin,
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': ALLOWED,
      'access-control-max-age': '86400',
    }),
  };
}

/** A strong ETag: the body's SHA-256, in base64 because its digest (RFC 9530) is the same text. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64')}"`;
}

/** The same for a body of megabytes, which takes up to 20 ms, computed in another thread. */
export async function etagOfLarge(body: Buffer): Promise<string> {
  return `"${Buffer.from(await crypto.subtle.digest('SHA-256', body as Buffer<ArrayBuffer>)).toString('base64')}"`;
}

/** RFC 9530, from an ETag of ours. */
export const digestField = (etag: string): string => `sha-256=:${etag.slice(1, -1)}:`;

/** RFC 9530, from hex. */
export function digestOf(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
}

/** RFC 9745 and RFC 8594, on routes that will change. `link` is the response's own. */
export function lifecycleFields({ deprecated, sunset, link }: Lifecycle, own: string[]): HeaderFields {
  const linked = (rel: string) => `<${link}>; rel="${rel}"; type="text/html"`;
  return {
    deprecation: `@${Math.floor(deprecated / 1000)}`,
    ...(sunset === null ? {} : { sunset: httpDate(sunset) }),
    link: [...own, linked('deprecation'), ...(sunset === null ? [] : [linked('sunset')])],
  };
}
