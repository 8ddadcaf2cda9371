import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Analytics } from './analytics.ts';
import { parseContact } from '../lib/contact.ts';
import type { ContactStore, ContactUse } from '../store/contact-store.ts';
import { countDropped } from './dropped.ts';

/** Counts who told us who they are: contact, UTC day, route template. Nothing else is known here, so nothing else can leak. */
export interface ContactLog {
  /** Takes what a caller sent, valid or not; never throws, never waits. */
  note(raw: string | null | undefined, route: string): void;
  /** Writes what is waiting now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 2000;
/** A caller inventing a million contacts must not take a million rows of memory, */
const MOST_WAITING = 10_000;
/** nor of the store: a day that has this many rows gets no new ones, only higher counts. */
export const MOST_A_DAY = 100_000;
/** Rows written at a time: the embedded store writes while requests wait. */
const SLICE = 250;
const DAY = 86_400_000;

/** Routes whose contact is also handed to analytics: lookups, and the tool that looks up. */
const ANALYSED = /^\/api\/v1\/|^get_window_sticker$/;

const keyOf = ({ contact, day, route }: ContactUse) => `${contact} ${day} ${route}`;

export function openContactLog(parts: {
  store: Pick<ContactStore, 'add'>;
  analytics: Analytics | null;
  log: Log;
  metrics: Metrics;
  now(): number;
}): ContactLog {
  const dropped = countDropped(
    parts,
    'monroney_contacts_dropped_total',
    'too many different contacts, some not counted',
  );
  let waiting = new Map<string, ContactUse>();
  let writing: Promise<void> | null = null;
  let today = { day: '', until: 0 };
  // One write at a time: a store that hangs must not collect a batch every two seconds.
  const timer = setInterval(() => void (writing ?? write()), FLUSH_MS).unref();

  function dayNow(): string {
    const now = parts.now();
    if (now >= today.until || now < today.until - DAY) {
      today = { day: new Date(now).toISOString().slice(0, 10), until: now - (now % DAY) + DAY };
    }
    return today.day;
  }

  function wait(use: ContactUse): void {
    const key = keyOf(use);
    const known = waiting.get(key);
    if (known) known.count += use.count;
    else if (waiting.size < MOST_WAITING) waiting.set(key, use);
    else dropped(1);
  }

  function note(raw: string | null | undefined, route: string): void {
    const contact = parseContact(raw);
    if (!contact) return;
    const day = dayNow();
    wait({ contact, day, route, count: 1, noted: parts.now() });
    if (parts.analytics && ANALYSED.test(route)) parts.analytics.send({ contact, route, day });
  }

  function write(): Promise<void> {
    const batch = [...waiting.values()];
    waiting = new Map();
    writing = writeSlices(batch).finally(() => (writing = null));
    return writing;
  }

  async function writeSlices(batch: ContactUse[]): Promise<void> {
    for (let from = 0; from < batch.length; from += SLICE) {
      try {
        dropped(await parts.store.add(batch.slice(from, from + SLICE), MOST_A_DAY));
      } catch (error) {
        parts.log.warn('contact log not written', { error: String((error as Error).message) });
        // Back into the queue, within its bound: the store may be back at the next turn.
        for (const use of batch.slice(from)) wait(use);
        return;
      }
      await nextTurn();
    }
  }

  async function flush(): Promise<void> {
    await writing;
    await write();
  }

  return {
    note,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      await parts.analytics?.close();
    },
  };
}
