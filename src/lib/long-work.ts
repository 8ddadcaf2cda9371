import { createFairQueue } from './fair-queue.ts';

/**
 * One line for everything that takes longer than other requests should wait, such as batches and long lists. Clients take
 * turns. A job runs in pieces of a few milliseconds, and after each piece the line rests as long as it took. However many
 * jobs wait, everything else has at least half of the event loop's time.
 *
 * Jobs run one after the other: the results of half a hundred lists would fill the memory.
 */
export interface LongWork {
  /**
   * Calls `each` for every item and returns the results. Neither taking an item nor `each` may take more than a few
   * milliseconds. Rejects with `LongWorkFull` if too many jobs wait, and when the client has left.
   */
  map<T, R>(client: string, items: Iterable<T>, each: (item: T) => R, left?: AbortSignal): Promise<R[]>;
  /** The same for items that wait for something after `begin`, for which the line doesn't wait. */
  mapAsync<T, U, R>(
    client: string,
    items: Iterable<T>,
    begin: (item: T) => Promise<U>,
    end: (begun: U) => R,
    left?: AbortSignal,
  ): Promise<R[]>;
}

/** Too many jobs wait. */
export class LongWorkFull extends Error {
  override name = 'LongWorkFull';
  /** Seconds. */
  readonly retryAfter = 5;
}

interface Job {
  steps: Iterator<void>;
  left: AbortSignal | undefined;
  reject(error: unknown): void;
}

/** A single item may take a millisecond. */
const PIECE_MS = 4;
/** A piece takes longer only if the process was stopped meanwhile. */
const MAX_REST_MS = 200;
/** Most jobs take up to 60 ms, and the line rests as long. */
const MAX_WAITING = 100;

interface LongWorkOptions {
  now?: () => number;
  /** Resolves after this many milliseconds. */
  rest?: (ms: number) => Promise<unknown>;
  maxWaiting?: number;
}

export function createLongWork({
  now = () => performance.now(),
  rest = (ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms))),
  maxWaiting = MAX_WAITING,
}: LongWorkOptions = {}): LongWork {
  const waiting = createFairQueue<Job>();
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    for (let job = waiting.next(); job; job = waiting.next())
      for (let isOver = false; !isOver;) {
        const began = now();
        isOver = runPiece(job, began + PIECE_MS);
        await rest(Math.min(now() - began, MAX_REST_MS));
      }
    isRunning = false;
  }

  /** Returns true when the job is over. */
  function runPiece({ steps, left, reject }: Job, until: number): boolean {
    try {
      for (;;) {
        if (left?.aborted || steps.next().done) return true;
        if (now() >= until) return false;
      }
    } catch (error) {
      reject(error);
      return true;
    }
  }

  function enter(client: string, job: Job): void {
    const evicted = waiting.size < maxWaiting ? null : (waiting.evictFor(client) ?? job);
    evicted?.reject(new LongWorkFull());
    if (evicted === job) return;
    waiting.add(client, job);
    if (!isRunning) void runAll();
  }

  async function map<T, R>(
    client: string,
    items: Iterable<T>,
    each: (item: T) => R,
    left?: AbortSignal,
  ): Promise<R[]> {
    left?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<R[]>();
    const job: Job = { steps: stepsOf(items, each, resolve), left, reject };
    const leave = () => {
      waiting.remove(client, job);
      reject(left!.reason);
    };
    left?.addEventListener('abort', leave);
    enter(client, job);
    try {
      return await promise;
    } finally {
      left?.removeEventListener('abort', leave);
    }
  }

  return {
    map,
    async mapAsync(client, items, begin, end, left) {
      const begun = await map(
        client,
        items,
        (item) => {
          const promise = begin(item);
          // It is awaited when all have begun. Until then, Node would end the process if it failed.
          promise.catch(() => {});
          return promise;
        },
        left,
      );
      return map(client, await Promise.all(begun), end, left);
    },
  };
}

function* stepsOf<T, R>(
  items: Iterable<T>,
  each: (item: T) => R,
  done: (results: R[]) => void,
): Generator<void> {
  const results: R[] = [];
  for (const item of items) {
    // Not after it: nobody should rest before the end.
    yield;
    results.push(each(item));
  }
  done(results);
}
