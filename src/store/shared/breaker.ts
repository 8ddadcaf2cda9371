import { StoreUnavailable } from '../errors.ts';

/** Keeps everybody from waiting for a server that does not answer. */
export interface Breaker {
  /** Runs the work, or refuses at once while the server is resting. Only `StoreUnavailable` counts as a failure. */
  run<T>(work: () => Promise<T>): Promise<T>;
  readonly resting: boolean;
}

/** After `failures` in a row nothing is tried for `restMs`, then one at a time until one succeeds. */
export function breaker(name: string, { failures = 3, restMs = 1000 } = {}): Breaker {
  let failed = 0;
  let until = 0;
  return {
    async run(work) {
      const now = performance.now();
      if (failed >= failures) {
        if (now < until) throw new StoreUnavailable(`${name} does not answer; trying again in a moment.`);
        until = now + restMs;
      }
      try {
        const result = await work();
        failed = 0;
        return result;
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          failed++;
          until = performance.now() + restMs;
        } else {
          failed = 0;
        }
        throw error;
      }
    },
    get resting() {
      return failed >= failures && performance.now() < until;
    },
  };
}
