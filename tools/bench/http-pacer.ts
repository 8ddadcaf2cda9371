/**
 * Sends requests at a steady rate, whether or not the server keeps up, and measures latency from the moment each was due,
 * so that a stall can't hide the requests that would have arrived during it.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

export interface PacedLoad {
  port: number;
  paths: string[];
  perSecond: number;
  ms: number;
  connections: number;
}

/** For every request, how long it took and when it was due. */
export interface PacedResult {
  took: Float64Array;
  due: Float64Array;
}

/** One connection. Responses are small, so each arrives in one chunk. Allocates nothing per request but its text. */
class Connection {
  readonly #socket: Socket;
  #dueAt = 0;

  constructor(port: number, onResponse: (connection: Connection, dueAt: number) => void) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.alloc(64 * 1024),
        callback: () => {
          const dueAt = this.#dueAt;
          this.#dueAt = 0;
          if (dueAt > 0) onResponse(this, dueAt);
          return true;
        },
      },
    });
  }

  opened(): Promise<unknown> {
    return once(this.#socket, 'connect');
  }

  send(text: string, dueAt: number): void {
    this.#dueAt = dueAt;
    this.#socket.write(text, 'latin1');
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Not counted: connections are new and this program isn't compiled yet. */
const WARM_MS = 1500;

async function runLoad({ port, paths, perSecond, ms, connections }: PacedLoad): Promise<PacedResult> {
  const intervalMs = 1000 / perSecond;
  const took = new Float64Array(Math.ceil((perSecond * ms) / 1000) + 1000);
  const wasDue = new Float64Array(took.length);
  let count = 0;
  const waiting: number[] = [];
  const begins = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.`);
  let sent = 0;
  const text = (): string => {
    // The rate limit stays on: each IP address sends ten requests, then the next one is used.
    const n = Math.floor(sent / 10);
    const begin = begins[sent++ % begins.length];
    return `${begin}${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}\r\n\r\n`;
  };
  const free: Connection[] = [];
  let countFrom = 0;
  const onResponse = (connection: Connection, dueAt: number): void => {
    if (dueAt >= countFrom) {
      wasDue[count] = dueAt - countFrom;
      took[count++] = performance.now() - dueAt;
    }
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else connection.send(text(), next);
  };
  const all = Array.from({ length: connections }, () => new Connection(port, onResponse));
  await Promise.all(all.map((connection) => connection.opened()));
  free.push(...all);
  // Collect the previous round's garbage now, not during this one.
  globalThis.gc?.();
  const start = performance.now();
  countFrom = start + WARM_MS;
  const end = countFrom + ms;
  let next = start;
  while (next < end) {
    const now = performance.now();
    while (next <= now && next < end) {
      const connection = free.pop();
      if (connection) connection.send(text(), next);
      else waiting.push(next);
      next += intervalMs;
    }
    await new Promise(setImmediate);
  }
  for (let n = 0; n < 200 && free.length < all.length; n++) await wait(10);
  for (const connection of all) connection.close();
  return { took: took.subarray(0, count), due: wasDue.subarray(0, count) };
}

/** The share of time that an idle loop loses to interruptions of more than 0.1 ms. */
function interruptedShare(ms: number): number {
  const start = performance.now();
  let lost = 0;
  for (let last = start, now = start; last < start + ms; last = now) {
    now = performance.now();
    if (now - last > 0.1) lost += now - last;
  }
  return lost / ms;
}

process.on('message', (wanted: PacedLoad | { measureInterruptionsMs: number }) => {
  if ('measureInterruptionsMs' in wanted) process.send!(interruptedShare(wanted.measureInterruptionsMs));
  else void runLoad(wanted).then((paced) => process.send!(paced));
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
