// The global of the same name is a getter that costs more than reading the clock.
import { performance } from 'node:perf_hooks';

export interface Turns {
  /** Resolves when the next piece may run: await it before each. */
  next(): Promise<void>;
  /** The same for another piece of work that has begun: it comes before work that hasn't, so that its memory is freed. */
  nextOfSame(): Promise<void>;
  waiting(): number;
}

/** A piece that takes longer is followed by a rest of the same length. */
const MAX_MS_WITHOUT_REST = 5;

/**
 * Lets long work run one piece per turn of the event loop, in the order of the calls. Other requests then wait for one
 * piece only, however many are waiting, and have at least half of the time of the main thread.
 */
export function createTurns(now = () => performance.now()): Turns {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  function startNext(): void {
    const resume = waiting.shift();
    if (!resume) {
      isBusy = false;
      return;
    }
    const started = now();
    resume();
    // Runs after the piece, which begins with the same kind of callback.
    queueMicrotask(() => {
      const ms = now() - started;
      if (ms > MAX_MS_WITHOUT_REST) setTimeout(startNext, ms);
      else setImmediate(startNext);
    });
  }

  function start(): void {
    if (isBusy) return;
    isBusy = true;
    setImmediate(startNext);
  }

  return {
    waiting: () => waiting.length,
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        start();
      }),
    nextOfSame: () =>
      new Promise((resolve) => {
        waiting.unshift(resolve);
        start();
      }),
  };
}
