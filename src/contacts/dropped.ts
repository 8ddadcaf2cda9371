import type { Log } from '../lib/log.ts';
import type { CounterName } from '../lib/metric-names.ts';
import type { Metrics } from '../lib/metrics.ts';

const MINUTE = 60_000;

/** Counts what a full queue had to drop: every one in the metrics, and a line in the log at most once a minute. */
export function countDropped(
  parts: { log: Log; metrics: Metrics; now(): number },
  metric: CounterName,
  message: string,
): (count: number, error?: string) => void {
  let untold = 0;
  let toldAt = -Infinity;
  return (count, error) => {
    if (count === 0) return;
    parts.metrics.count(metric, undefined, count);
    untold += count;
    if (parts.now() - toldAt < MINUTE) return;
    parts.log.warn(message, { dropped: untold, ...(error ? { error } : {}) });
    untold = 0;
    toldAt = parts.now();
  };
}
