import type { Soon } from '../lib/soon.ts';

/** What the limit says of one request. `field` is the `RateLimit` header (draft-ietf-httpapi-ratelimit-headers). */
export interface Verdict {
  allowed: boolean;
  /** Requests left just now. */
  remaining: number;
  /** Seconds until one more is allowed, or until the block ends. */
  seconds: number;
  field: string;
}

export interface Limiter {
  /** Counts one request of an address. */
  take(address: string): Soon<Verdict>;
}

export interface MemoryLimiter extends Limiter {
  take(address: string): Verdict;
  /** Forgets addresses that were quiet for ten seconds, some thousands at a time: nothing is counted of them any more. */
  forget(): void;
  /** Addresses remembered now. */
  size(): number;
}

export const LIMIT = 10;
export const WINDOW_SECONDS = 10;
export const LIMIT_POLICY = `"default";q=${LIMIT};w=${WINDOW_SECONDS}`;

const WINDOW = WINDOW_SECONDS * 1000;
const MOST_ADDRESSES = 131_072;
/** Half a millisecond's work. */
const FORGOTTEN_AT_ONCE = 8192;

/** Every verdict there can be, made once: the hot path then builds no string for it. */
const allowed = verdicts(true);
const refused = verdicts(false);

function verdicts(isAllowed: boolean): Verdict[] {
  return Array.from({ length: (LIMIT + 1) * (WINDOW_SECONDS + 1) }, (_, index) => {
    const remaining = Math.floor(index / (WINDOW_SECONDS + 1));
    const seconds = index % (WINDOW_SECONDS + 1);
    return { allowed: isAllowed, remaining, seconds, field: `"default";r=${remaining};t=${seconds}` };
  });
}

/** The verdict for what is left and the time until it grows, in milliseconds. */
export function verdict(isAllowed: boolean, remaining: number, ms: number): Verdict {
  const seconds = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(ms / 1000)));
  return (isAllowed ? allowed : refused)[remaining * (WINDOW_SECONDS + 1) + seconds]!;
}

/**
 * The limit in this process's memory. For each address the times of its last ten requests, so "the 11th within
 * ten seconds" is exact and not rounded to a window. Times lie in typed arrays and the address seen longest ago
 * makes room for a new one: a million addresses take what the `most` last ones take.
 * `clock` must not jump when the wall clock is set: hand in `performance.now`.
 */
export function createLimiter(clock: () => number, most: number = MOST_ADDRESSES): MemoryLimiter {
  const rows = new Map<string, number>();
  const addresses: string[] = [];
  const times = new Float64Array(most * LIMIT);
  const next = new Uint8Array(most);
  const counted = new Uint8Array(most);
  const blockedUntil = new Float64Array(most);
  // A ring from the address seen last to the one seen longest ago.
  const newer = new Int32Array(most);
  const older = new Int32Array(most);
  let latest = -1;
  let used = 0;
  const free: number[] = [];

  function rowOf(address: string): number {
    const known = rows.get(address);
    if (known !== undefined) {
      if (known !== latest) {
        unlink(known);
        linkLatest(known);
      }
      return known;
    }
    const row = free.pop() ?? (used < most ? used++ : dropOldest());
    rows.set(address, row);
    addresses[row] = address;
    counted[row] = 0;
    next[row] = 0;
    blockedUntil[row] = 0;
    linkLatest(row);
    return row;
  }

  const quietest = (): number => (latest < 0 ? -1 : newer[latest]!);

  function dropOldest(): number {
    const row = quietest();
    unlink(row);
    rows.delete(addresses[row]!);
    addresses[row] = '';
    return row;
  }

  /** Whether a row says nothing any more: its last request and its block lie behind. */
  function isOver(row: number, now: number): boolean {
    const last = times[row * LIMIT + ((next[row]! + LIMIT - 1) % LIMIT)]!;
    return now >= blockedUntil[row]! && now - last >= WINDOW;
  }

  function unlink(row: number): void {
    older[newer[row]!] = older[row]!;
    newer[older[row]!] = newer[row]!;
    if (row === latest) latest = older[row] === row ? -1 : older[row]!;
  }

  function linkLatest(row: number): void {
    if (latest < 0) {
      newer[row] = older[row] = row;
    } else {
      const oldest = newer[latest]!;
      older[row] = latest;
      newer[latest] = row;
      newer[row] = oldest;
      older[oldest] = row;
    }
    latest = row;
  }

  function forgetSome(now: number, most: number): void {
    for (let n = 0; n < most; n++) {
      const row = quietest();
      if (row < 0 || !isOver(row, now)) return;
      free.push(dropOldest());
    }
  }

  return {
    size: () => rows.size,
    forget() {
      forgetSome(clock(), FORGOTTEN_AT_ONCE);
    },
    take(address) {
      const now = clock();
      // As fast as new ones can come, so that there is never much to forget at once.
      forgetSome(now, 2);
      const row = rowOf(address);
      const blocked = blockedUntil[row]!;
      if (blocked > 0) {
        if (now < blocked) return verdict(false, 0, blocked - now);
        blockedUntil[row] = 0;
        counted[row] = 0;
      }
      const first = row * LIMIT;
      let oldest = next[row]! - counted[row]!;
      if (oldest < 0) oldest += LIMIT;
      while (counted[row]! > 0 && now - times[first + oldest]! >= WINDOW) {
        counted[row]!--;
        oldest = (oldest + 1) % LIMIT;
      }
      if (counted[row] === LIMIT) {
        blockedUntil[row] = now + WINDOW;
        return verdict(false, 0, WINDOW);
      }
      times[first + next[row]!] = now;
      next[row] = (next[row]! + 1) % LIMIT;
      counted[row]!++;
      return verdict(true, LIMIT - counted[row]!, times[first + oldest]! + WINDOW - now);
    },
  };
}
