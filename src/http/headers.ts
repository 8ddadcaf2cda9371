import { hash } from 'node:crypto';
import type { Lifecycle } from '../store/contact-store.ts';
import type { Verdict } from './limit.ts';
import { httpDate } from './conditional.ts';
import { headOf, flatten, type Head } from './head.ts';

/** The one place where headers are made, for the hot routes and for everything else. */

const EXPOSED = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
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
  'Mcp-Protocol-Validators',
].join(', ');

const ALLOWED = [
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
  'Mcp-Protocol-Validators',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');

const VARY = 'Vary: Accept-Encoding\r\n';
export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

export interface HeaderSets {
  /** On every response there is. */
  readonly everywhere: Head;
  /** The way to the API catalogue (RFC 9727), on all that a program may come to first. */
  readonly catalogue: Head;
  /** On everything a program of another origin may read: `/api/`, `/mcp`, machine-readable documents. */
  readonly open: Head;
  /** A finished text body. */
  json(body: string | Buffer, etag: string | null, cacheControl: string, type?: string): Head;
  /** Of that, what many bodies have in common. */
  jsonCommon(cacheControl: string, type?: string): Head;
  /** What a 304 repeats of the 200. */
  notModified(etag: string, cacheControl: string, modified: number | null): Head;
  /** What the bytes of all labels have in common. */
  readonly pdfCommon: Head;
  /** A 304 for these: a cache puts its fields in the place of those it has, the policy for a PDF included. */
  pdfNotModified(etag: string, modified: number): Head;
  webp(length: number, etag: string, digest: string, modified: number): Head;
  preflight(allow: string): Head;
}

export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The value alone, for what has other links beside it. */
export function catalogueLink(baseUrl: string): string {
  return `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`;
}

export function createHeaders(baseUrl: string): HeaderSets {
  const transport = baseUrl.startsWith('https:')
    ? headOf('Strict-Transport-Security', 'max-age=31536000')
    : '';
  const everywhere =
    headOf('X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer') + transport;
  const catalogue = headOf('Link', catalogueLink(baseUrl));
  const open =
    everywhere +
    headOf(
      'Access-Control-Allow-Origin',
      '*',
      'Access-Control-Expose-Headers',
      EXPOSED,
      'Cross-Origin-Resource-Policy',
      'cross-origin',
    ) +
    catalogue;
  // Nothing in JSON is to be run or framed, should a browser be made to open it as a page.
  const inert = flatten(
    open + headOf('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"),
  );
  const boxed = flatten(open + headOf('Content-Security-Policy', "sandbox; default-src 'none'"));
  const pdfCommon = flatten(
    boxed +
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

  // Written out where a lookup nobody made before passes; nothing in these comes from a caller.
  const jsonCommon = (cacheControl: string, type = JSON_TYPE): Head =>
    `${inert}Content-Type: ${type}\r\nCache-Control: ${cacheControl}\r\n${VARY}`;

  return {
    everywhere,
    catalogue,
    open,
    json: (body, etag, cacheControl, type) => jsonCommon(cacheControl, type) + linesOfBody(body, etag),
    jsonCommon,
    // Only text is compressed, and only text has no date.
    notModified: (etag, cacheControl, modified) =>
      inert + unchangedLines(etag, cacheControl, modified) + (modified === null ? VARY : ''),
    pdfCommon,
    pdfNotModified: (etag, modified) => boxed + unchangedLines(etag, IMMUTABLE, modified),
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
        open +
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

/** What a body has for itself: its length, and where it has a tag, that and its digest. */
export function linesOfBody(body: string | Buffer, etag: string | null): Head {
  const length = `Content-Length: ${body.length}\r\n`;
  if (etag === null) return length;
  return `${length}ETag: ${etag}\r\nContent-Digest: ${digestOf(etag.slice(1, -1))}\r\n`;
}

/** A strong tag that is the body's SHA-256, so that the digest need not be computed a second time. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha256', body, 'hex')}"`;
}

/** RFC 9530, from hex. */
export function digestOf(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
}

/** What belongs to this one response alone: its name, and what the limit says of the request. */
export function ownLines(id: string, verdict: Verdict | null): Head {
  return `X-Request-Id: ${id}\r\n${verdict ? verdict.lines : ''}`;
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
