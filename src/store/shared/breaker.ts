import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';

/** A circuit breaker: fails fast while a server is not responding. */
export interface Breaker {
  /** Runs the work, or rejects at once while the breaker is open. Only `StoreUnavailable` counts as a failure. */
  run<T>(work: () => Promise<T>): Promise<T>;
  readonly open: boolean;
  /** False from the failure that opened the breaker until the next success. */
  readonly up: boolean;
}

/** Opens for `openMs` after `failures` in a row, then lets one call through at a time until one succeeds. */
export function breaker(
  name: string,
  { failures = 3, openMs = 1000, log }: { failures?: number; openMs?: number; log?: Log } = {},
): Breaker {
  let failed = 0;
  let openUntil = 0;

  function succeeded(): void {
    if (failed >= failures) log?.info(`${name}: back`);
    failed = 0;
  }

  return {
    async run(work) {
      const now = performance.now();
      if (failed >= failures) {
        if (now < openUntil) throw new StoreUnavailable(`${name} is not responding; retrying soon.`);
        openUntil = now + openMs;
      }
      try {
        const result = await work();
        succeeded();
        return result;
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          failed++;
          openUntil = performance.now() + openMs;
          if (failed === failures) log?.warn(`${name}: not responding`, { error: error.message });
        } else {
          succeeded();
        }
        throw error;
      }
    },
    get up() {
      return failed < failures;
    },
    get open() {
      return failed >= failures && performance.now() < openUntil;
    },
  };
}
