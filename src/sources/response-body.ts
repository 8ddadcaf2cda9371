import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

type Body =
  | { ok: true; body: Buffer; release: () => void }
  | { ok: false; reason: 'too-large' | 'cut-short' | 'bad-encoding' | 'malformed' | 'busy' };

interface BodyBounds {
  maxBytes: number;
  /** Reserves memory for a large body, see `createBodyBudget`; null when none became free in time. */
  reserve: (bytes: number) => Promise<(() => void) | null>;
}

/** Bodies up to this size need no reservation. Labels are about 300 KB. */
const SMALL_BYTES = 2 ** 20;

/**
 * How much larger than its content a body may be on the wire. Chunks of one byte, or with long extensions, cost the main
 * thread a hundred times the CPU time of an ordinary body.
 */
const MAX_FRAMING_RATIO = 2;
const MIN_FRAMING_BYTES = 64 * 1024;

/** The size of a buffer whose content is of unknown size. More would make the garbage collector run for every few labels. */
const FIRST_BYTES = 64 * 1024;

/**
 * One buffer, filled as chunks arrive: concatenating 20 MB at the end would block the event loop and double the memory. Doubles
 * while it is small, then takes all that is allowed.
 */
function growingBuffer(maxBytes: number, firstBytes = Math.min(FIRST_BYTES, maxBytes)) {
  let bytes = Buffer.allocUnsafeSlow(firstBytes);
  let size = 0;
  return {
    get size() {
      return size;
    },
    append(chunk: Buffer): void {
      const needed = size + chunk.length;
      if (needed > bytes.length) {
        const doubled = Math.max(needed, 2 * bytes.length);
        const larger = Buffer.allocUnsafeSlow(
          doubled > 4 * SMALL_BYTES ? maxBytes : Math.min(doubled, maxBytes),
        );
        bytes.copy(larger, 0, 0, size);
        bytes = larger;
      }
      size += chunk.copy(bytes, size);
    },
    bytes: () => (size <= SMALL_BYTES ? Buffer.from(bytes.subarray(0, size)) : bytes.subarray(0, size)),
  };
}

/** Hands on a body as it arrives, instead of keeping it. Only what the connection throws is a failure of ours. */
export async function passBody(
  response: IncomingMessage,
  receive: (chunks: AsyncIterable<Buffer>, headers: IncomingMessage['headers']) => Promise<void>,
): Promise<Body> {
  let isCut = false;
  const chunks = async function* () {
    try {
      yield* response as AsyncIterable<Buffer>;
    } catch (error) {
      isCut = true;
      throw error;
    }
  };
  try {
    await receive(chunks(), response.headers);
    return { ok: true, body: Buffer.alloc(0), release: () => {} };
  } catch (error) {
    if (!isCut) throw error;
    return { ok: false, reason: 'cut-short' };
  } finally {
    response.destroy();
  }
}

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
    const received = growingBuffer(maxBytes, contentLength >= 0 ? contentLength : undefined);
    const { socket } = response;
    const readBefore = socket.bytesRead;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const size = received.size + chunk.length;
      if (size > maxBytes) return refuse(response, 'too-large');
      if (size > SMALL_BYTES && !reserved && !(await reserve())) return refuse(response, 'busy');
      received.append(chunk);
      if (socket.bytesRead - readBefore > MAX_FRAMING_RATIO * size + MIN_FRAMING_BYTES)
        return refuse(response, 'malformed');
    }
    // When a connection closes before Content-Length bytes, the stream sometimes ends without an error.
    if (!response.complete || (received.size === 0 && endsWithConnection(response)))
      return { ok: false, reason: 'cut-short' };
    if (encodings.length > 0 && maxBytes > SMALL_BYTES && !reserved && !(await reserve()))
      return { ok: false, reason: 'busy' };
    const unpacked = await decompress(received.bytes(), encodings, maxBytes);
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

/**
 * Only the end of the connection ends the body, so an empty one may be a server that failed before the first byte. HTTP/1.0
 * has no other way.
 */
function endsWithConnection({ headers, httpVersion, statusCode }: IncomingMessage): boolean {
  if (statusCode === 204 || statusCode === 304 || httpVersion === '1.0') return false;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

function refuse(response: IncomingMessage, reason: 'too-large' | 'malformed' | 'busy'): Body {
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

const decompressors: Record<string, (packed: Buffer) => Transform> = {
  gzip: () => zlib.createGunzip(CHUNKS),
  'x-gzip': () => zlib.createGunzip(CHUNKS),
  br: () => zlib.createBrotliDecompress(CHUNKS),
  zstd: () => zlib.createZstdDecompress(CHUNKS),
  // "deflate" means zlib's format, but some servers omit its two-byte header.
  deflate: (packed) =>
    (packed[0]! & 0x0f) === 8 ? zlib.createInflate(CHUNKS) : zlib.createInflateRaw(CHUNKS),
};
const CHUNKS = { chunkSize: 64 * 1024 };

let lastDecompression: Promise<unknown> = Promise.resolve();

/** One at a time: each takes the size of its input and its output, and a window of up to 16 MB. */
function decompress(body: Buffer, encodings: string[], maxBytes: number): Promise<Decompressed> {
  if (encodings.length === 0) return Promise.resolve({ ok: true, body });
  const decompressed = lastDecompression.then(() => decompressNow(body, encodings, maxBytes));
  lastDecompression = decompressed;
  return decompressed;
}

/** Never rejects. */
async function decompressNow(body: Buffer, encodings: string[], maxBytes: number): Promise<Decompressed> {
  // More than two encodings are an attack or a mistake.
  if (encodings.length > 2) return { ok: false, reason: 'bad-encoding' };
  for (const encoding of encodings.reverse()) {
    // Not the properties that every object has: the header may say `constructor`.
    const createDecompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
    if (!createDecompressor) return { ok: false, reason: 'bad-encoding' };
    if (body.length === 0) continue;
    try {
      const unpacked = await unpack(createDecompressor(body), body, maxBytes);
      if (!unpacked) return { ok: false, reason: 'too-large' };
      body = unpacked;
    } catch (error) {
      return { ok: false, reason: failureOf((error as NodeJS.ErrnoException).code) };
    }
  }
  return { ok: true, body };
}

/** Null if the output is too large. Not zlib's own functions for buffers, which need twice the memory of the output. */
async function unpack(decompressor: Transform, packed: Buffer, maxBytes: number): Promise<Buffer | null> {
  const unpacked = growingBuffer(maxBytes);
  decompressor.end(packed);
  // Leaving the loop destroys the stream.
  for await (const chunk of decompressor as AsyncIterable<Buffer>) {
    if (unpacked.size + chunk.length > maxBytes) return null;
    unpacked.append(chunk);
  }
  return unpacked.bytes();
}

function failureOf(code: string | undefined): 'cut-short' | 'bad-encoding' {
  return code === 'Z_BUF_ERROR' || code === 'ERR_BROTLI_DECODER_ERROR_UNREACHABLE'
    ? 'cut-short'
    : 'bad-encoding';
}

interface Waiting {
  owner: string;
  bytes: number;
  start(): void;
}

/**
 * Bounds the memory of all large bodies that are being fetched or judged. A body that does not fit waits until others are
 * released; its socket is not read meanwhile. A source may use half of it, so that a hostile one does not block the others.
 */
export function createBodyBudget(totalBytes: number) {
  const waiting: Waiting[] = [];
  const byOwner = new Map<string, number>();
  let used = 0;

  function fits(owner: string, bytes: number): boolean {
    const own = byOwner.get(owner) ?? 0;
    // A source's only body always fits its share, however small the budget.
    return used + bytes <= totalBytes && (own === 0 || own + bytes <= totalBytes / 2);
  }

  function take(owner: string, bytes: number): () => void {
    used += bytes;
    byOwner.set(owner, (byOwner.get(owner) ?? 0) + bytes);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      used -= bytes;
      const left = byOwner.get(owner)! - bytes;
      if (left > 0) byOwner.set(owner, left);
      else byOwner.delete(owner);
      startWaiting();
    };
  }

  function startWaiting(): void {
    // A copy: starting an entry removes it from the list.
    for (const next of waiting.slice()) if (fits(next.owner, next.bytes)) next.start();
  }

  return {
    /** Resolves with a function that releases the bytes, or with null when `signal` is aborted first. */
    reserve(owner: string, bytes: number, signal: AbortSignal): Promise<(() => void) | null> {
      if (signal.aborted) return Promise.resolve(null);
      if (waiting.length === 0 && fits(owner, bytes)) return Promise.resolve(take(owner, bytes));
      return new Promise((resolve) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          signal.removeEventListener('abort', giveUp);
        };
        const giveUp = () => {
          leave();
          resolve(null);
        };
        const entry: Waiting = {
          owner,
          bytes,
          start() {
            leave();
            resolve(take(owner, bytes));
          },
        };
        waiting.push(entry);
        signal.addEventListener('abort', giveUp);
        startWaiting();
      });
    },
  };
}
