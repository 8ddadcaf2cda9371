import type { Log } from '../lib/log.ts';
import type { Store } from '../store/store.ts';

/** When each source was last seen to work: when it last sent a label, to a lookup or to the canary of any instance. */
export interface LastLabels {
  /** Returns at once; never fails. */
  record(source: string): void;
}

const MINUTE = 60_000;
const TEN_YEARS = 10 * 365 * 86_400_000;

const keyOf = (source: string) => `last-label:${source}`;

export function openLastLabels(parts: {
  store: Pick<Store, 'keepNote'>;
  log: Log;
  now(): number;
}): LastLabels {
  const written = new Map<string, number>();
  return {
    record(source) {
      const at = parts.now();
      // To the minute is enough, and costs a busy source one write a minute.
      if (Math.abs(at - (written.get(source) ?? 0)) < MINUTE) return;
      written.set(source, at);
      void (async () => parts.store.keepNote(keyOf(source), String(at), at + TEN_YEARS))().catch(
        (error: Error) => parts.log.warn('last label not noted', { source, error: error.message }),
      );
    },
  };
}

/** Milliseconds since the epoch; null when no label was ever seen. */
export async function lastLabel(store: Pick<Store, 'note'>, source: string): Promise<number | null> {
  return Number(await store.note(keyOf(source))) || null;
}
