/**
 * One call per key at a time: callers that arrive while it runs get the same result. The work is finished even if every
 * caller has disconnected. `sharedSingleFlight` does the same for several processes.
 */
export interface SingleFlight {
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** The number of running calls. */
  readonly running: number;
  /** Resolves when all running calls have succeeded or failed. */
  settled(): Promise<void>;
}

export function inMemorySingleFlight(): SingleFlight {
  const running = new Map<string, Promise<unknown>>();
  return {
    once<T>(key: string, work: () => Promise<T>): Promise<T> {
      const current = running.get(key);
      // The key names the kind of work, so every caller expects the same type.
      if (current) return current as Promise<T>;
      const started = Promise.resolve().then(work);
      running.set(key, started);
      const end = () => void running.delete(key);
      void started.then(end, end);
      return started;
    },
    get running() {
      return running.size;
    },
    async settled() {
      await Promise.allSettled(running.values());
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
