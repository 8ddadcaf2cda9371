/**
 * One piece of work per key at a time: whoever asks while it runs gets the same result. The work belongs to
 * nobody, so it is finished even when every asker has gone. Another implementation behind the same interface can
 * hold the key for several processes.
 */
export interface OneAtATime {
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How many pieces of work are under way. */
  readonly running: number;
  /** Resolves when all work that is under way has ended, well or badly. */
  settled(): Promise<void>;
}

export function inMemoryOneAtATime(): OneAtATime {
  const running = new Map<string, Promise<unknown>>();
  return {
    once<T>(key: string, work: () => Promise<T>): Promise<T> {
      const current = running.get(key);
      // The key names the kind of work, so whoever joins expects what the first one started.
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
