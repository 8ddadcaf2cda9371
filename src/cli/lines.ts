import type { Writable } from 'node:stream';

/**
 * The lines of a stream, in the batches that its chunks complete. Lines are truncated to `maxLength`, so that a file
 * without line breaks doesn't fill the memory.
 */
export async function* linesOf(chunks: AsyncIterable<string>, maxLength: number): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split(/\r\n?|\n/);
    // Anything beyond `maxLength` is dropped anyway.
    rest = (lines.pop() ?? '').slice(0, maxLength + 1);
    yield lines.map((line) => line.slice(0, maxLength));
  }
  if (rest) yield [rest.slice(0, maxLength)];
}

/** Buffers lines and waits for slow readers. */
export class LineWriter {
  readonly #out: Writable;
  #buffer = '';
  #closed = false;
  #resume: (() => void) | null = null;

  constructor(out: Writable) {
    this.#out = out;
    out.on('drain', () => this.#resume?.());
    // The reader closed the pipe, as `head` does: not an error.
    out.on('error', () => {
      this.#closed = true;
      this.#resume?.();
    });
  }

  /** Whether the reader closed the pipe. */
  get closed(): boolean {
    return this.#closed;
  }

  add(line: string): void {
    this.#buffer += `${line}\n`;
  }

  /** The number of characters to be written. */
  get bufferedCharacters(): number {
    return this.#buffer.length;
  }

  async flush(): Promise<void> {
    const text = this.#buffer;
    this.#buffer = '';
    if (text === '' || this.#closed || this.#out.write(text)) return;
    await new Promise<void>((resolve) => (this.#resume = resolve));
    this.#resume = null;
  }
}
