import { MonroneyError } from '@monroney/client';

/** The exit codes, documented in `docs/command.md`. */
export const EXIT = {
  done: 0,
  /** Something doesn't exist or can't be read: a label, a VIN, a file. */
  missing: 1,
  usage: 2,
  /** A temporary failure: the same command may succeed later. */
  temporary: 3,
  /** 128 plus the number of the signal, as shells do it. */
  interrupted: 130,
} as const;

const TEMPORARY_REASONS = new Set(['network', 'timeout', 'damaged']);

export function exitCodeOf(error: MonroneyError): number {
  return TEMPORARY_REASONS.has(error.reason) || (error.status ?? 0) >= 429 ? EXIT.temporary : EXIT.missing;
}

/** The exit code of several results: temporary failures count most, because retrying may help. */
export function worseExitCode(one: number, other: number): number {
  return Math.max(one, other);
}

/** Anything but a `MonroneyError` is a bug. */
export function asMonroneyError(error: unknown): MonroneyError {
  if (error instanceof MonroneyError) return error;
  throw error;
}
