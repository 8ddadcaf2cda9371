import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Smaller ones fit into the buffers of the operating system. */
const MIN_BYTES = 64 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

/** Large texts that their clients haven't received yet. Files share their bytes and aren't counted. */
export interface Undelivered {
  /** Counts a response until it has been received. */
  add(res: ServerResponse, socket: Socket, bytes: number): void;
}

/** Beyond `maxBytes`, the client that has taken longest is disconnected. */
export function createUndelivered(maxBytes = MAX_BYTES): Undelivered {
  const responses = new Map<ServerResponse, { socket: Socket; bytes: number }>();
  let total = 0;

  function remove(res: ServerResponse): void {
    total -= responses.get(res)?.bytes ?? 0;
    responses.delete(res);
  }

  return {
    add(res, socket, bytes) {
      if (bytes < MIN_BYTES) return;
      responses.set(res, { socket, bytes });
      total += bytes;
      res.once('close', () => remove(res));
      for (const [oldest, { socket: slow }] of responses) {
        if (total <= maxBytes) return;
        remove(oldest);
        slow.destroy();
      }
    },
  };
}
