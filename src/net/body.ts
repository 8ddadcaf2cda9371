import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

export type Body =
  | { ok: true; body: Buffer; release: () => void }
  | { ok: false; reason: 'too-large' | 'cut-short' | 'bad-encoding' | 'busy' };

export interface BodyBounds {
  maxBytes: number;
  /** Reserves memory for a large body; null when none became free in time. */
  reserve: (bytes: number) => Promise<(() => void) | null>;
}

/** Bodies up to this size need no reservation. Labels are about 300 KB. */
const SMALL_BYTES = 2 ** 20;

/** Reads and decompresses a body. Never keeps more than `maxBytes` of it, before or after decompression. */
export async function readBody(response: IncomingMessage, bounds: BodyBounds): Promise<Body> {
  let release: (() => void) | null = () => {};
  try {
    const { maxBytes } = bounds;
    const encodings = encodingsOf(response.headers['content-encoding']);
    const contentLength = Number(response.headers['content-length'] ?? NaN);
    if (contentLength > maxBytes) return refuse(response, 'too-large');
    // The size of a compressed body, or of one without Content-Length, is unknown.
    const expectedBytes = encodings.length === 0 && contentLength >= 0 ? contentLength : maxBytes;
    let reserved = false;
    const reserve = async () => {
      reserved = true;
      release = await bounds.reserve(expectedBytes);
      return release !== null;
    };
    if (contentLength > SMALL_BYTES && !(await reserve())) return refuse(response, 'busy');
    // One buffer, filled as chunks arrive: concatenating 20 MB at the end would block the event loop and double the memory.
    let bytes = Buffer.allocUnsafeSlow(Math.min(contentLength >= 0 ? contentLength : SMALL_BYTES, maxBytes));
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (size + chunk.length > maxBytes) return refuse(response, 'too-large');
      if (size + chunk.length > bytes.length) {
        if (!reserved && !(await reserve())) return refuse(response, 'busy');
        const larger = Buffer.allocUnsafeSlow(maxBytes);
        bytes.copy(larger, 0, 0, size);
        bytes = larger;
      }
      size += chunk.copy(bytes, size);
    }
    // When a connection closes before Content-Length bytes, the stream sometimes ends without an error.
    if (!response.complete) return { ok: false, reason: 'cut-short' };
    if (encodings.length > 0 && maxBytes > SMALL_BYTES && !reserved && !(await reserve()))
      return { ok: false, reason: 'busy' };
    const received = bytes.subarray(0, size);
    const packed = size <= SMALL_BYTES ? Buffer.from(received) : received;
    const unpacked = await decompress(packed, encodings, maxBytes);
    if (!unpacked.ok) return unpacked;
    // The caller releases a large body; the `finally` below releases everything else.
    const releaseLater = unpacked.body.length > SMALL_BYTES ? release : null;
    if (releaseLater) release = null;
    return { ...unpacked, release: releaseLater ?? (() => {}) };
  } catch {
    return { ok: false, reason: 'cut-short' };
  } finally {
    release?.();
  }
}

function refuse(response: IncomingMessage, reason: 'too-large' | 'busy'): Body {
  response.destroy();
  return { ok: false, reason };
}

/** In the order in which they were applied. */
function encodingsOf(encoding: string | undefined): string[] {
  return (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name && name !== 'identity');
}

type Decompressed =
  | { ok: true; body: Buffer }
  | { ok: false; reason: 'too-large' | 'cut-short' | 'bad-encoding' };

const decompressors: Record<
  string,
  (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
  // "deflate" means zlib's format, but some servers omit its two-byte header.
  deflate: (packed, options) =>
    packed.length > 0 && (packed[0]! & 0x0f) === 8
      ? promisify(zlib.inflate)(packed, options)
      : promisify(zlib.inflateRaw)(packed, options),
};

async function decompress(body: Buffer, encodings: string[], maxBytes: number): Promise<Decompressed> {
  // More than two encodings are an attack or a mistake.
  if (encodings.length > 2) return { ok: false, reason: 'bad-encoding' };
  for (const encoding of encodings.reverse()) {
    const decompressor = decompressors[encoding];
    if (!decompressor) return { ok: false, reason: 'bad-encoding' };
    if (body.length === 0) continue;
    try {
      body = await decompressor(body, { maxOutputLength: maxBytes });
    } catch (error) {
      return { ok: false, reason: failureOf((error as NodeJS.ErrnoException).code) };
    }
  }
  return { ok: true, body };
}

function failureOf(code: string | undefined): 'too-large' | 'cut-short' | 'bad-encoding' {
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too-large';
  return code === 'Z_BUF_ERROR' || code === 'ERR_BROTLI_DECODER_ERROR_UNREACHABLE'
    ? 'cut-short'
    : 'bad-encoding';
}
