import type { MaybePromise } from '../lib/maybe-promise.ts';

/** What the limit says of one request. `field` is the `RateLimit` header (draft-ietf-httpapi-ratelimit-headers). */
export interface Verdict {
  allowed: boolean;
  /** Requests left just now. */
  remaining: number;
  /** Seconds until one more is allowed, or until the block ends. */
  seconds: number;
  field: string;
  /** The header lines of both fields. */
  lines: string;
}

export interface Limiter {
  readonly policy: Policy;
  /** Counts one request of an address. */
  take(address: string): MaybePromise<Verdict>;
}

export interface MemoryLimiter extends Limiter {
  take(address: string): Verdict;
  /** Forgets addresses that were quiet for ten seconds, some thousands at a time: nothing is counted of them any more. */
  forget(): void;
  /** Addresses remembered now. */
  size(): number;
}

/** So many requests in so many seconds; whoever sends more is blocked for as long. */
export interface Policy {
  readonly requests: number;
  readonly seconds: number;
}

/** The public limit. Another one is for private instances (`LIMIT`). */
export const LIMIT: Policy = { requests: 10, seconds: 10 };

/** The `RateLimit-Policy` field. */
export const policyField = ({ requests, seconds }: Policy): string => `"default";q=${requests};w=${seconds}`;

const MOST_ADDRESSES = 131_072;
/** Of all addresses together: 10 MB. */
const MOST_TIMES = 10 * MOST_ADDRESSES;
/** Half a millisecond's work. */
const FORGOTTEN_AT_ONCE = 8192;

/** Gives the verdict for what is left and the time until it grows, in milliseconds. Each is made once. */
export function verdictsOf(policy: Policy): (allowed: boolean, remaining: number, ms: number) => Verdict {
  const longest = policy.seconds;
  const [passed, refused] = [[] as Verdict[], [] as Verdict[]];
  const policyLine = `RateLimit-Policy: ${policyField(policy)}`;
  return (allowed, remaining, ms) => {
    const seconds = Math.min(longest, Math.max(1, Math.ceil(ms / 1000)));
    const made = allowed ? passed : refused;
    const index = remaining * (longest + 1) + seconds;
    const known = made[index];
    if (known) return known;
    const field = `"default";r=${remaining};t=${seconds}`;
    const lines = `${policyLine}\r\nRateLimit: ${field}\r\n`;
    return (made[index] = { allowed, remaining, seconds, field, lines });
  };
}

/**
 * The limit in this process's memory. For each address the times of its last ten requests, so "the 11th within
 * ten seconds" is exact and not rounded to a window. Times lie in typed arrays and the address seen longest ago
 * makes room for a new one: a million addresses take what the `most` last ones take.
 * `clock` must not jump when the wall clock is set: hand in `performance.now`.
 */
export function createLimiter(
  clock: () => number,
  most: number = MOST_ADDRESSES,
  policy: Policy = LIMIT,
): MemoryLimiter {
  const limit = policy.requests;
  const windowMs = policy.seconds * 1000;
  const verdict = verdictsOf(policy);
  most = Math.min(most, Math.floor(MOST_TIMES / limit));
  const rows = new Map<string, number>();
  const addresses: string[] = [];
  const times = new Float64Array(most * limit);
  const next = new Uint16Array(most);
  const counted = new Uint16Array(most);
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
    const last = times[row * limit + ((next[row]! + limit - 1) % limit)]!;
    return now >= blockedUntil[row]! && now - last >= windowMs;
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
    policy,
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
      const first = row * limit;
      let oldest = next[row]! - counted[row]!;
      if (oldest < 0) oldest += limit;
      while (counted[row]! > 0 && now - times[first + oldest]! >= windowMs) {
        counted[row]!--;
        oldest = (oldest + 1) % limit;
      }
      if (counted[row] === limit) {
        blockedUntil[row] = now + windowMs;
        return verdict(false, 0, windowMs);
      }
      times[first + next[row]!] = now;
      next[row] = (next[row]! + 1) % limit;
      counted[row]!++;
      return verdict(true, limit - counted[row]!, times[first + oldest]! + windowMs - now);
    },
  };
}
