import { changesOf } from '../lib/changes.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type Store, StoreUnavailable } from './store.ts';

/** What a request may wait for. */
const OPERATIONS = [
  ...(['label', 'keep', 'withdrawal', 'pdf', 'pdfInto', 'pdfStream', 'miss', 'keepMiss'] as const),
  ...(['answer', 'keepAnswer', 'text', 'keepText', 'reading', 'keepReading'] as const),
  ...(['preview', 'keepPreview', 'switches', 'ready'] as const),
] as const satisfies (keyof Store)[];

type Operation = (...args: unknown[]) => unknown;

/**
 * The same store, with the time and the errors of each operation in the metrics. Of the embedded store one line says
 * that an operation fails and one that it works again; the shared one says so of each server.
 */
export function measuredStore(store: Store, metrics: Metrics, log: Log): Store {
  const measured = OPERATIONS.map((name) => {
    const operation = store[name] as Operation;
    const seconds = metrics.histogram('monroney_store_operation_duration_seconds', { operation: name });
    const failures = metrics.counter('monroney_store_errors_total', { operation: name });
    const tell =
      store.kind === 'embedded' ? changesOf(log, `store: ${name} fails`, `store: ${name} works again`) : null;
    const timed: Operation = (...args) => {
      const started = performance.now();
      const ended = () => seconds((performance.now() - started) / 1000);
      const failed = (error: unknown): never => {
        failures.value++;
        ended();
        if (error instanceof StoreUnavailable) tell?.(error.message);
        throw error;
      };
      const worked = () => {
        ended();
        tell?.(null);
      };
      try {
        const value = operation(...args);
        if (value instanceof Promise)
          return value.then((result: unknown) => {
            worked();
            return result;
          }, failed);
        worked();
        return value;
      } catch (error) {
        return failed(error);
      }
    };
    return [name, timed];
  });
  return { ...store, ...(Object.fromEntries(measured) as Partial<Store>) };
}
