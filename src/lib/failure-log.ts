import type { Log } from './log.ts';
import type { CounterName } from './metric-names.ts';
import type { Metrics } from './metrics.ts';

/** Logs one line when something starts to fail and one when it recovers; repeated failures are logged at `debug`. */
export function createFailureLog(
  log: Log,
  failureMessage: string,
  recoveryMessage: string,
): (error: string | null) => void {
  let isFailing = false;
  return (error) => {
    if (error === null) {
      if (isFailing) log.info(recoveryMessage);
      isFailing = false;
      return;
    }
    if (isFailing) log.debug(failureMessage, { error });
    else log.warn(failureMessage, { error });
    isFailing = true;
  };
}

const LOG_INTERVAL_MS = 60_000;

/** Counts dropped items in a metric, and logs them at most once a minute. */
export function countDropped(
  { log, metrics, now }: { log: Log; metrics: Metrics; now(): number },
  metric: CounterName,
  message: string,
): (count: number, error?: string) => void {
  let unlogged = 0;
  let loggedAt = -Infinity;
  return (count, error) => {
    if (count === 0) return;
    metrics.count(metric, undefined, count);
    unlogged += count;
    if (now() - loggedAt < LOG_INTERVAL_MS) return;
    log.warn(message, { dropped: unlogged, ...(error ? { error } : {}) });
    unlogged = 0;
    loggedAt = now();
  };
}
