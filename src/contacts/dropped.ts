import type { Log } from '../lib/log.ts';
import type { CounterName } from '../lib/metric-names.ts';
import type { Metrics } from '../lib/metrics.ts';

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
