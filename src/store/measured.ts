// The global of the same name is a getter that costs more than reading the clock.
import { performance } from 'node:perf_hooks';
import { createFailureLog, type Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type Store, StoreUnavailable } from './store.ts';

/** Operations that a request may wait for. */
const OPERATIONS = [
  ...(['label', 'keep', 'withdrawal', 'pdf', 'pdfInto', 'pdfStream', 'miss', 'keepMiss'] as const),
  ...(['cachedResponse', 'cacheResponse', 'text', 'keepText', 'reading', 'keepReading'] as const),
  ...(['preview', 'keepPreview', 'switches', 'ready'] as const),
] as const satisfies (keyof Store)[];

/** The metrics kept the names that these methods had before. */
const METRIC_NAMES: Partial<Record<keyof Store, string>> = {
  cachedResponse: 'answer',
  cacheResponse: 'keepAnswer',
};

type Operation = (...args: unknown[]) => unknown;

/**
 * Adds metrics for the duration and the errors of each operation. For the embedded store it also logs when an operation
 * starts to fail and when it works again; the shared store logs this for each server.
 */
export function measuredStore(store: Store, metrics: Metrics, log: Log): Store {
  const measured = OPERATIONS.map((name) => {
    const operation = store[name] as Operation;
    const labels = { operation: METRIC_NAMES[name] ?? name };
    const seconds = metrics.histogram('monroney_store_operation_duration_seconds', labels);
    const failures = metrics.counter('monroney_store_errors_total', labels);
    const logState =
      store.kind === 'embedded'
        ? createFailureLog(log, `store: ${name} fails`, `store: ${name} works again`)
        : null;
    function succeeded(started: number): void {
      seconds((performance.now() - started) / 1000);
      logState?.(null);
    }
    function failed(error: unknown, started: number): never {
      failures.value++;
      seconds((performance.now() - started) / 1000);
      if (error instanceof StoreUnavailable) logState?.(error.message);
      throw error;
    }
    // The embedded store is synchronous and on the hot path: no closures there.
    const timed: Operation = (...args) => {
      const started = performance.now();
      let value: unknown;
      try {
        value = operation(...args);
      } catch (error) {
        failed(error, started);
      }
      if (value instanceof Promise)
        return value.then(
          (result: unknown) => {
            succeeded(started);
            return result;
          },
          (error: unknown) => failed(error, started),
        );
      succeeded(started);
      return value;
    };
    return [name, timed];
  });
  return { ...store, ...(Object.fromEntries(measured) as Partial<Store>) };
}
