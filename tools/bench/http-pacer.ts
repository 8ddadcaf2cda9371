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
class Line {
  readonly #socket: Socket;
  #since = 0;

  constructor(port: number, heard: (line: Line, since: number) => void) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.alloc(64 * 1024),
        callback: () => {
          const since = this.#since;
          this.#since = 0;
          if (since > 0) heard(this, since);
          return true;
        },
      },
    });
  }

  opened(): Promise<unknown> {
    return once(this.#socket, 'connect');
  }

  send(text: string, since: number): void {
    this.#since = since;
    this.#socket.write(text, 'latin1');
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** At the beginning connections are new and this program isn't compiled yet. */
const WARM_MS = 1500;

async function play({ port, paths, perSecond, ms, connections }: PacedLoad): Promise<PacedResult> {
  const every = 1000 / perSecond;
  const took = new Float64Array(Math.ceil((perSecond * ms) / 1000) + 1000);
  const wasDue = new Float64Array(took.length);
  let count = 0;
  const due: number[] = [];
  const begins = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.`);
  let asked = 0;
  const text = (): string => {
    // The rate limit stays on: each IP address sends ten requests, then the next one is used.
    const n = Math.floor(asked / 10);
    const begin = begins[asked++ % begins.length];
    return `${begin}${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}\r\n\r\n`;
  };
  const free: Line[] = [];
  let counted = 0;
  const heard = (line: Line, since: number): void => {
    if (since >= counted) {
      wasDue[count] = since - counted;
      took[count++] = performance.now() - since;
    }
    const next = due.shift();
    if (next === undefined) free.push(line);
    else line.send(text(), next);
  };
  const lines = Array.from({ length: connections }, () => new Line(port, heard));
  await Promise.all(lines.map((line) => line.opened()));
  free.push(...lines);
  // Collect the previous round's garbage now, not during this one.
  globalThis.gc?.();
  const start = performance.now();
  counted = start + WARM_MS;
  const end = counted + ms;
  let next = start;
  while (next < end) {
    const now = performance.now();
    while (next <= now && next < end) {
      const line = free.pop();
      if (line) line.send(text(), next);
      else due.push(next);
      next += every;
    }
    await new Promise(setImmediate);
  }
  for (let n = 0; n < 200 && free.length < lines.length; n++) await wait(10);
  for (const line of lines) line.close();
  return { took: took.subarray(0, count), due: wasDue.subarray(0, count) };
}

/** The share of time that an idle loop loses to interruptions of more than 0.1 ms. */
function away(ms: number): number {
  const start = performance.now();
  let lost = 0;
  for (let last = start, now = start; last < start + ms; last = now) {
    now = performance.now();
    if (now - last > 0.1) lost += now - last;
  }
  return lost / ms;
}

process.on('message', (wanted: PacedLoad | { away: number }) => {
  if ('away' in wanted) process.send!(away(wanted.away));
  else void play(wanted).then((paced) => process.send!(paced));
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
