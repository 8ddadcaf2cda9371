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

// One second more than the service's window, because requests sent apart may arrive close together.
const WINDOW_MS = 11_000;

/** Allows at most `requests` in ten seconds, in order, and none while the service blocks us. */
export function createRateLimit(requests: number) {
  const sentAt: number[] = [];
  let blockedUntil = 0;
  let last: Promise<void> = Promise.resolve();

  async function next(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const freeAt = requests > 0 && sentAt.length >= requests ? sentAt[0]! + WINDOW_MS : 0;
      const wait = Math.max(freeAt, blockedUntil) - performance.now();
      if (wait <= 0) break;
      await sleep(wait, signal);
    }
    sentAt.push(performance.now());
    if (sentAt.length > requests) sentAt.shift();
  }

  return {
    /** Resolves when the next request may be sent. */
    wait(signal: AbortSignal): Promise<void> {
      const turn = last.then(() => next(signal));
      last = turn.catch(() => {});
      return turn;
    },
    /** Blocks further requests as long as the response's `Retry-After` or `RateLimit` header says. */
    update({ status, headers }: Response): void {
      // A shared cache may return another client's header.
      if (status !== 429 && headers.has('age')) return;
      const reset = requests > 0 && /\br=0;t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
      const seconds = status === 429 ? (retryAfterOf(headers) ?? 10) : Number(reset || 0);
      blockedUntil = Math.max(blockedUntil, performance.now() + seconds * 1000);
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
