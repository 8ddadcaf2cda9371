import { MonroneyError } from '@monroney/client';

/** What the command's exit codes mean; `docs/command.md` says it to people. */
export const EXIT = {
  done: 0,
  /** At least one thing asked for is not there: no label, no VIN, a file that cannot be read. */
  missing: 1,
  wrongUse: 2,
  /** At least one thing could not be asked for just now; the same command later may do it. */
  later: 3,
  /** As shells count it: 128 and the number of the signal. */
  interrupted: 130,
} as const;

const LATER = new Set(['network', 'timeout', 'damaged']);

export function exitOf(error: MonroneyError): number {
  return LATER.has(error.reason) || (error.status ?? 0) >= 429 ? EXIT.later : EXIT.missing;
}

/** The exit code of several: what may be done later counts most, since it is worth another try. */
export function worse(one: number, other: number): number {
  return Math.max(one, other);
}

/** Ours, or a bug. */
export function asTrouble(error: unknown): MonroneyError {
  if (error instanceof MonroneyError) return error;
  throw error;
}
