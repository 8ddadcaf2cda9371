import type { IncomingMessage } from 'node:http';

/** The limit for what is not under `/api/`: pages, their pictures and the tools. For each client, in this process. */
export interface PageLimit {
  /** Counts one request. Null when it is allowed, and `leave` must follow; otherwise the seconds to wait. */
  enter(client: string): number | null;
  leave(client: string): void;
  /** Drops clients without a request in the last minute. */
  forget(): void;
  /** Clients in memory. */
  size(): number;
}

export const PAGES_A_MINUTE = 300;
export const PAGES_AT_ONCE = 20;

/**
 * A minute is counted in parts, so that counting takes six numbers and not 300 times. A client that stays below the
 * limit is never refused; at worst 300 pass in 50 seconds.
 */
const PARTS = 6;
const PART_MS = 10_000;
const MAX_CLIENTS = 20_000;
const BUSY_RETRY_SECONDS = 2;

interface Count {
  parts: Uint16Array;
  /** The part of time that was counted last. */
  last: number;
  underWay: number;
}

export function createPageLimit(clock: () => number): PageLimit {
  const counts = new Map<string, Count>();

  function countOf(client: string, part: number): Count {
    const known = counts.get(client);
    const count = known ?? { parts: new Uint16Array(PARTS), last: part, underWay: 0 };
    if (known) counts.delete(client);
    else if (counts.size >= MAX_CLIENTS) counts.delete(counts.keys().next().value!);
    counts.set(client, count);
    const passed = Math.min(PARTS, part - count.last);
    for (let n = 1; n <= passed; n++) count.parts[(count.last + n) % PARTS] = 0;
    count.last = part;
    return count;
  }

  return {
    enter(client) {
      const now = clock();
      const part = Math.floor(now / PART_MS);
      const count = countOf(client, part);
      if (count.underWay >= PAGES_AT_ONCE) return BUSY_RETRY_SECONDS;
      let total = 0;
      for (const each of count.parts) total += each;
      if (total >= PAGES_A_MINUTE) return secondsUntilFewer(count, now);
      count.parts[part % PARTS]!++;
      count.underWay++;
      return null;
    },
    leave(client) {
      const count = counts.get(client);
      if (count && count.underWay > 0) count.underWay--;
    },
    size: () => counts.size,
    forget() {
      const part = Math.floor(clock() / PART_MS);
      // In the order of their last request.
      for (const [client, { last, underWay }] of counts) {
        if (part - last < PARTS) return;
        if (underWay === 0) counts.delete(client);
      }
    },
  };
}

/** Until the oldest part that counted something is a minute old. */
function secondsUntilFewer({ parts, last }: Count, now: number): number {
  for (let ago = PARTS - 1; ago >= 0; ago--) {
    if (parts[(last - ago + PARTS) % PARTS]! > 0)
      return Math.max(1, Math.ceil(((last - ago + PARTS) * PART_MS - now) / 1000));
  }
  return 1;
}

/** Requests that the pages must answer with a 429 page, and the seconds to wait. */
export const refusedPages = new WeakMap<IncomingMessage, number>();
/** The client of each request, for the pages. */
export const clientsOfPages = new WeakMap<IncomingMessage, string>();
