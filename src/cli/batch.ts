const BAR_WIDTH = 20;

/** A progress line on standard error if that is a terminal. */
export class Progress {
  readonly #unit: string;
  readonly #total: number;
  readonly #startedAt = Date.now();
  #shownAt = 0;

  /** `unit` follows the figures: `12 of 480 labels read`. */
  constructor(total: number, unit: string) {
    this.#total = total;
    this.#unit = unit;
  }

  show(done: number): void {
    const now = Date.now();
    if (!process.stderr.isTTY || (now - this.#shownAt < 200 && done < this.#total)) return;
    this.#shownAt = now;
    const perMinute = Math.round((done / Math.max(1, now - this.#startedAt)) * 60_000);
    // Labels may be added during the run, so `done` can exceed the total.
    const full = Math.min(BAR_WIDTH, Math.round((done / Math.max(1, this.#total)) * BAR_WIDTH));
    const bar = '━'.repeat(full) + '─'.repeat(BAR_WIDTH - full);
    process.stderr.write(`\r\x1b[K${bar} ${done} of ${this.#total} ${this.#unit}, ${perMinute} a minute`);
  }

  /** Removes the line, so that other output can be written. */
  clear(): void {
    if (process.stderr.isTTY && this.#shownAt > 0) process.stderr.write('\r\x1b[K');
  }
}

/** Works on several items concurrently and yields the results in order. */
export async function* inOrder<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  let next = 0;
  for (let done = 0; done < items.length; done++) {
    while (running.length < concurrency && next < items.length) {
      const result = work(items[next++]!);
      // A rejection is thrown when its turn comes; until then it must not count as unhandled.
      result.catch(() => {});
      running.push(result);
    }
    yield await running.shift()!;
  }
}

/** Aborts the signal on Ctrl-C, so that the command can clean up. A second Ctrl-C ends the process at once. */
export function watchInterrupts(): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  return {
    signal: controller.signal,
    done() {
      process.off('SIGINT', abort);
      process.off('SIGTERM', abort);
    },
  };
}
