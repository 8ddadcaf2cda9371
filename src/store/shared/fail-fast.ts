import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';

/** Calls to a server of our own, which fail at once while it is not responding. */
interface FailFast {
  /** Runs the work, or rejects at once. Only `StoreUnavailable` counts as a failure. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** True while calls are rejected at once. */
  readonly open: boolean;
  /** False from the failure that was one too many until the next success. */
  readonly up: boolean;
}

/** After `failures` in a row, lets only one call through every `openMs` until one succeeds. */
export function failFast(
  name: string,
  { failures = 3, openMs = 1000, log }: { failures?: number; openMs?: number; log?: Log } = {},
): FailFast {
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
