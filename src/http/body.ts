import type { IncomingMessage } from 'node:http';

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
