import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Log, countDropped } from '../lib/log.ts';
import { createLimiter, type Budget } from '../lib/limits.ts';
import type { Metrics } from '../lib/metrics.ts';
import { createPeriodic } from '../lib/periodic.ts';
import type { Analytics } from './analytics.ts';
import { parseContact } from '../lib/contact.ts';
import type { ContactStore, ContactUse } from '../store/contact-store.ts';

/** Counts requests by contact, UTC day and route template. Nothing else gets here, so nothing else can leak. */
export interface ContactLog {
  /** Records the contact that a client sent, valid or not. Never throws or blocks. */
  note(raw: string | null | undefined, route: string, client?: string): void;
  /** Writes the queued counts now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 2000;
/** Bounds memory if a client invents contacts. */
const MAX_QUEUED = 10_000;
/** Bounds the store: a day with this many rows gets no new ones, but existing counts increase. */
const MAX_ROWS_PER_DAY = 100_000;
/** Contacts seen once may use half of a day's rows, which leaves the rest to those that come back. */
const MAX_SINGLES_PER_DAY = MAX_ROWS_PER_DAY / 2;
/** Contacts that are new today, per client. */
export const NEW_CONTACTS = { requests: 5, windowMs: 60_000 } satisfies Budget;
const MAX_CACHED_CONTACTS = 20_000;
/** Rows per write: the embedded store blocks requests while it writes. */
const SLICE_ROWS = 250;
const DAY_MS = 86_400_000;

/** Routes whose contacts are also sent to analytics: lookups, and the lookup tool. */
const ANALYZED_ROUTES = /^\/api\/v1\/|^get_window_sticker$/;

const keyOf = ({ contact, day, route }: ContactUse) => `${contact} ${day} ${route}`;

export function openContactLog(options: {
  store: Pick<ContactStore, 'add'>;
  analytics: Analytics | null;
  log: Log;
  metrics: Metrics;
  now(): number;
  /** Doesn't jump when the wall clock is set. */
  clock?(): number;
}): ContactLog {
  const dropped = countDropped(
    options,
    'monroney_contacts_dropped_total',
    'contacts: too many different ones; some not counted',
  );
  /** Beyond the maximum, the contact that was sent least recently is dropped. */
  const queued = new LRUCache<string, ContactUse>({
    max: MAX_QUEUED,
    dispose: (_use, _key, reason) => reason === 'evict' && dropped(1),
  });
  /** How often each contact was sent today, for the most recent ones. */
  const todaysContacts = new LRUCache<string, { day: string; count: number }>({ max: MAX_CACHED_CONTACTS });
  const newContacts = createLimiter(NEW_CONTACTS, options.clock ?? (() => performance.now()));
  let today = { day: '', until: 0 };
  const writing = createPeriodic(FLUSH_MS, write);

  function dayNow(): string {
    const now = options.now();
    if (now >= today.until || now < today.until - DAY_MS) {
      today = { day: new Date(now).toISOString().slice(0, 10), until: now - (now % DAY_MS) + DAY_MS };
    }
    return today.day;
  }

  function enqueue(use: ContactUse): void {
    const key = keyOf(use);
    const existing = queued.get(key);
    if (existing) existing.count += use.count;
    else queued.set(key, use);
  }

  /** Counts a contact that was already sent today; false for a new one. */
  function countAgain(contact: string, day: string): boolean {
    const entry = todaysContacts.get(contact);
    if (entry?.day !== day) return false;
    entry.count++;
    return true;
  }

  function note(raw: string | null | undefined, route: string, client?: string): void {
    const contact = parseContact(raw);
    if (!contact) return;
    const day = dayNow();
    if (!countAgain(contact, day)) {
      if (client !== undefined && !newContacts.take(client).allowed) return dropped(1);
      todaysContacts.set(contact, { day, count: 1 });
    }
    enqueue({ contact, day, route, count: 1, noted: options.now() });
    if (options.analytics && ANALYZED_ROUTES.test(route)) options.analytics.send({ contact, route, day });
  }

  async function write(): Promise<void> {
    const batch = Array.from(queued.rvalues(), (use) => use!);
    queued.clear();
    const isSingle = ({ contact, count }: ContactUse) =>
      count === 1 && (todaysContacts.get(contact)?.count ?? 0) < 2;
    // Split now, so that a contact that returns during the first write isn't lost.
    const { single = [], returning = [] } = Object.groupBy(batch, (use) =>
      isSingle(use) ? 'single' : 'returning',
    );
    await writeSlices(returning, MAX_ROWS_PER_DAY);
    await writeSlices(single, MAX_SINGLES_PER_DAY);
  }

  async function writeSlices(batch: ContactUse[], maxRowsPerDay: number): Promise<void> {
    for (let from = 0; from < batch.length; from += SLICE_ROWS) {
      try {
        dropped(await options.store.add(batch.slice(from, from + SLICE_ROWS), maxRowsPerDay));
      } catch (error) {
        options.log.warn('contacts: cannot write counts', { error: String((error as Error).message) });
        // Retry with the next batch.
        for (const use of batch.slice(from)) enqueue(use);
        return;
      }
      await nextTurn();
    }
  }

  return {
    note,
    flush: writing.run,
    async close() {
      await writing.stop();
      await writing.run();
      await options.analytics?.close();
    },
  };
}

const HOUR_MS = 3_600_000;
/** Rows deleted at a time, so that requests aren't blocked for long. */
const DELETED_ROWS = 500;

/** Deletes contact data older than `days`, at startup and then once a day. */
export function openContactExpiry(options: {
  store: Pick<ContactStore, 'forgetBefore'>;
  days: number;
  log: Log;
  now(): number;
}): { forget(): Promise<void>; close(): Promise<void> } {
  let doneBefore = '';
  const stopping = new AbortController();

  async function forget(): Promise<void> {
    const firstKept = new Date(options.now() - options.days * DAY_MS).toISOString().slice(0, 10);
    if (doneBefore === firstKept) return;
    try {
      let rows = 0;
      for (let deleted = DELETED_ROWS; deleted > 0 && !stopping.signal.aborted; await nextTurn()) {
        deleted = await options.store.forgetBefore(firstKept, DELETED_ROWS);
        rows += deleted;
      }
      doneBefore = firstKept;
      if (rows > 0) options.log.info('contacts: deleted old ones', { rows, before: firstKept });
    } catch (error) {
      options.log.warn('contacts: cannot delete old ones yet', { error: String((error as Error).message) });
    }
  }

  // Hourly, in case the store is unavailable at midnight.
  const forgetting = createPeriodic(HOUR_MS, forget);
  void forgetting.run();
  return {
    forget: forgetting.run,
    async close() {
      stopping.abort();
      await forgetting.stop();
    },
  };
}
