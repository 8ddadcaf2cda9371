import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

export type Body =
  | { ok: true; body: Buffer; release: () => void }
  | { ok: false; reason: 'too-large' | 'cut-short' | 'bad-encoding' | 'busy' };

export interface BodyBounds {
  maxBytes: number;
  /** Reserves memory for a large body; null when there is none in time. */
  reserve: (bytes: number) => Promise<(() => void) | null>;
}

/** Labels are about 300 KB. Bodies of this size need no reservation. */
const SMALL = 2 ** 20;

/** Takes a whole body, or says why it is not one. Never holds more than `maxBytes` of it, packed or unpacked. */
export async function takeBody(response: IncomingMessage, bounds: BodyBounds): Promise<Body> {
  let release: (() => void) | null = () => {};
  try {
    const { maxBytes } = bounds;
    const names = encodingsOf(response.headers['content-encoding']);
    const told = Number(response.headers['content-length'] ?? NaN);
    if (told > maxBytes) return refuse(response, 'too-large');
    // Nobody knows how large a body is that is packed, or does not tell its length.
    const most = names.length === 0 && told >= 0 ? told : maxBytes;
    let reserved = false;
    const reserve = async () => {
      reserved = true;
      release = await bounds.reserve(most);
      return release !== null;
    };
    if (told > SMALL && !(await reserve())) return refuse(response, 'busy');
    // Filled as it comes: joining 20 MB at the end would hold up everything else, and take them twice.
    let bytes = Buffer.allocUnsafeSlow(Math.min(told >= 0 ? told : SMALL, maxBytes));
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
    // A connection that closes before the promised length ends the stream without an error in some cases.
    if (!response.complete) return { ok: false, reason: 'cut-short' };
    if (names.length > 0 && maxBytes > SMALL && !reserved && !(await reserve()))
      return { ok: false, reason: 'busy' };
    const whole = bytes.subarray(0, size);
    const unpacked = await unpack(size <= SMALL ? Buffer.from(whole) : whole, names, maxBytes);
    if (!unpacked.ok) return unpacked;
    const kept = unpacked.body.length > SMALL ? release : null;
    if (kept) release = null;
    return { ...unpacked, release: kept ?? (() => {}) };
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

type Unpacked =
  | { ok: true; body: Buffer }
  | { ok: false; reason: 'too-large' | 'cut-short' | 'bad-encoding' };

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

async function unpack(body: Buffer, names: string[], maxBytes: number): Promise<Unpacked> {
  // Nobody sane applies more than two.
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
