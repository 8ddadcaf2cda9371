import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES } from '../http/request.ts';

export class ClientDisconnected extends Error {}

/** The body as text; null when it is too large. Rejects with `ClientDisconnected` if the client leaves. */
export function readBody(req: IncomingMessage): Promise<string | null> {
  // Without a body, Node has ended it already (`optimizeEmptyRequests`).
  if (req.readableEnded) return Promise.resolve('');
  if (req.destroyed) return Promise.reject(new ClientDisconnected('the client disconnected'));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(null);
    });
    req.once('end', () =>
      resolve(
        size > MAX_BODY_BYTES
          ? null
          : Buffer.concat(chunks)
              .toString()
              .replace(/^\uFEFF/, ''),
      ),
    );
    const disconnected = () => reject(new ClientDisconnected('the client disconnected'));
    req.once('error', disconnected);
    req.once('close', disconnected);
    if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) resolve(null);
  });
}
