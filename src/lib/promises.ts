/**
 * One call per key at a time: callers that arrive while it runs get the same result. The work is finished even if every
 * caller has disconnected. The shared store has one for several processes.
 */
export interface SingleFlight {
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** When the running call began, in milliseconds since the epoch; null if there is none. */
  startedAt(key: string): number | null;
  /** Resolves when all running calls have succeeded or failed. */
  settled(): Promise<void>;
}

export function inMemorySingleFlight(): SingleFlight {
  const running = new Map<string, { since: number; result: Promise<unknown> }>();
  return {
    once<T>(key: string, work: () => Promise<T>): Promise<T> {
      const current = running.get(key);
      // The key names the kind of work, so every caller expects the same type.
      if (current) return current.result as Promise<T>;
      const result = Promise.resolve().then(work);
      running.set(key, { since: Date.now(), result });
      const end = () => void running.delete(key);
      void result.then(end, end);
      return result;
    },
    startedAt: (key) => running.get(key)?.since ?? null,
    async settled() {
      await Promise.allSettled(Array.from(running.values(), ({ result }) => result));
    },
  };
}

/** A value created by the first call. After a failure, the next call tries again. */
export function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  return () => {
    if (value) return value;
    value = create();
    value.catch(() => (value = null));
    return value;
  };
}

/** The result of the work, or `late` if it takes longer. The work goes on. */
export async function withTimeout<T, Late = T>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  const timeout = Promise.withResolvers<Late>();
  const timer = setTimeout(timeout.resolve, Math.max(0, ms), late);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Work that runs at intervals and on request, never twice at a time. While it, which must not reject, takes longer than the
 * interval, runs are skipped instead of piling up.
 */
export function createPeriodic(intervalMs: number, work: () => Promise<void>) {
  let last = Promise.resolve();
  let runs = 0;
  const run = () => {
    runs++;
    last = last.then(work).finally(() => runs--);
    return last;
  };
  const timer = setInterval(() => runs > 0 || void run(), intervalMs).unref();
  return {
    /** Runs it once more, after a run that is in progress. */
    run,
    /** Ends the intervals, and waits for runs in progress. */
    stop(): Promise<void> {
      clearInterval(timer);
      return last;
    },
  };
}
