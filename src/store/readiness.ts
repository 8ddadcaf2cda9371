import { inMemorySingleFlight } from '../lib/single-flight.ts';

/** A successful check isn't repeated within this time. */
const READY_MS = 1000;

/** Runs `check` at most once a second. Calls that arrive while it runs share its result. */
export function createReadiness(
  check: () => Promise<void>,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  const checks = inMemorySingleFlight();
  let readyAt = -Infinity;
  return async () => {
    if (now() - readyAt < READY_MS) return;
    await checks.once('check', check);
    readyAt = now();
  };
}
