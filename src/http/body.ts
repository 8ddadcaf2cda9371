import type { IncomingMessage } from 'node:http';

export const MOST_BODY = 64 * 1024;
/** Of a body that is too large, what is still taken in so that its sender gets to read the response. */
const MOST_DRAINED = 4 * 1024 * 1024;

/** The body as text; null when it is too large. Rejects when its sender hangs up. */
export function readBody(req: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BODY) chunks.push(chunk);
      else resolve(null);
      if (size > MOST_DRAINED) req.destroy();
    });
    req.once('end', () => resolve(size > MOST_BODY ? null : Buffer.concat(chunks).toString('utf8')));
    req.once('error', reject);
    req.once('close', () => reject(new Error('the sender hung up')));
    if (Number(req.headers['content-length'] ?? 0) > MOST_BODY) resolve(null);
  });
}
