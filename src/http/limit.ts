/** The limiter's decision about one request. `field` is the `RateLimit` header (draft-ietf-httpapi-ratelimit-headers). */
export interface LimitDecision {
  allowed: boolean;
  /** Requests left. */
  remaining: number;
  /** Seconds until one more is allowed, or until the block ends. */
  seconds: number;
  field: string;
}

export interface Limiter {
  readonly policy: Policy;
  /** Counts one request of an IP address. */
  take(ip: string): LimitDecision | Promise<LimitDecision>;
}

export interface MemoryLimiter extends Limiter {
  take(ip: string): LimitDecision;
  /** Drops IP addresses whose window has passed, a few thousand at a time. */
  forget(): void;
  /** IP addresses in memory. */
  size(): number;
}

/** At most `requests` in `seconds`; a client that sends more is blocked for `seconds`. */
export interface Policy {
  readonly requests: number;
  readonly seconds: number;
}

/** The default limit. Private instances can set another with `LIMIT`. */
export const LIMIT: Policy = { requests: 10, seconds: 10 };

/** The `RateLimit-Policy` field. */
export const policyField = ({ requests, seconds }: Policy): string => `"default";q=${requests};w=${seconds}`;

const MAX_CLIENTS = 131_072;
/** For all IP addresses together: 10 MB. */
const MAX_TIMES = 10 * MAX_CLIENTS;
/** Takes half a millisecond. */
const FORGET_BATCH = 8192;

/** Returns the decision for the requests left and the milliseconds until there is one more. Each is built once. */
export function decisionsOf(
  policy: Policy,
): (allowed: boolean, remaining: number, ms: number) => LimitDecision {
  const maxSeconds = policy.seconds;
  const [passed, refused] = [[] as LimitDecision[], [] as LimitDecision[]];
  return (allowed, remaining, ms) => {
    const seconds = Math.min(maxSeconds, Math.max(1, Math.ceil(ms / 1000)));
    const decisions = allowed ? passed : refused;
    const index = remaining * (maxSeconds + 1) + seconds;
    const cached = decisions[index];
    if (cached) return cached;
    const field = `"default";r=${remaining};t=${seconds}`;
    return (decisions[index] = { allowed, remaining, seconds, field });
  };
}

/**
 * The limit in this process's memory. For each IP address it has the times of the last ten requests, so "the 11th
 * within ten seconds" is exact and not rounded to a window. Times are in typed arrays, and a new IP address
 * replaces the least recently seen one, so memory is bounded by `maxClients`.
 * `clock` must not jump when the wall clock is set: pass `performance.now`.
 */
export function createLimiter(
  clock: () => number,
  maxClients: number = MAX_CLIENTS,
  policy: Policy = LIMIT,
): MemoryLimiter {
  const limit = policy.requests;
  const windowMs = policy.seconds * 1000;
  const decide = decisionsOf(policy);
  maxClients = Math.min(maxClients, Math.floor(MAX_TIMES / limit));
  const rows = new Map<string, number>();
  const ips: string[] = [];
  const times = new Float64Array(maxClients * limit);
  const next = new Uint16Array(maxClients);
  const counted = new Uint16Array(maxClients);
  const blockedUntil = new Float64Array(maxClients);
  // A ring from the most to the least recently seen IP address.
  const newer = new Int32Array(maxClients);
  const older = new Int32Array(maxClients);
  let latest = -1;
  let used = 0;
  const free: number[] = [];

  function rowOf(ip: string): number {
    const existing = rows.get(ip);
    if (existing !== undefined) {
      if (existing !== latest) {
        unlink(existing);
        linkLatest(existing);
      }
      return existing;
    }
    const row = free.pop() ?? (used < maxClients ? used++ : dropOldest());
    rows.set(ip, row);
    ips[row] = ip;
    counted[row] = 0;
    next[row] = 0;
    blockedUntil[row] = 0;
    linkLatest(row);
    return row;
  }

  const leastRecent = (): number => (latest < 0 ? -1 : newer[latest]!);

  function dropOldest(): number {
    const row = leastRecent();
    unlink(row);
    rows.delete(ips[row]!);
    ips[row] = '';
    return row;
  }

  /** Whether the last request and the block of a row have expired. */
  function isExpired(row: number, now: number): boolean {
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

  function forgetSome(now: number, maxRows: number): void {
    for (let n = 0; n < maxRows; n++) {
      const row = leastRecent();
      if (row < 0 || !isExpired(row, now)) return;
      free.push(dropOldest());
    }
  }

  return {
    policy,
    size: () => rows.size,
    forget() {
      forgetSome(clock(), FORGET_BATCH);
    },
    take(ip) {
      const now = clock();
      // Two per request, so that rows expire at least as fast as new ones come.
      forgetSome(now, 2);
      const row = rowOf(ip);
      const blocked = blockedUntil[row]!;
      if (blocked > 0) {
        if (now < blocked) return decide(false, 0, blocked - now);
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
        return decide(false, 0, windowMs);
      }
      times[first + next[row]!] = now;
      next[row] = (next[row]! + 1) % limit;
      counted[row]!++;
      return decide(true, limit - counted[row]!, times[first + oldest]! + windowMs - now);
    },
  };
}
