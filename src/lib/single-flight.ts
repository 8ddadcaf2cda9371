/**
 * One piece of work per key at a time: calls that come while it runs get the same result. The work is finished even when
 * every caller has gone. `sharedSingleFlight` holds the key for several processes.
 */
export interface SingleFlight {
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How many pieces of work are running. */
  readonly running: number;
  /** Resolves when all running work has ended, well or badly. */
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

/** A value that is made by the first call and kept. A failure is not kept: the next call tries again. */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    if (made) return made;
    made = make();
    made.catch(() => (made = null));
    return made;
  };
}
