import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';

const FAILURES = 3;
const OPEN_MS = 1000;

/**
 * Calls to a server of our own, which fail at once while it is not responding: after three failures in a row, lets only one call
 * through every second until one succeeds.
 */
export function failFast(name: string, log?: Log) {
  let failed = 0;
  let openUntil = 0;

  function succeeded(): void {
    if (failed >= FAILURES) log?.info(`${name}: back`);
    failed = 0;
  }

  return {
    /** Runs the work, or rejects at once. Only `StoreUnavailable` counts as a failure. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      const now = performance.now();
      if (failed >= FAILURES) {
        if (now < openUntil) throw new StoreUnavailable(`${name} is not responding; retrying soon.`);
        openUntil = now + OPEN_MS;
      }
      try {
        const result = await work();
        succeeded();
        return result;
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          failed++;
          openUntil = performance.now() + OPEN_MS;
          if (failed === FAILURES) log?.warn(`${name}: not responding`, { error: error.message });
        } else {
          succeeded();
        }
        throw error;
      }
    },
    /** False from the failure that was one too many until the next success. */
    get up(): boolean {
      return failed < FAILURES;
    },
    /** True while calls are rejected at once. */
    get open(): boolean {
      return failed >= FAILURES && performance.now() < openUntil;
    },
  };
}
