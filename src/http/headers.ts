import { hash } from 'node:crypto';
import type { Lifecycle } from '../contacts/contact-store.ts';
import { LIMIT_POLICY, type Verdict } from './limit.ts';
import { httpDate } from './conditional.ts';

/** The one place where headers are made, for the hot routes and for everything else. */

const EXPOSED = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
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

const ALLOWED = [
  'Accept',
  'Content-Type',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Unmodified-Since',
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

export interface HeaderSets {
  /** On every answer there is. */
  readonly everywhere: readonly string[];
  /** On everything a program of another origin may read: `/api/`, `/mcp`, machine-readable documents. */
  readonly open: readonly string[];
  /** A finished text body. */
  json(body: string | Buffer, etag: string | null, cacheControl: string, type?: string): string[];
  /** What a 304 repeats of the 200. */
  notModified(etag: string, cacheControl: string, modified: number | null): string[];
  /** A label's own bytes, whole or in part. */
  pdf(label: { vin: string; sha256: string; fetched: number }, download: boolean): string[];
  webp(length: number, etag: string, digest: string, modified: number): string[];
  preflight(allow: string): string[];
}

export const IMMUTABLE = 'public, max-age=31536000, immutable';

export function createHeaders(baseUrl: string): HeaderSets {
  const everywhere = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'];
  if (baseUrl.startsWith('https:')) everywhere.push('Strict-Transport-Security', 'max-age=31536000');
  const open = [
    ...everywhere,
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    EXPOSED,
    'Cross-Origin-Resource-Policy',
    'cross-origin',
    'Link',
    `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
  ];
  // Nothing in JSON is to be run or framed, should a browser be made to open it as a page.
  const inert = [...open, 'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];
  const sandboxed = [
    ...open,
    'Content-Security-Policy',
    "sandbox; default-src 'none'",
    'X-Robots-Tag',
    'noindex',
    'Accept-Ranges',
    'bytes',
    'Cache-Control',
    IMMUTABLE,
    'Content-Type',
    'application/pdf',
  ];

  return {
    everywhere,
    open,
    json(body, etag, cacheControl, type = JSON_TYPE) {
      const headers = [
        ...inert,
        'Content-Type',
        type,
        'Content-Length',
        String(body.length),
        'Cache-Control',
        cacheControl,
      ];
      if (etag !== null) headers.push('ETag', etag, 'Content-Digest', digestOf(etag.slice(1, -1)));
      return headers;
    },
    notModified(etag, cacheControl, modified) {
      const headers = [...inert, 'ETag', etag, 'Cache-Control', cacheControl];
      if (modified !== null) headers.push('Last-Modified', httpDate(modified));
      return headers;
    },
    pdf(label, download) {
      return [
        ...sandboxed,
        'ETag',
        `"${label.sha256}"`,
        'Last-Modified',
        httpDate(label.fetched),
        'Content-Disposition',
        `${download ? 'attachment' : 'inline'}; filename="window-sticker-${label.vin}.pdf"`,
        'Repr-Digest',
        digestOf(label.sha256),
      ];
    },
    webp(length, etag, digest, modified) {
      return [
        ...inert,
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
      ];
    },
    preflight(allow) {
      return [
        ...open,
        'Allow',
        allow,
        'Access-Control-Allow-Methods',
        allow,
        'Access-Control-Allow-Headers',
        ALLOWED,
        'Access-Control-Max-Age',
        '86400',
      ];
    },
  };
}

/** A strong tag that is the body's SHA-256, so that the digest need not be computed a second time. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha256', body, 'hex')}"`;
}

/** RFC 9530, from hex. */
export function digestOf(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
}

/** What belongs to this one answer alone: its name, and what the limit says of the request. */
export function ownHeaders(id: string, verdict: Verdict | null): string[] {
  return verdict
    ? ['X-Request-Id', id, 'RateLimit-Policy', LIMIT_POLICY, 'RateLimit', verdict.field]
    : ['X-Request-Id', id];
}

/** RFC 9745 and RFC 8594, on routes that will change. */
export function pushLifecycle(headers: string[], change: Lifecycle): void {
  headers.push('Deprecation', `@${Math.floor(change.deprecated / 1000)}`);
  if (change.sunset !== null) headers.push('Sunset', httpDate(change.sunset));
  headers.push('Link', `<${change.link}>; rel="deprecation"; type="text/html"`);
  if (change.sunset !== null) headers.push('Link', `<${change.link}>; rel="sunset"; type="text/html"`);
}
