import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { withTimeout } from '../lib/promises.ts';
import type { Connections } from './connections.ts';
import type { HeaderSets } from './headers.ts';
import { problemResponse, type ProblemOptions } from './problems.ts';

/** How long a stopping service accepts requests. Each response closes its connection, so a client notices with its next request. */
const ACCEPT_MS = 5000;
/** How long requests may take after that. */
const FINISH_MS = 5000;
/** For the responses of those that took longer. */
const FLUSH_MS = 500;

const STOPPING: ProblemOptions = {
  reason: 'busy',
  detail: 'The service is being restarted, and this request took too long to wait for.',
  retryAfter: 5,
};

/** The end of a server: no client loses a request that it sent before the connections are closed. */
export interface Drain {
  hasBegun(): boolean;
  /** Whether the connection is closed after this response: not if another request is in progress on it. */
  isLast(res: ServerResponse): boolean;
  /** Ends when every connection is closed. */
  run(acceptMs?: number): Promise<void>;
}

export function createDrain(
  server: Server,
  connections: Connections,
  options: { headerSets: HeaderSets; baseUrl: string },
): Drain {
  let hasBegun = false;

  /** A response beats a closed connection, after which the client wouldn't know what happened. */
  async function refuseRest(): Promise<void> {
    for (const [res, id] of connections.inProgress()) {
      if (res.headersSent) continue;
      const { status, headers, body } = problemResponse(options, STOPPING, id);
      const length = { 'content-length': body.length, 'x-request-id': id };
      res.writeHead(status, { connection: 'close', ...headers, ...length }).end(body, 'latin1');
    }
    await withTimeout(FLUSH_MS, connections.allClosed(), null);
    server.closeAllConnections();
  }

  async function run(acceptMs = ACCEPT_MS): Promise<void> {
    hasBegun = true;
    if (acceptMs > 0) await withTimeout(acceptMs, connections.allClosed(), null);
    // What has arrived by now is read, and what it connects with accepted, before anything is closed.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    // Not its own method: that closes connections whose responses are still being sent.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
    connections.endIdle();
    if ((await withTimeout(FINISH_MS, closed, 'late')) === 'late') await refuseRest();
    await closed;
    // Ends its timer.
    server.close();
  }

  return {
    hasBegun: () => hasBegun,
    isLast: (res) => hasBegun && connections.isLatest(res),
    run,
  };
}
