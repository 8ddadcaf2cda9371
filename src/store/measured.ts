import { createFailureLog, type Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type Store, StoreUnavailable } from './store.ts';

/** Operations that a request may wait for. */
const OPERATIONS = [
  'find',
  'findOrRecover',
  'addLabel',
  'addMiss',
  'pdf',
  'cached',
  'cache',
  'preview',
  'cachePreview',
  'switches',
  'ready',
] as const satisfies (keyof Store)[];

type Operation = (...args: unknown[]) => Promise<unknown>;

/**
 * Adds metrics for the duration and the errors of each operation. For the embedded store it also logs when an operation
 * starts to fail and when it works again; the shared store logs this for each server.
 */
export function measuredStore(store: Store, metrics: Metrics, log: Log): Store {
  const measured = OPERATIONS.map((name) => {
    const operation = store[name] as Operation;
    const seconds = metrics.histogram('monroney_store_operation_duration_seconds', { operation: name });
    const failures = metrics.counter('monroney_store_errors_total', { operation: name });
    const logState =
      store.kind === 'embedded'
        ? createFailureLog(log, `store: ${name} fails`, `store: ${name} works again`)
        : null;
    const timed: Operation = async (...args) => {
      const started = performance.now();
      try {
        const value = await operation(...args);
        logState?.(null);
        return value;
      } catch (error) {
        failures.value++;
        if (error instanceof StoreUnavailable) logState?.(error.message);
        throw error;
      } finally {
        seconds((performance.now() - started) / 1000);
      }
    };
    return [name, timed];
  });
  return { ...store, ...(Object.fromEntries(measured) as Partial<Store>) };
}
