import { EXIT } from './command-line.ts';
import { fail, writeOut } from './output.ts';

const BAR_WIDTH = 20;

/** A progress line on standard error if that is a terminal. */
export class Progress {
  readonly #unit: string;
  readonly #total: number | null;
  readonly #startedAt = Date.now();
  #from: number | null = null;
  #shownAt = 0;

  /** `unit` follows the figures: `12 of 480 labels read`. Without a total, `show` may be told the share that is done. */
  constructor(total: number | null, unit: string) {
    this.#total = total;
    this.#unit = unit;
  }

  show(done: number, share = this.#total === null ? null : done / Math.max(1, this.#total)): void {
    const now = Date.now();
    this.#from ??= this.#total === null ? done : 0;
    if (!process.stderr.isTTY || (now - this.#shownAt < 200 && done !== this.#total)) return;
    this.#shownAt = now;
    const perMinute = Math.round(((done - this.#from) / Math.max(1, now - this.#startedAt)) * 60_000);
    const figures = `${done.toLocaleString('en')}${this.#total === null ? '' : ` of ${this.#total.toLocaleString('en')}`}`;
    process.stderr.write(
      `\r\x1b[K${share === null ? '' : `${bar(share)} `}${figures} ${this.#unit}, ${perMinute.toLocaleString('en')} a minute`,
    );
  }

  /** Removes the line, so that other output can be written. */
  clear(): void {
    if (process.stderr.isTTY && this.#shownAt > 0) process.stderr.write('\r\x1b[K');
  }
}

function bar(share: number): string {
  // Labels may be added during the run, so more than all can be done.
  const full = Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH));
  return '━'.repeat(full) + '─'.repeat(BAR_WIDTH - full);
}

/** Works on several items concurrently and yields the results in order, each as soon as it and those before are done. */
export async function* inOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const running: Promise<{ result: R } | null>[] = [];
  const start = () => {
    const next = (async () => {
      const item = await source.next();
      return item.done ? null : { result: await work(item.value) };
    })();
    // An error is thrown when its turn comes.
    next.catch(() => {});
    running.push(next);
  };
  for (let started = 0; started < concurrency; started++) start();
  for (let first = await running.shift()!; first; first = await running.shift()!) {
    yield first.result;
    start();
  }
}

/** What to print about one item. */
interface Printed {
  line: string;
  /** Whether the line goes to standard error. */
  isError?: boolean;
  exit: number;
}

/** Works on several items concurrently and prints a line about each, in order. Returns the worst exit code. */
export async function printInOrder<T>(
  items: readonly T[],
  concurrency: number,
  unit: string,
  signal: AbortSignal,
  work: (item: T) => Promise<Printed>,
): Promise<number> {
  const progress = new Progress(items.length, unit);
  const workUntilAborted = async (item: T) => {
    signal.throwIfAborted();
    return work(item);
  };
  let [worst, done] = [EXIT.done as number, 0];
  for await (const { line, isError, exit } of inOrder(items, concurrency, workUntilAborted)) {
    worst = Math.max(worst, exit);
    progress.clear();
    if (isError) process.stderr.write(`${line}\n`);
    else if (!(await writeOut(`${line}\n`))) break;
    if (items.length > 1) progress.show(++done);
  }
  progress.clear();
  return worst;
}

/** Aborts the signal on Ctrl-C, so that the command can clean up. A second Ctrl-C ends the process at once. */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) return EXIT.interrupted;
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== 'write') throw error;
    return fail(`Can't write to standard output: ${message}.`, EXIT.missing);
  } finally {
    process.off('SIGINT', abort);
    process.off('SIGTERM', abort);
  }
}
