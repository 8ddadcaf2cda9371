/** Rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

// Requests do not take equally long on their way: a second's slack keeps those that left apart from arriving together.
const WINDOW_MS = 11_000;

/** Lets requests go one after the other, at most `requests` in ten seconds, and none before a block ends. */
export function createPace(requests: number) {
  const gone: number[] = [];
  let openAt = 0;
  let last: Promise<void> = Promise.resolve();

  async function next(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const full = requests > 0 && gone.length >= requests ? gone[0]! + WINDOW_MS : 0;
      const wait = Math.max(full, openAt) - Date.now();
      if (wait <= 0) break;
      await sleep(wait, signal);
    }
    gone.push(Date.now());
    if (gone.length > requests) gone.shift();
  }

  return {
    turn(signal: AbortSignal): Promise<void> {
      const turn = last.then(() => next(signal));
      last = turn.catch(() => {});
      return turn;
    },
    /** What the service says of its limit: whom it has blocked, or given nothing more for now, waits. */
    heed({ status, headers }: Response): void {
      // A cache between here and the service repeats what was left for somebody else.
      if (status !== 429 && headers.has('age')) return;
      const spent = requests > 0 && /\br=0;t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
      const seconds = status === 429 ? (secondsOf(headers) ?? 10) : Number(spent || 0);
      openAt = Math.max(openAt, Date.now() + seconds * 1000);
    },
  };
}

/** `Retry-After`, which is seconds or a date. */
export function secondsOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (!text) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
}
