import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import type { ContactStore } from '../store/contact-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rows deleted at a time, so that requests aren't blocked for long. */
const SLICE_ROWS = 500;

/** Deletes contact data older than `days`, at startup and then once a day. */
export function openContactExpiry(options: {
  store: Pick<ContactStore, 'forgetBefore'>;
  days: number;
  log: Log;
  now(): number;
}): { forget(): Promise<void>; close(): Promise<void> } {
  let doneBefore = '';
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function forget(): Promise<void> {
    const firstKept = new Date(options.now() - options.days * DAY_MS).toISOString().slice(0, 10);
    if (doneBefore === firstKept) return;
    try {
      let rows = 0;
      for (let deleted = SLICE_ROWS; deleted > 0 && !stopping.signal.aborted; await nextTurn()) {
        deleted = await options.store.forgetBefore(firstKept, SLICE_ROWS);
        rows += deleted;
      }
      doneBefore = firstKept;
      if (rows > 0) options.log.info('contacts: deleted old ones', { rows, before: firstKept });
    } catch (error) {
      options.log.warn('contacts: cannot delete old ones yet', { error: String((error as Error).message) });
    }
  }

  const runNext = () => (running = running.then(forget));
  void runNext();
  // Hourly, in case the store is unavailable at midnight.
  const timer = setInterval(() => void runNext(), HOUR_MS).unref();
  return {
    forget: runNext,
    async close() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
