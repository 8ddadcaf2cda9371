import type { Writable } from 'node:stream';

/**
 * The lines of a stream, those of one chunk at a time. A line longer than `longest` is cut there and the rest
 * of it dropped, so that a file without line ends does not fill the memory.
 */
export async function* linesOf(chunks: AsyncIterable<string>, longest: number): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split(/\r\n?|\n/);
    // A part longer than `longest` is already known to be cut: what follows it changes nothing.
    rest = (lines.pop() ?? '').slice(0, longest + 1);
    yield lines.map((line) => line.slice(0, longest));
  }
  if (rest) yield [rest.slice(0, longest)];
}

/** Writes in pieces of some size and waits for a slow reader. */
export class LineWriter {
  readonly #out: Writable;
  #waiting = '';
  #closed = false;
  #resume: (() => void) | null = null;

  constructor(out: Writable) {
    this.#out = out;
    out.on('drain', () => this.#resume?.());
    // The reader went away, as `head` does when it has seen enough: no reason to complain.
    out.on('error', () => {
      this.#closed = true;
      this.#resume?.();
    });
  }

  /** Nobody reads any more. */
  get closed(): boolean {
    return this.#closed;
  }

  add(line: string): void {
    this.#waiting += `${line}\n`;
  }

  /** How much is waiting to be written, in characters. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async flush(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    if (text === '' || this.#closed || this.#out.write(text)) return;
    await new Promise<void>((resolve) => (this.#resume = resolve));
    this.#resume = null;
  }
}
