import { styleText } from 'node:util';
import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

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

/** A table with fixed column widths, so that rows can be written one by one. The last column has any width. */
export function createTable(columns: readonly { title: string; width: number }[]) {
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

/** Writes a temporary file beside the target and renames it. */
export async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(
    dirname(file),
    `.${process.pid}-${createHash('sha256').update(file).digest('hex').slice(0, 12)}.part`,
  );
  try {
    await writeFile(temporary, bytes, { flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Describes a write error without naming our temporary files. */
export function writeErrorText(error: unknown, folder: string, creating = false): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return creating
        ? `Can't create the folder ${folder} in ${dirname(resolve(folder))}.`
        : `The folder ${folder} does not exist.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `No permission to write to the folder ${folder}.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${folder} is not a folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `No space left in the folder ${folder}.`;
    default:
      return `Can't write to the folder ${folder}: ${message}`;
  }
}

/** Describes why a file can't be read. */
export function fileErrorText(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'File not found.';
  return code === 'EACCES' ? 'No permission to read this file.' : message;
}
