import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

export type Body =
  | { ok: true; body: Buffer }
  | { ok: false; reason: 'too-large' | 'cut-short' | 'bad-encoding' };

/** Takes a whole body, or says why it is not one. Never holds more than `maxBytes` of it, packed or unpacked. */
export async function takeBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy();
    return { ok: false, reason: 'too-large' };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        response.destroy();
        return { ok: false, reason: 'too-large' };
      }
      chunks.push(chunk);
    }
  } catch {
    return { ok: false, reason: 'cut-short' };
  }
  // A connection that closes before the promised length ends the stream without an error in some cases.
  if (!response.complete) return { ok: false, reason: 'cut-short' };
  return unpack(Buffer.concat(chunks, size), response.headers['content-encoding'], maxBytes);
}

const unpackers: Record<string, (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
  // "deflate" means zlib's format, but some servers leave its two-byte header out.
  deflate: (packed, options) =>
    packed.length > 0 && (packed[0]! & 0x0f) === 8
      ? promisify(zlib.inflate)(packed, options)
      : promisify(zlib.inflateRaw)(packed, options),
};

async function unpack(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Body> {
  // The encodings were applied in the order they are named, and nobody sane applies more than two.
  const names = (encoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name && name !== 'identity');
  if (names.length > 2) return { ok: false, reason: 'bad-encoding' };
  for (const name of names.reverse()) {
    const unpacker = unpackers[name];
    if (!unpacker) return { ok: false, reason: 'bad-encoding' };
    if (body.length === 0) continue;
    try {
      body = await unpacker(body, { maxOutputLength: maxBytes });
    } catch (error) {
      return { ok: false, reason: unpackTrouble((error as NodeJS.ErrnoException).code) };
    }
  }
  return { ok: true, body };
}

function unpackTrouble(code: string | undefined): 'too-large' | 'cut-short' | 'bad-encoding' {
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too-large';
  return code === 'Z_BUF_ERROR' || code === 'ERR_BROTLI_DECODER_ERROR_UNREACHABLE'
    ? 'cut-short'
    : 'bad-encoding';
}
