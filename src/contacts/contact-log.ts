import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Log } from '../lib/log.ts';
import { countDropped, type Metrics } from '../lib/metrics.ts';
import { createPeriodic } from '../lib/promises.ts';
import type { Analytics } from './analytics.ts';
import { type ContactStore, type ContactUse, parseContact } from '../store/contact-store.ts';

export type ContactLog = ReturnType<typeof openContactLog>;

const FLUSH_MS = 2000;
/** Bounds memory if a client invents contacts. */
const MAX_QUEUED = 10_000;
/** So many are written at once: a flood that fills the queue before the next write would drop the contacts before it. */
const MANY_QUEUED = MAX_QUEUED / 2;
/** Bounds the store, at about 60 MB. */
const MAX_ROWS = 500_000;
/** Of the rows. They are counted again after this many were written, because other instances write too. */
const COUNTED_SHARE = 0.04;
/** A day with so many newcomers is the one that made the table full. */
const MANY_NEWCOMERS = 10_000;
/** Rows per write: the embedded store blocks requests while it writes. */
const SLICE_ROWS = 250;
const DAY_MS = 86_400_000;

/** Routes whose contacts are also sent to analytics: lookups, and the lookup tool. */
const ANALYZED_ROUTES = /^\/api\/v1\/|^get_window_sticker$/;

const keyOf = ({ contact, day, route }: ContactUse) => `${contact} ${day} ${route}`;

/** Counts requests by contact, UTC day and route template. Nothing else gets here, so nothing else can leak. */
export function openContactLog(options: {
  store: Pick<ContactStore, 'add' | 'days' | 'newcomers' | 'evictNewcomers'>;
  analytics: Analytics | null;
  log: Log;
  metrics: Metrics;
  now(): number;
  maxRows?: number;
}) {
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
  /** New rows that fit until they are counted again. */
  let room = 0;
  const writing = createPeriodic(FLUSH_MS, write);

  function enqueue(use: ContactUse): void {
    const key = keyOf(use);
    const existing = queued.get(key);
    if (existing) existing.count += use.count;
    else queued.set(key, use);
  }

  /** Records the contact that a client sent, valid or not. Never throws or blocks. */
  function note(raw: string | null | undefined, route: string): void {
    const contact = parseContact(raw);
    if (!contact) return;
    const noted = options.now();
    const day = new Date(noted).toISOString().slice(0, 10);
    const waiting = queued.size;
    enqueue({ contact, day, route, count: 1, noted });
    if (waiting < MANY_QUEUED && queued.size >= MANY_QUEUED) void writing.run();
    if (options.analytics && ANALYZED_ROUTES.test(route)) options.analytics.send({ contact, route, day });
  }

  async function write(): Promise<void> {
    const batch = Array.from(queued.rvalues(), (use) => use!);
    queued.clear();
    let isFull = false;
    for (let from = 0; from < batch.length; from += SLICE_ROWS) {
      const slice = batch.slice(from, from + SLICE_ROWS);
      try {
        if (room < slice.length && !isFull) {
          room = await makeRoom(options.store, options.maxRows ?? MAX_ROWS, dropped);
          isFull = room < slice.length;
        }
        dropped(await options.store.add(slice, room));
        room = Math.max(0, room - slice.length);
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
    /** Writes the queued counts now. */
    flush: writing.run,
    async close(): Promise<void> {
      await writing.stop();
      await writing.run();
      await options.analytics?.close();
    },
  };
}

/**
 * How many new rows fit. If the table is full, newcomers make room for others: those of the day that has most of them, because
 * that is the day of a flood. A contact that was seen on two days is never evicted.
 */
async function makeRoom(
  store: Pick<ContactStore, 'days' | 'newcomers' | 'evictNewcomers'>,
  maxRows: number,
  evicted: (rows: number) => void,
): Promise<number> {
  const days = await store.days();
  let room = maxRows - days.reduce((sum, { rows }) => sum + rows, 0);
  const wanted = Math.max(SLICE_ROWS, Math.ceil(maxRows * COUNTED_SHARE));
  if (room >= wanted) return wanted;
  const crowded = await mostNewcomers(store, days);
  if (!crowded) return Math.max(0, room);
  while (room < wanted) {
    const limit = Math.min(SLICE_ROWS, wanted - room);
    // From a random row on, so that no name is safer than others.
    const from = Math.floor(Math.random() * crowded.rows);
    const rows =
      (await store.evictNewcomers(crowded.day, from, limit)) ||
      (await store.evictNewcomers(crowded.day, 0, limit));
    if (rows === 0) break;
    evicted(rows);
    crowded.rows -= rows;
    room += rows;
    await nextTurn();
  }
  return Math.max(0, room);
}

async function mostNewcomers(
  store: Pick<ContactStore, 'newcomers'>,
  days: readonly { day: string; rows: number }[],
): Promise<{ day: string; rows: number } | null> {
  let most = { newcomers: 0, day: '', rows: 0 };
  for (const { day, rows } of days) {
    // The largest days come first.
    if (rows <= most.newcomers) break;
    const newcomers = await store.newcomers(day, MANY_NEWCOMERS);
    if (newcomers > most.newcomers) most = { newcomers, day, rows };
    await nextTurn();
  }
  return most.newcomers > 0 ? most : null;
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
