import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** Third-party text without characters that move the cursor or change the colors of a terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

// `styleText` omits colors if the stream isn't a terminal or NO_COLOR is set.
type Style = Parameters<typeof styleText>[0];
export const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout });

/** Ends the first line about a test VIN. */
export const sampleMark = (isSample: boolean | undefined): string => (isSample ? ', a sample' : '');

interface Column {
  title: string;
  width: number;
}

/** A table with fixed column widths, so that rows can be written one by one. The last column has any width. */
export function createTable(columns: readonly Column[]) {
  const format = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === cells.length - 1 ? cell : fit(cell, columns[index]!.width)))
      .join('  ');
  return {
    head: () => styled('bold', format(columns.map(({ title }) => title))),
    row: (cells: readonly string[]) => format(cells.map(plain)).trimEnd(),
  };
}

/** Truncates long text on a terminal to keep the columns aligned; a file gets the full text. */
function fit(text: string, width: number): string {
  if (text.length <= width || !process.stdout.isTTY) return text.padEnd(width);
  return `${text.slice(0, width - 1)}…`;
}

/** `name   value` lines for the rows that have a value. */
export function facts(rows: readonly (readonly [string, string | null | undefined])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows
    .filter(([, value]) => value)
    .map(([name, value]) => `  ${styled('dim', name.padEnd(width))}${plain(value!)}\n`)
    .join('');
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

  async flush(): Promise<void> {
    const text = this.#buffer;
    this.#buffer = '';
    if (text === '' || this.#closed || this.#out.write(text)) return;
    await new Promise<void>((resolve) => (this.#resume = resolve));
    this.#resume = null;
  }
}
