import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import type { Html } from './layout.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Of every page. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
  Vary: 'Accept, Accept-Encoding',
};

/** A page made to the end: what is sent, and under which tag. */
export interface FinishedPage {
  plain: Buffer;
  gzip: Buffer;
  etag: string;
}

export interface Sending {
  status?: 200 | 400 | 404 | 405 | 429 | 451 | 500 | 503;
  /** By default kept, and asked about each time: a page names its stylesheet by hash. */
  cacheControl?: string;
  headers?: Readonly<Record<string, string>>;
}

export async function finish(page: Html): Promise<FinishedPage> {
  const plain = Buffer.from(String(await page));
  return {
    plain,
    gzip: gzipSync(plain, { level: 5 }),
    etag: `W/"${hash('sha256', plain, 'base64url').slice(0, 27)}"`,
  };
}

export async function sendPage(c: Context, page: Html, sending: Sending = {}): Promise<Response> {
  return sendFinished(c, await finish(page), sending);
}

export function sendFinished(c: Context, page: FinishedPage, sending: Sending = {}): Response {
  const { status = 200, cacheControl = 'no-cache' } = sending;
  const headers: Record<string, string> = {
    ...PAGE_HEADERS,
    'Cache-Control': cacheControl,
    ...sending.headers,
  };
  if (status === 200 && cacheControl !== 'no-store') {
    headers.ETag = page.etag;
    if (c.req.header('if-none-match')?.includes(page.etag))
      return new Response(null, { status: 304, headers });
  }
  const zipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
  if (zipped) headers['Content-Encoding'] = 'gzip';
  const body = zipped ? page.gzip : page.plain;
  headers['Content-Length'] = String(body.length);
  return new Response(new Uint8Array(body.buffer, body.byteOffset, body.length) as Uint8Array<ArrayBuffer>, {
    status,
    headers,
  });
}

/** Whether a person's browser asks. Programs say `application/json` or `anything`, and get problems as JSON. */
export function wantsHtml(c: Context): boolean {
  return /\btext\/html\b/.test(c.req.header('accept') ?? '');
}
