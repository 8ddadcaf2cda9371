/**
 * Bounds the memory of all large bodies that are being fetched and judged at the same time. One that does not fit waits
 * until others are done, and its socket is not read meanwhile.
 */
export interface BodyBudget {
  /** Resolves with how to give the bytes back, or with null when `signal` is aborted first. */
  reserve(host: string, bytes: number, signal: AbortSignal): Promise<(() => void) | null>;
}

interface Waiting {
  host: string;
  bytes: number;
  start(): void;
}

/** One host may have half of it, so that one hostile source does not stop the others. */
export function createBodyBudget(totalBytes: number): BodyBudget {
  const waiting: Waiting[] = [];
  const byHost = new Map<string, number>();
  let used = 0;

  function fits(host: string, bytes: number): boolean {
    const own = byHost.get(host) ?? 0;
    // A single body of a host always fits its share, however small the budget.
    return used + bytes <= totalBytes && (own === 0 || own + bytes <= totalBytes / 2);
  }

  function take(host: string, bytes: number): () => void {
    used += bytes;
    byHost.set(host, (byHost.get(host) ?? 0) + bytes);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      used -= bytes;
      const left = byHost.get(host)! - bytes;
      if (left > 0) byHost.set(host, left);
      else byHost.delete(host);
      startWaiting();
    };
  }

  function startWaiting(): void {
    // A copy, as those that start leave the list.
    for (const next of waiting.slice()) if (fits(next.host, next.bytes)) next.start();
  }

  return {
    reserve(host, wanted, signal) {
      const bytes = Math.min(wanted, totalBytes);
      if (signal.aborted) return Promise.resolve(null);
      if (waiting.length === 0 && fits(host, bytes)) return Promise.resolve(take(host, bytes));
      return new Promise((resolve) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(each), 1);
          signal.removeEventListener('abort', giveUp);
        };
        const giveUp = () => {
          leave();
          resolve(null);
        };
        const each: Waiting = {
          host,
          bytes,
          start() {
            leave();
            resolve(take(host, bytes));
          },
        };
        waiting.push(each);
        signal.addEventListener('abort', giveUp);
        startWaiting();
      });
    },
  };
}
