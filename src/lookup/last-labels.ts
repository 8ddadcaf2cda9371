import type { Log } from '../lib/log.ts';
import type { Store } from '../store/store.ts';

/** When each source last sent a label, to a lookup or the canary of any instance. */
export interface LastLabels {
  /** Returns at once; never fails. */
  record(source: string): void;
}

const MIN_INTERVAL_MS = 60_000;
const TTL_MS = 10 * 365 * 86_400_000;

const keyOf = (source: string) => `last-label:${source}`;

export function openLastLabels({
  store,
  log,
  now,
}: {
  store: Pick<Store, 'setValue'>;
  log: Log;
  now(): number;
}): LastLabels {
  const written = new Map<string, number>();
  return {
    record(source) {
      const at = now();
      // One write per minute and source is precise enough.
      if (Math.abs(at - (written.get(source) ?? 0)) < MIN_INTERVAL_MS) return;
      written.set(source, at);
      void (async () => store.setValue(keyOf(source), String(at), at + TTL_MS))().catch((error: Error) =>
        log.warn('cannot store the time of the last label', { source, error: error.message }),
      );
    },
  };
}

/** Milliseconds since the epoch; null when the source never sent one. */
export async function lastLabel(store: Pick<Store, 'value'>, source: string): Promise<number | null> {
  return Number(await store.value(keyOf(source))) || null;
}
