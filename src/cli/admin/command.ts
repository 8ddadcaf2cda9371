import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import type { Store } from '../../store/store.ts';

export interface AdminContext {
  config: Config;
  log: Log;
  store: Store;
  now(): number;
}

/** For commands that use no store, or create it. */
export type WithoutStore = Omit<AdminContext, 'store'>;

/** Returns an exit code: 0 success, 1 failed or found something wrong, 2 wrong usage. */
export type AdminCommand = (args: string[], admin: AdminContext) => Promise<number>;

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function usageError(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}

const LOG_INTERVAL_MS = 10_000;
let shownAt = Date.now();

/** Shows progress: one line that is rewritten on a terminal, a line every ten seconds elsewhere. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (Date.now() - shownAt >= LOG_INTERVAL_MS) {
    process.stderr.write(`${text}\n`);
    shownAt = Date.now();
  }
}

export function progressDone(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
}

/** Columns as wide as their widest cell, two spaces apart. Numbers are aligned right. */
export function table(rows: (string | number)[][]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, String(cell).length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          typeof cell === 'number'
            ? String(cell).padStart(widths[column]!)
            : String(cell).padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `2026-11-15`, in UTC. */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Of a terminal with 80 columns, without the two spaces. */
const INDENTED_WIDTH = 78;

/** Text below a row of a table, in lines that fit on a terminal. A word that is too long, such as a URL, is broken. */
export function indented(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = [lines.pop(), word].filter(Boolean).join(' ');
    if (longer.length <= INDENTED_WIDTH) {
      lines.push(longer);
      continue;
    }
    if (longer !== word) lines.push(longer.slice(0, -word.length - 1));
    for (let from = 0; from < word.length; from += INDENTED_WIDTH)
      lines.push(word.slice(from, from + INDENTED_WIDTH));
  }
  return lines.map((line) => `  ${line}`).join('\n');
}
