/**
 * Bounds the memory of all large bodies that are being fetched or judged. A body that does not fit waits until others are
 * released; its socket is not read meanwhile.
 */
export interface BodyBudget {
  /** Resolves with a function that releases the bytes, or with null when `signal` is aborted first. */
  reserve(host: string, bytes: number, signal: AbortSignal): Promise<(() => void) | null>;
}

interface Waiting {
  host: string;
  bytes: number;
  start(): void;
}

/** A host may use half of it, so that one hostile source does not block the others. */
export function createBodyBudget(totalBytes: number): BodyBudget {
  const waiting: Waiting[] = [];
  const byHost = new Map<string, number>();
  let used = 0;

  function fits(host: string, bytes: number): boolean {
    const own = byHost.get(host) ?? 0;
    // A host's only body always fits its share, however small the budget.
    return used + bytes <= totalBytes && (own === 0 || own + bytes <= totalBytes / 2);
  }

  function take(host: string, bytes: number): () => void {
    used += bytes;
    byHost.set(host, (byHost.get(host) ?? 0) + bytes);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      used -= bytes;
      const left = byHost.get(host)! - bytes;
      if (left > 0) byHost.set(host, left);
      else byHost.delete(host);
      startWaiting();
    };
  }

  function startWaiting(): void {
    // A copy: starting an entry removes it from the list.
    for (const next of waiting.slice()) if (fits(next.host, next.bytes)) next.start();
  }

  return {
    reserve(host, wanted, signal) {
      const bytes = Math.min(wanted, totalBytes);
      if (signal.aborted) return Promise.resolve(null);
      if (waiting.length === 0 && fits(host, bytes)) return Promise.resolve(take(host, bytes));
      return new Promise((resolve) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          signal.removeEventListener('abort', giveUp);
        };
        const giveUp = () => {
          leave();
          resolve(null);
        };
        const entry: Waiting = {
          host,
          bytes,
          start() {
            leave();
            resolve(take(host, bytes));
          },
        };
        waiting.push(entry);
        signal.addEventListener('abort', giveUp);
        startWaiting();
      });
    },
  };
}
