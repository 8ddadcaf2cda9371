import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import type { ContactStore } from '../store/contact-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Rows deleted at a time, so that nobody waits for the rest. */
const SLICE_ROWS = 500;

/** Deletes what was kept about contacts more than `days` ago: when the service starts, and from then on once a day. */
export function openForgetting(parts: {
  store: Pick<ContactStore, 'forgetBefore'>;
  days: number;
  log: Log;
  now(): number;
}): { forget(): Promise<void>; close(): Promise<void> } {
  let doneFor = '';
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function forget(): Promise<void> {
    const first = new Date(parts.now() - parts.days * DAY).toISOString().slice(0, 10);
    if (doneFor === first) return;
    try {
      let rows = 0;
      for (let gone = SLICE_ROWS; gone > 0 && !stopping.signal.aborted; await nextTurn()) {
        gone = await parts.store.forgetBefore(first, SLICE_ROWS);
        rows += gone;
      }
      doneFor = first;
      if (rows > 0) parts.log.info('old contacts forgotten', { rows, before: first });
    } catch (error) {
      parts.log.warn('old contacts not forgotten yet', { error: String((error as Error).message) });
    }
  }

  const again = () => (running = running.then(forget));
  void again();
  // Every hour, because a store that was away at midnight should not have to wait for the next one.
  const timer = setInterval(() => void again(), HOUR).unref();
  return {
    forget: again,
    async close() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
