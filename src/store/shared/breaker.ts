import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';

/** Keeps everybody from waiting for a server that does not answer. */
export interface Breaker {
  /** Runs the work, or refuses at once while the server is resting. Only `StoreUnavailable` counts as a failure. */
  run<T>(work: () => Promise<T>): Promise<T>;
  readonly resting: boolean;
  /** False from the failure that made it rest to the next success. */
  readonly up: boolean;
}

/**
 * After `failures` in a row nothing is tried for `restMs`, then one at a time until one succeeds. With a `log`, one
 * line says that the server is away and one that it is back.
 */
export function breaker(
  name: string,
  { failures = 3, restMs = 1000, log }: { failures?: number; restMs?: number; log?: Log } = {},
): Breaker {
  let failed = 0;
  let until = 0;

  function answered(): void {
    if (failed >= failures) log?.info(`${name}: back`);
    failed = 0;
  }

  return {
    async run(work) {
      const now = performance.now();
      if (failed >= failures) {
        if (now < until) throw new StoreUnavailable(`${name} does not answer; trying again in a moment.`);
        until = now + restMs;
      }
      try {
        const result = await work();
        answered();
        return result;
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          failed++;
          until = performance.now() + restMs;
          if (failed === failures) log?.warn(`${name}: does not answer`, { error: error.message });
        } else {
          answered();
        }
        throw error;
      }
    },
    get up() {
      return failed < failures;
    },
    get resting() {
      return failed >= failures && performance.now() < until;
    },
  };
}
