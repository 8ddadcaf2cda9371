import { createFairQueue, type FairQueue } from '../lib/fair-queue.ts';
import { siteOf, type Limiter } from '../lib/limits.ts';
import { inMemorySingleFlight } from '../lib/promises.ts';
import type { Source } from '../makers/maker.ts';
import { sleep, type Hosts, type Pacing } from '../sources/hosts.ts';

/**
 * Fetches for the cards and badges on other sites. They wait behind everybody's own lookups, in a line for each site: its limit
 * delays them and refuses none. While one waits, it isn't the fetch of its VIN: whoever looks the car up doesn't wait with it.
 */
export interface SiteFetches {
  /** Fetches when it is the site's turn. Visitors who want the same label share the fetch. Null if too many wait. */
  inTurn<T extends { isCounted: boolean }>(
    car: { vin: string; source: Source; client: string },
    fetch: () => Promise<T>,
  ): Promise<T | null>;
  /** Since when it waits or is fetched, in milliseconds since the epoch; null if it isn't. */
  startedAt(vin: string, client: string): number | null;
  /** Seconds after which a card that waits may ask again: the more of its site wait, the later. */
  retryAfter(client: string): number;
  /** Requests waiting per host. */
  queueLengths(): [host: string, waiting: number][];
}

const MIN_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 60;

export function openSiteFetches({
  hosts,
  limit,
  signal,
}: {
  hosts: Pick<Hosts, 'pacing'>;
  /** Of a site; unlimited by default. */
  limit?: Pick<Limiter, 'take' | 'end'>;
  signal?: AbortSignal;
}): SiteFetches {
  const queues = siteQueues(hosts.pacing);
  const running = inMemorySingleFlight();
  /** How many of each site wait or are fetched. */
  const counts = new Map<string, number>();
  const countOf = (site: string): number => counts.get(site) ?? 0;
  const count = (site: string, change: 1 | -1): void => {
    const now = countOf(site) + change;
    if (now > 0) counts.set(site, now);
    else counts.delete(site);
  };
  const keyOf = (vin: string, client: string) => `${siteOf(client)} ${vin}`;
  return {
    inTurn: ({ vin, source, client }, fetch) =>
      running.once(keyOf(vin, client), async () => {
        const site = siteOf(client)!;
        const mayStart = () => limit?.take(site).allowed ?? true;
        const { host } = new URL(source.urls[0]!);
        count(site, 1);
        try {
          if (!(await queues.wait(host, client, { mayStart, signal }))) return null;
          let isCounted = true;
          try {
            const fetched = await fetch();
            ({ isCounted } = fetched);
            return fetched;
          } finally {
            limit?.end(site, isCounted);
          }
        } finally {
          count(site, -1);
        }
      }),
    // A source gets about one request a second.
    retryAfter: (client) =>
      Math.min(Math.max(countOf(siteOf(client)!), MIN_RETRY_SECONDS), MAX_RETRY_SECONDS),
    startedAt: (vin, client) => running.startedAt(keyOf(vin, client)),
    queueLengths: queues.lengths,
  };
}

interface SiteWaitOptions {
  /** Whether its site may send one more now. Called when there is a slot; if it returns true, the slot is granted. */
  mayStart?(): boolean;
  signal?: AbortSignal;
}

interface Waiter {
  mayStart(): boolean;
  done(granted: boolean): void;
}

/** Requests that may wait for one host. Beyond it, the site with most of them loses its newest. */
const MAX_WAITING = 500;
const MAX_WAIT_MS = 10 * 60_000;
/** One of this many slots is for sites even if others keep the host busy, or their cards would never load on a busy day. */
const SLOTS_PER_SITE_SLOT = 10;
/** How often to look again when every site that waits has to pause. */
const RECHECK_MS = 1000;

/**
 * Nobody may be looking at a card, so it waits behind everybody's own lookups, of all instances: it uses a slot of the host that
 * nobody else uses. Sites take turns, then the visitors of a site.
 */
export function siteQueues({ pace, everyMs, now }: Pacing, maxWaiting = MAX_WAITING) {
  const queues = new Map<string, FairQueue<Waiter>>();

  /** Waits for a slot that nobody else uses. */
  async function nextSlot(host: string): Promise<void> {
    const since = now();
    for (;;) {
      const isOverdue = now() - since >= SLOTS_PER_SITE_SLOT * everyMs;
      const waitMs = await (isOverdue ? pace(host) : pace.ifIdle(host));
      if (waitMs > 0) await sleep(waitMs);
      if (isOverdue || waitMs === 0) return;
    }
  }

  /** Serves one request per slot until none waits. */
  async function serve(host: string, waiting: FairQueue<Waiter>): Promise<void> {
    while (waiting.size > 0) {
      await nextSlot(host);
      const next = waiting.next(({ mayStart }) => mayStart());
      if (next) next.done(true);
      else await sleep(RECHECK_MS);
    }
    queues.delete(host);
  }

  return {
    lengths: () => Array.from(queues, ([host, { size }]): [string, number] => [host, size]),
    /** Waits for a slot, up to ten minutes. False after that, or if too many wait. */
    wait(
      host: string,
      client: string,
      { mayStart = () => true, signal }: SiteWaitOptions = {},
    ): Promise<boolean> {
      const isIdle = !queues.has(host);
      const waiting = queues.get(host) ?? createFairQueue<Waiter>();
      if (waiting.size >= maxWaiting) {
        const evicted = waiting.evictFor(client);
        if (!evicted) return Promise.resolve(false);
        evicted.done(false);
      }
      return new Promise((resolve) => {
        const giveUp = () => waiting.remove(client, waiter) && waiter.done(false);
        const timer = setTimeout(giveUp, MAX_WAIT_MS).unref();
        signal?.addEventListener('abort', giveUp);
        const waiter: Waiter = {
          mayStart,
          done(granted) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', giveUp);
            resolve(granted);
          },
        };
        waiting.add(client, waiter);
        if (!isIdle) return;
        queues.set(host, waiting);
        void serve(host, waiting);
      });
    },
  };
}
