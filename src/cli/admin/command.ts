import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import type { Store } from '../../store/store.ts';

export interface Admin {
  config: Config;
  log: Log;
  store: Store;
  now(): number;
}

/** Answers with an exit code: 0 done, 1 failed or found something wrong, 2 wrong use. */
export type AdminCommand = (args: string[], admin: Admin) => Promise<number>;

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function complain(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}

const QUIET_MS = 10_000;
let shownAt = Date.now();

/** How far the work is: a line that rewrites itself on a terminal, a line now and then in a log. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
  else if (Date.now() - shownAt >= QUIET_MS) {
    process.stderr.write(`${text}\n`);
    shownAt = Date.now();
  }
}

export function progressDone(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
}

/** Columns as wide as their widest cell, two spaces apart; numbers to the right. */
export function table(rows: (string | number)[][]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, column) => Math.max(most[column] ?? 0, String(cell).length)),
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

export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
