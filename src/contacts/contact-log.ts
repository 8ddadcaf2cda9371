import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ContactStore, ContactUse } from './contact-store.ts';
import { parseContact } from './contact.ts';
import type { Analytics } from './analytics.ts';

/** Counts who told us who they are: contact, UTC day, route template. Nothing else is known here, so nothing else can leak. */
export interface ContactLog {
  /** Takes what a caller sent, valid or not; never throws, never waits. */
  note(raw: string | null | undefined, route: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 2000;
/** A caller inventing a million contacts must not take a million rows of memory. */
const MOST_WAITING = 10_000;

/** Routes whose contact is also handed to analytics: lookups, and the tool that looks up. */
const ANALYSED = /^\/api\/v1\/|^get_window_sticker$/;

export function openContactLog(parts: {
  store: Pick<ContactStore, 'add'>;
  analytics: Analytics | null;
  log: Log;
  metrics: Metrics;
  now(): number;
}): ContactLog {
  let waiting = new Map<string, ContactUse>();
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();

  function note(raw: string | null | undefined, route: string): void {
    const contact = parseContact(raw);
    if (!contact) return;
    const day = new Date(parts.now()).toISOString().slice(0, 10);
    const key = `${contact} ${day} ${route}`;
    const use = waiting.get(key);
    if (use) use.count++;
    else if (waiting.size < MOST_WAITING) waiting.set(key, { contact, day, route, count: 1 });
    else parts.metrics.count('monroney_contacts_dropped_total');
    if (parts.analytics && ANALYSED.test(route)) parts.analytics.send({ contact, route, day });
  }

  function flush(): Promise<void> {
    if (waiting.size > 0) {
      const batch = [...waiting.values()];
      waiting = new Map();
      writing = writing.then(() => write(batch));
    }
    return writing;
  }

  async function write(batch: ContactUse[]): Promise<void> {
    try {
      await parts.store.add(batch);
    } catch (error) {
      parts.log.warn('contact log not written', { error: String((error as Error).message) });
      // Back into the queue, within its bound: the store may be back at the next turn.
      for (const use of batch) {
        const key = `${use.contact} ${use.day} ${use.route}`;
        const newer = waiting.get(key);
        if (newer) newer.count += use.count;
        else if (waiting.size < MOST_WAITING) waiting.set(key, use);
        else parts.metrics.count('monroney_contacts_dropped_total');
      }
    }
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
