import type { Pace } from './pace.ts';

/**
 * The queue for each host, shared fairly: clients take turns, however many requests each of them has waiting, so one
 * client's backlog delays only that client. Who goes next is decided when the turn comes and not before.
 */
export interface Turns {
  /** Waits for a turn; not `taken` when there is none within `withinMs`, or the queue is full. */
  take(host: string, withinMs: number, client?: string, signal?: AbortSignal): Promise<Turn>;
  /** How many wait for each host. */
  lengths(): [host: string, waiting: number][];
}

export interface Turn {
  taken: boolean;
  /** How long it took, or would have taken, as far as anybody can tell. */
  waitMs: number;
}

export interface TurnsOptions {
  /** Milliseconds between two requests to one host, to tell how long a wait will be. */
  everyMs?: number;
  /** Requests that may wait for one host, of all clients together and of one. */
  queue?: number;
  perClient?: number;
  now?: () => number;
}

interface Waiter {
  since: number;
  done(turn: Turn): void;
}

interface Line {
  /** In the order of their turns. */
  clients: Map<string, Waiter[]>;
  waiting: number;
  /** When the next turn comes; only while `moving`. */
  nextAt: number;
  moving: boolean;
}

/** Farther ahead than any instance reserves. */
const HORIZON_MS = 60_000;

export function fairTurns(pace: Pace, options: TurnsOptions = {}): Turns {
  const { everyMs = 1000, queue = 60, perClient = 10, now = () => performance.now() } = options;
  const lines = new Map<string, Line>();

  /** Turns that others take before the next request of a client that has `own` waiting. */
  function turnsBefore(line: Line, client: string, own: number): number {
    let before = own;
    for (const [other, { length }] of line.clients) {
      if (other !== client) before += Math.min(length, own + 1);
    }
    return before;
  }

  /** Makes room in a full queue: the client with the most requests waiting loses its newest, if that is fair. */
  function makeRoom(line: Line, own: number): boolean {
    let most: Waiter[] = [];
    for (const waiters of line.clients.values()) if (waiters.length > most.length) most = waiters;
    if (most.length <= own + 1) return false;
    const waiter = most.pop()!;
    line.waiting--;
    waiter.done({ taken: false, waitMs: line.waiting * everyMs });
    return true;
  }

  function leave(line: Line, client: string, waiter: Waiter): boolean {
    const waiters = line.clients.get(client);
    const at = waiters?.indexOf(waiter) ?? -1;
    if (at < 0) return false;
    waiters!.splice(at, 1);
    if (waiters!.length === 0) line.clients.delete(client);
    line.waiting--;
    return true;
  }

  /** Gives the turn that has come to the client whose turn it is. */
  function serveNext(line: Line): void {
    const next = line.clients.entries().next().value;
    if (!next) return;
    const [client, waiters] = next;
    const waiter = waiters.shift()!;
    line.waiting--;
    line.clients.delete(client);
    if (waiters.length > 0) line.clients.set(client, waiters);
    waiter.done({ taken: true, waitMs: now() - waiter.since });
  }

  async function move(host: string, line: Line): Promise<void> {
    if (line.moving) return;
    line.moving = true;
    while (line.waiting > 0) {
      const { taken, waitMs } = await pace.reserve(host, HORIZON_MS);
      line.nextAt = now() + waitMs;
      if (waitMs > 0) await sleep(Math.min(waitMs, HORIZON_MS));
      if (taken) serveNext(line);
    }
    line.moving = false;
    lines.delete(host);
  }

  return {
    lengths: () => Array.from(lines, ([host, { waiting }]) => [host, waiting]),
    take(host, withinMs, client = '', signal) {
      let line = lines.get(host);
      if (!line) lines.set(host, (line = { clients: new Map(), waiting: 0, nextAt: 0, moving: false }));
      const joined = line;
      const own = joined.clients.get(client)?.length ?? 0;
      const untilNext = joined.moving ? Math.max(0, joined.nextAt - now()) : 0;
      const waitMs = untilNext + turnsBefore(joined, client, own) * everyMs;
      // A client without a name is ourselves.
      const full = (client !== '' && own >= perClient) || (joined.waiting >= queue && !makeRoom(joined, own));
      if (full || waitMs > withinMs) return Promise.resolve({ taken: false, waitMs });
      return new Promise((resolve) => {
        const waiter: Waiter = { since: now(), done };
        const timer = setTimeout(() => giveUp(false), Math.min(withinMs, HORIZON_MS));
        // Whoever is told to stop needs no turn to find that out.
        const stop = () => giveUp(true);
        signal?.addEventListener('abort', stop);
        function done(turn: Turn): void {
          clearTimeout(timer);
          signal?.removeEventListener('abort', stop);
          resolve(turn);
        }
        function giveUp(taken: boolean): void {
          if (leave(joined, client, waiter)) done({ taken, waitMs: everyMs });
        }
        const waiters = joined.clients.get(client);
        if (waiters) waiters.push(waiter);
        else joined.clients.set(client, [waiter]);
        joined.waiting++;
        void move(host, joined);
      });
    },
  };
}

/** Not by `node:timers/promises`, which tests cannot put on a clock of their own. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
