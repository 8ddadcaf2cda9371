import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { ApiResponse, Head } from './response.ts';
import { digestOf } from './headers.ts';

/**
 * Compresses text when the client accepts it (RFC 9110, 12.5.3). Bodies with an ETag are compressed once and cached.
 * Each coding has its own ETag, because a strong ETag identifies exact bytes.
 */
export type Coding = 'br' | 'gzip';

/** Below this, compression saves less than a packet. */
const MIN_BODY_BYTES = 1024;
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const TEXT = /^Content-Type: (?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-ndjson)|image\/svg)/m;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const compressors: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => zip(bytes),
};

/** By Accept-Encoding: clients send the same few values. */
const codings = new Map<string, Coding | null>();

/** The best coding that an Accept-Encoding allows; brotli when both have the same weight. */
export function codingOf(accept: string | undefined): Coding | null {
  if (accept === undefined) return null;
  let coding = codings.get(accept);
  if (coding === undefined) {
    coding = bestOf(accept);
    if (codings.size < 256) codings.set(accept, coding);
  }
  return coding;
}

const ACCEPTED: Record<Coding, RegExp> = {
  br: /(?:^|,)\s*br\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i,
  gzip: /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i,
};

function weightOf(accept: string, coding: Coding): number {
  const found = ACCEPTED[coding].exec(accept);
  return found ? Number(found[1] ?? 1) : 0;
}

/** Whether an Accept-Encoding allows gzip, for what has no other coding. */
export function acceptsGzip(accept = ''): boolean {
  return weightOf(accept, 'gzip') > 0;
}

function bestOf(accept: string): Coding | null {
  const [br, gz] = [weightOf(accept, 'br'), weightOf(accept, 'gzip')];
  if (br > 0 && br >= gz) return 'br';
  return gz > 0 ? 'gzip' : null;
}

/** Replaces the ETag of a coding with the plain one in `headers`. Returns whether there was one. */
export function stripCodingFromConditions(headers: IncomingHttpHeaders, coding: Coding): boolean {
  let found = false;
  for (const name of ['if-none-match', 'if-match'] as const) {
    const given = headers[name];
    if (!given?.includes(`-${coding}"`)) continue;
    headers[name] = given.replaceAll(`-${coding}"`, '"');
    found = true;
  }
  return found;
}

/** The head with the ETag of a coding. */
export function withCodingETag(head: Head, coding: Coding): Head {
  return head.replace(/^ETag: "([^"]*)"/m, `ETag: "$1-${coding}"`);
}

interface Compressor {
  /** The compressed response; null when it isn't worth compressing. */
  compress(response: ApiResponse, coding: Coding): ApiResponse | Promise<ApiResponse> | null;
}

export function createCompressor(): Compressor {
  const cache = new LRUCache<string, Buffer>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ length }) => length,
  });

  return {
    compress(response, coding) {
      const { status, head, body } = response;
      if (status !== 200 || (typeof body !== 'string' && !Buffer.isBuffer(body))) return null;
      if (body.length < MIN_BODY_BYTES || !TEXT.test(head)) return null;
      const tag = /^ETag: ("[^"]*")/m.exec(head)?.[1];
      const key = tag && `${coding} ${tag}`;
      const cached = key && cache.get(key);
      if (cached) return compressed(response, coding, cached);
      const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
      return compressors[coding](bytes).then((result) => {
        if (key) cache.set(key, result);
        return compressed(response, coding, result);
      });
    },
  };
}

function compressed({ status, head }: ApiResponse, coding: Coding, bytes: Buffer): ApiResponse {
  const digest = digestOf(hash('sha256', bytes, 'hex'));
  const own = withCodingETag(head, coding)
    .replace(/^Content-Length: \d+/m, `Content-Length: ${bytes.length}`)
    .replace(/^Content-Digest: \S+/m, `Content-Digest: ${digest}`);
  return { status, head: `${own}Content-Encoding: ${coding}\r\n`, body: bytes };
}
