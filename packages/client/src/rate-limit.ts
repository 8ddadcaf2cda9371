/** Rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Time as the rate limit sees it; tests pass their own. */
export interface Clock {
  now(): number;
  sleep: typeof sleep;
}
const REAL_CLOCK: Clock = { now: () => performance.now(), sleep };

interface Limit {
  requests: number;
  windowMs: number;
}

// One second more than the service's window, because requests sent apart may arrive close together.
const limitOf = (requests: number, seconds: number): Limit | null =>
  requests > 0 ? { requests, windowMs: (seconds + 1) * 1000 } : null;

/** Until the service has announced its own. */
const DEFAULT_LIMIT = limitOf(10, 10);
/** How many requests are remembered without a limit, in case the service announces one. */
const UNLIMITED_HISTORY = 1000;

/**
 * Sends requests in order, as fast as the service allows: within the limit that its responses announce, and none while it
 * blocks us. `requests` in ten seconds replaces that limit; 0 means none.
 */
export function createRateLimit(requests?: number, clock: Clock = REAL_CLOCK) {
  let limit = requests === undefined ? DEFAULT_LIMIT : limitOf(requests, 10);
  let sentAt: number[] = [];
  let blockedUntil = 0;
  let last: Promise<void> = Promise.resolve();
  let wake = (): void => {};

  async function next(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const freeAt = limit ? (sentAt.at(-limit.requests) ?? -Infinity) + limit.windowMs : 0;
      const wait = Math.max(freeAt, blockedUntil) - clock.now();
      if (wait <= 0) break;
      // A response may announce another limit meanwhile.
      const waiting = new AbortController();
      wake = () => waiting.abort();
      signal.addEventListener('abort', wake, { once: true });
      await clock.sleep(wait, waiting.signal).catch(() => {});
      signal.removeEventListener('abort', wake);
    }
    sentAt.push(clock.now());
    const enough = limit?.requests ?? UNLIMITED_HISTORY;
    if (sentAt.length > 2 * enough) sentAt = sentAt.slice(-enough);
  }

  /** A response without a policy comes from a service without a limit, or from a proxy. */
  function follow(policy: string | null, status: number): void {
    const [, count, seconds] = /;q=(\d{1,9});w=(\d{1,9})/.exec(policy ?? '') ?? [];
    if (count && seconds) limit = limitOf(Number(count), Number(seconds));
    else if (status === 200) limit = null;
    else if (status === 429) limit ??= DEFAULT_LIMIT;
    wake();
  }

  return {
    /** Resolves when the next request may be sent. */
    wait(signal: AbortSignal): Promise<void> {
      const turn = last.then(() => next(signal));
      last = turn.catch(() => {});
      return new Promise((resolve, reject) => {
        turn.then(resolve, reject);
        // Not only when its turn comes.
        if (signal.aborted) reject(signal.reason as Error);
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    },
    /** Follows the limit in a response's headers, and blocks further requests as long as they say. */
    update({ status, headers }: Response): void {
      // A shared cache may return another client's header.
      if (status !== 429 && headers.has('age')) return;
      if (requests === undefined) follow(headers.get('ratelimit-policy'), status);
      const reset = limit && /\br=0;t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
      const seconds = status === 429 ? (retryAfterOf(headers) ?? 10) : Number(reset || 0);
      blockedUntil = Math.max(blockedUntil, clock.now() + seconds * 1000);
    },
  };
}

/** `Retry-After` in seconds; the header has seconds or a date. */
export function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (!text) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
}
