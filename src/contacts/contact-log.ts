import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Analytics } from './analytics.ts';
import { parseContact } from '../lib/contact.ts';
import { createRecentCache } from '../lib/recent-cache.ts';
import type { ContactStore, ContactUse } from '../store/contact-store.ts';
import { countDropped } from './dropped.ts';

/** Counts who told us who they are: contact, UTC day, route template. Nothing else is known here, so nothing else can leak. */
export interface ContactLog {
  /** Takes what a caller sent, valid or not; never throws, never waits. `client` is who sent it, if it is known. */
  note(raw: string | null | undefined, route: string, client?: string): void;
  /** Writes what is waiting now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 2000;
/** A caller inventing a million contacts must not take a million rows of memory, */
const MAX_QUEUED = 10_000;
/** nor of the store: a day that has this many rows gets no new ones, only higher counts. */
export const MAX_ROWS_PER_DAY = 100_000;
/** Contacts seen once may take half of a day, so that there is room for those that come back. */
export const MAX_SINGLES_PER_DAY = MAX_ROWS_PER_DAY / 2;
/** Of contacts that nobody has sent before, so many of one client are counted in a minute. */
export const MAX_NEW_PER_MINUTE = 5;
const MINUTE = 60_000;
/** Contacts of the day and clients of the minute that are remembered. */
const MAX_KNOWN_CONTACTS = 20_000;
const MAX_CLIENTS = 10_000;
/** Rows written at a time: the embedded store writes while requests wait. */
const SLICE_ROWS = 250;
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
  /** How often each contact was sent today, of those sent last. */
  const known = createRecentCache<{ day: string; count: number }>(MAX_KNOWN_CONTACTS);
  /** How many new contacts each client has sent this minute. */
  let clients = { minute: 0, counts: new Map<string, number>() };
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
    else if (waiting.size < MAX_QUEUED) waiting.set(key, use);
    else dropped(1);
  }

  /** Counts the contact, unless it is new today. */
  function isKnown(contact: string, day: string): boolean {
    const seen = known.get(contact);
    if (seen?.day !== day) return false;
    seen.count++;
    return true;
  }

  function mayAdd(client: string | undefined): boolean {
    if (client === undefined) return true;
    const minute = Math.floor(parts.now() / MINUTE);
    if (minute !== clients.minute) clients = { minute, counts: new Map() };
    const added = clients.counts.get(client) ?? 0;
    if (added >= MAX_NEW_PER_MINUTE || clients.counts.size >= MAX_CLIENTS) return false;
    clients.counts.set(client, added + 1);
    return true;
  }

  function note(raw: string | null | undefined, route: string, client?: string): void {
    const contact = parseContact(raw);
    if (!contact) return;
    const day = dayNow();
    if (!isKnown(contact, day)) {
      if (!mayAdd(client)) return dropped(1);
      known.set(contact, { day, count: 1 });
    }
    wait({ contact, day, route, count: 1, noted: parts.now() });
    if (parts.analytics && ANALYSED.test(route)) parts.analytics.send({ contact, route, day });
  }

  function write(): Promise<void> {
    const batch = [...waiting.values()];
    waiting = new Map();
    // A client is remembered for its minute, and this.
    if (Math.floor(parts.now() / MINUTE) !== clients.minute) clients.counts.clear();
    const isSingle = ({ contact, count }: ContactUse) => count === 1 && (known.get(contact)?.count ?? 0) < 2;
    writing = writeSlices(
      batch.filter((use) => !isSingle(use)),
      MAX_ROWS_PER_DAY,
    )
      .then(() => writeSlices(batch.filter(isSingle), MAX_SINGLES_PER_DAY))
      .finally(() => (writing = null));
    return writing;
  }

  async function writeSlices(batch: ContactUse[], most: number): Promise<void> {
    for (let from = 0; from < batch.length; from += SLICE_ROWS) {
      try {
        dropped(await parts.store.add(batch.slice(from, from + SLICE_ROWS), most));
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
