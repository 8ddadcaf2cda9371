import type { IncomingMessage } from 'node:http';

/** What we read from a request ourselves: its target, Host and body. */

/** The target of a request line. Not parsed with `new URL`, which costs seven times as much and normalizes the path. */
interface Target {
  path: string;
  query: string;
}

/** RFC 9112, 3.2: origin form, or absolute form, whose host we do not need. Null for anything else. */
export function splitTarget(url: string): Target | null {
  let origin = url;
  if (!url.startsWith('/')) {
    const found = /^https?:\/\/[^/?#]+/i.exec(url);
    if (!found) return null;
    origin = url.slice(found[0].length);
    if (!origin.startsWith('/')) origin = `/${origin}`;
  }
  const mark = origin.indexOf('?');
  return mark < 0
    ? { path: origin, query: '' }
    : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

/** RFC 9112, 3.2: exactly one Host in HTTP/1.1. A second one may be request smuggling. */
export function hasOneHost(rawHeaders: readonly string[], httpVersion: string): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

// Distinguishes the request ids of different processes.
const processPrefix = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
let count = 0;

/** Identifies one request in the log and in the response. All have the same length, see `REQUEST_ID` in `problems.ts`. */
export function nextRequestId(): string {
  return `${processPrefix}-${(++count).toString(36).padStart(7, '0')}`;
}

export const MAX_BODY_BYTES = 64 * 1024;
/** How much of an oversized body is still read, so that the client gets to read the response. */
const MAX_DRAINED_BYTES = 4 * 1024 * 1024;

/** The body as text; null when it is too large. Rejects when the client disconnects. */
export function readBody(req: IncomingMessage): Promise<string | null> {
  // Without Content-Length and Transfer-Encoding there is no body, and the stream emits no events
  // (`optimizeEmptyRequests`).
  if (req.readableEnded) return Promise.resolve('');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(null);
      if (size > MAX_DRAINED_BYTES) req.destroy();
    });
    req.once('end', () => resolve(size > MAX_BODY_BYTES ? null : textOf(Buffer.concat(chunks))));
    req.once('error', reject);
    req.once('close', () => reject(new Error('the client disconnected')));
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) resolve(null);
  });
}

/** UTF-8 without the byte order mark that .NET and PowerShell like to send. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
