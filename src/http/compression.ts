import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MemoryCache } from '../lib/memory-cache.ts';
import { inMemorySingleFlight } from '../lib/promises.ts';
import { type HttpResponse, digestOf } from './response.ts';

/**
 * Compresses responses when the client accepts it (RFC 9110, 12.5.3). Bodies with an ETag are compressed once and cached.
 * Each coding has its own ETag, because a strong ETag identifies exact bytes.
 */
export type Coding = 'br' | 'gzip';

/** Below this, compression saves less than a packet. */
const MIN_BODY_BYTES = 1024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-ndjson|wasm)|image\/svg)/;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const compressors: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => zip(bytes),
};

const ACCEPTED: Record<Coding, RegExp> = {
  br: /(?:^|,)\s*br\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i,
  gzip: /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i,
};

function weightOf(accept: string, coding: Coding): number {
  const found = ACCEPTED[coding].exec(accept);
  return found ? Number(found[1] ?? 1) : 0;
}

/** The best coding that an Accept-Encoding allows; brotli when both have the same weight. */
export function codingOf(accept = ''): Coding | null {
  const [br, gz] = [weightOf(accept, 'br'), weightOf(accept, 'gzip')];
  if (br > 0 && br >= gz) return 'br';
  return gz > 0 ? 'gzip' : null;
}

/** The ETag of a coded form. */
export const codedETag = (etag: string, coding: Coding): string => `${etag.slice(0, -1)}-${coding}"`;

/** Compresses a response whose `Vary` allows it, if that is worth it and the client accepts it. */
type Compress = (accept: string | undefined, response: HttpResponse) => MaybeCompressed;
type MaybeCompressed = HttpResponse | Promise<HttpResponse>;

export function createCompressor(memory: MemoryCache): Compress {
  const cache = memory.of<Buffer>('compressed', ({ length }) => length);
  // Many may ask for the same file at once, and the largest takes 50 ms of a thread.
  const compressing = inMemorySingleFlight();

  async function compressed(
    response: HttpResponse,
    body: string | Buffer,
    coding: Coding,
  ): Promise<HttpResponse> {
    const { headers } = response;
    const etag = headers.etag as string | undefined;
    const key = etag && `${coding} ${etag}`;
    const compressBody = () => compressors[coding](typeof body === 'string' ? Buffer.from(body) : body);
    const bytes = key
      ? (cache.get(key) ?? (await compressing.once(key, compressBody)))
      : await compressBody();
    if (key) cache.set(key, bytes);
    return {
      ...response,
      headers: {
        ...headers,
        'content-encoding': coding,
        'content-length': String(bytes.length),
        ...(etag ? { etag: codedETag(etag, coding) } : {}),
        ...(headers['content-digest'] ? { 'content-digest': digestOf(hash('sha256', bytes, 'hex')) } : {}),
      },
      body: bytes,
    };
  }

  return function compress(accept, response) {
    const { headers, body } = response;
    if (accept === undefined) return response;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return response;
    if (!String(headers.vary).includes('Accept-Encoding')) return response;
    if (body.length < MIN_BODY_BYTES || !COMPRESSIBLE.test(String(headers['content-type']))) return response;
    const coding = codingOf(accept);
    return coding === null ? response : compressed(response, body, coding);
  };
}
