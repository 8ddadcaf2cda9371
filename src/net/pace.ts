import type { MaybePromise } from '../lib/maybe-promise.ts';

/**
 * How fast each host may be asked; `turns.ts` decides whose turn it is. The in-memory pace counts for one process; another implementation behind the
 * same interface can count for several.
 */
export interface Pace {
  /**
   * Takes the host's next free turn and says how many milliseconds away it is; or, when it is further away than
   * `withinMs` or the queue is full, takes none and says how long the wait would have been.
   */
  reserve(host: string, withinMs: number): MaybePromise<{ taken: boolean; waitMs: number }>;
}

export interface PaceOptions {
  /** Milliseconds between two requests to one host. */
  everyMs?: number;
  /** Requests a host that was left alone gets at once. */
  burst?: number;
  /** Turns that may be waited for at a time. */
  queue?: number;
  now?: () => number;
}

/**
 * A turn is a point in time, so a queue is nothing but arithmetic: `free` is when the host will have rested from
 * all turns given so far, and a burst is how far ahead of it one may go.
 */
export function inMemoryPace(options: PaceOptions = {}): Pace {
  const { everyMs = 1000, burst = 3, queue = 60, now = () => performance.now() } = options;
  const free = new Map<string, number>();
  return {
    reserve(host, withinMs) {
      const at = now();
      const rested = Math.max(free.get(host) ?? at, at);
      const waitMs = Math.max(0, rested - (burst - 1) * everyMs - at);
      if (waitMs > withinMs || waitMs > queue * everyMs) return { taken: false, waitMs };
      free.set(host, rested + everyMs);
      return { taken: true, waitMs };
    },
  };
}
