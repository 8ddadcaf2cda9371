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

/** Waits for slow readers. False if the reader closed the pipe, as `head` does: not an error. */
export function writeOut(data: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(data, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error);
      else resolve(!error);
    });
  });
}

/** Says on standard error why a command can't continue. */
export function fail(message: string, exit: number): number {
  process.stderr.write(`${plain(message)}\n`);
  return exit;
}
