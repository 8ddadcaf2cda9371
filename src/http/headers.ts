import { hash } from 'node:crypto';
import type { Lifecycle } from '../store/contact-store.ts';
import type { LimitDecision } from './limit.ts';
import { headOf, flatten, type Head, httpDate } from './response.ts';

/** All response headers are built here. */

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

const VARY = 'Vary: Accept-Encoding\r\n';
export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

export interface HeaderSets {
  /** On every response. */
  readonly common: Head;
  /** The link to the API catalog (RFC 9727), on everything that a program may request first. */
  readonly catalog: Head;
  /** On everything that other origins may read: `/api/`, `/mcp`, machine-readable documents. */
  readonly crossOrigin: Head;
  /** For a text body. */
  json(body: string | Buffer, etag: string | null, cacheControl: string, type?: string): Head;
  /** The part of `json` that doesn't depend on the body. */
  jsonCommon(cacheControl: string, type?: string): Head;
  /** For a 304. */
  notModified(etag: string, cacheControl: string, modified: number | null): Head;
  /** The part that all PDFs share. */
  readonly pdfCommon: Head;
  /** For a 304 of a PDF. Caches replace stored headers with these, so the policy must be that of a PDF. */
  pdfNotModified(etag: string, modified: number): Head;
  webp(length: number, etag: string, digest: string, modified: number): Head;
  preflight(allow: string): Head;
}

export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The value of the `Link` header alone, for responses that have other links. */
export function catalogLink(baseUrl: string): string {
  return `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`;
}

export function createHeaders(baseUrl: string): HeaderSets {
  const transport = baseUrl.startsWith('https:')
    ? headOf('Strict-Transport-Security', 'max-age=31536000')
    : '';
  const common = headOf('X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer') + transport;
  const catalog = headOf('Link', catalogLink(baseUrl));
  const crossOrigin =
    common +
    headOf(
      'Access-Control-Allow-Origin',
      '*',
      'Access-Control-Expose-Headers',
      EXPOSED,
      'Cross-Origin-Resource-Policy',
      'cross-origin',
    ) +
    catalog;
  // A browser that is tricked into opening JSON as a page must not run or frame it.
  const inert = flatten(
    crossOrigin + headOf('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"),
  );
  const sandboxed = flatten(crossOrigin + headOf('Content-Security-Policy', "sandbox; default-src 'none'"));
  const pdfCommon = flatten(
    sandboxed +
      headOf(
        'X-Robots-Tag',
        'noindex',
        'Accept-Ranges',
        'bytes',
        'Cache-Control',
        IMMUTABLE,
        'Content-Type',
        'application/pdf',
      ),
  );

  // A template instead of `headOf`, because this is on the hot path; no part comes from the client.
  const jsonCommon = (cacheControl: string, type = JSON_TYPE): Head =>
    `${inert}Content-Type: ${type}\r\nCache-Control: ${cacheControl}\r\n${VARY}`;

  return {
    common,
    catalog,
    crossOrigin,
    json: (body, etag, cacheControl, type) => jsonCommon(cacheControl, type) + linesOfBody(body, etag),
    jsonCommon,
    // Only text is compressed, and only text has no modification date.
    notModified: (etag, cacheControl, modified) =>
      inert + unchangedLines(etag, cacheControl, modified) + (modified === null ? VARY : ''),
    pdfCommon,
    pdfNotModified: (etag, modified) => sandboxed + unchangedLines(etag, IMMUTABLE, modified),
    webp(length, etag, digest, modified) {
      return (
        inert +
        headOf(
          'Content-Type',
          'image/webp',
          'Content-Length',
          String(length),
          'Cache-Control',
          IMMUTABLE,
          'ETag',
          etag,
          'Last-Modified',
          httpDate(modified),
          'Content-Digest',
          digest,
          'X-Robots-Tag',
          'noindex',
        )
      );
    },
    preflight(allow) {
      return (
        crossOrigin +
        headOf(
          'Allow',
          allow,
          'Access-Control-Allow-Methods',
          allow,
          'Access-Control-Allow-Headers',
          ALLOWED,
          'Access-Control-Max-Age',
          '86400',
        )
      );
    },
  };
}

function unchangedLines(etag: string, cacheControl: string, modified: number | null): Head {
  const dated = modified === null ? '' : `Last-Modified: ${httpDate(modified)}\r\n`;
  return `ETag: ${etag}\r\nCache-Control: ${cacheControl}\r\n${dated}`;
}

/** The lines that depend on the body: its length and, if it has an ETag, that and its digest. */
export function linesOfBody(body: string | Buffer, etag: string | null): Head {
  const length = `Content-Length: ${body.length}\r\n`;
  if (etag === null) return length;
  return `${length}ETag: ${etag}\r\nContent-Digest: sha-256=:${etag.slice(1, -1)}:\r\n`;
}

/** A strong ETag: the body's SHA-256, in base64 because its digest (RFC 9530) is the same text. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64')}"`;
}

/** RFC 9530, from hex. */
export function digestOf(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
}

/** The lines of this request alone: its id and the state of the rate limit. */
export function requestLines(id: string, decision: LimitDecision | null): Head {
  return `X-Request-Id: ${id}\r\n${decision ? decision.lines : ''}`;
}

/** RFC 9745 and RFC 8594, on routes that will change. */
export function lifecycleLines({ deprecated, sunset, link }: Lifecycle): Head {
  const deprecation = headOf(
    'Deprecation',
    `@${Math.floor(deprecated / 1000)}`,
    'Link',
    `<${link}>; rel="deprecation"; type="text/html"`,
  );
  if (sunset === null) return deprecation;
  return (
    deprecation + headOf('Sunset', httpDate(sunset), 'Link', `<${link}>; rel="sunset"; type="text/html"`)
  );
}
