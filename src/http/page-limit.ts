/** The limit for pages, their pictures and the tools: per client, in this process. */
export interface PageLimit {
  /** Counts one request. Null when it is allowed, and `leave` must follow; otherwise the seconds to wait. */
  enter(client: string): number | null;
  leave(client: string): void;
  /** Drops clients without a request in the last minute. */
  forget(): void;
  /** Clients in memory. */
  size(): number;
}

export const MAX_PAGES_PER_MINUTE = 300;
export const MAX_CONCURRENT_PAGES = 20;

/**
 * A minute is counted in slots, which takes six numbers per client instead of 300 times. A client that stays below the
 * limit is never refused; at worst 300 pass in 50 seconds.
 */
const SLOTS = 6;
const SLOT_MS = 10_000;
const MAX_CLIENTS = 20_000;
const BUSY_RETRY_SECONDS = 2;

interface Count {
  slots: Uint16Array;
  /** The slot that was counted last, in `SLOT_MS` since the clock's start. */
  last: number;
  inProgress: number;
}

export function createPageLimit(clock: () => number): PageLimit {
  const counts = new Map<string, Count>();

  function countOf(client: string, slot: number): Count {
    const existing = counts.get(client);
    const count = existing ?? { slots: new Uint16Array(SLOTS), last: slot, inProgress: 0 };
    if (existing) counts.delete(client);
    else if (counts.size >= MAX_CLIENTS) counts.delete(counts.keys().next().value!);
    counts.set(client, count);
    const passed = Math.min(SLOTS, slot - count.last);
    for (let n = 1; n <= passed; n++) count.slots[(count.last + n) % SLOTS] = 0;
    count.last = slot;
    return count;
  }

  return {
    enter(client) {
      const now = clock();
      const slot = Math.floor(now / SLOT_MS);
      const count = countOf(client, slot);
      if (count.inProgress >= MAX_CONCURRENT_PAGES) return BUSY_RETRY_SECONDS;
      let total = 0;
      for (const requests of count.slots) total += requests;
      if (total >= MAX_PAGES_PER_MINUTE) return secondsUntilFewer(count, now);
      count.slots[slot % SLOTS]!++;
      count.inProgress++;
      return null;
    },
    leave(client) {
      const count = counts.get(client);
      if (count && count.inProgress > 0) count.inProgress--;
    },
    size: () => counts.size,
    forget() {
      const slot = Math.floor(clock() / SLOT_MS);
      // They are in the order of their last request.
      for (const [client, { last, inProgress }] of counts) {
        if (slot - last < SLOTS) return;
        if (inProgress === 0) counts.delete(client);
      }
    },
  };
}

/** Until the oldest slot with a request is a minute old. */
function secondsUntilFewer({ slots, last }: Count, now: number): number {
  for (let ago = SLOTS - 1; ago >= 0; ago--) {
    if (slots[(last - ago + SLOTS) % SLOTS]! > 0)
      return Math.max(1, Math.ceil(((last - ago + SLOTS) * SLOT_MS - now) / 1000));
  }
  return 1;
}
