import { createFairQueue, type FairQueue } from '../lib/fair-queue.ts';
import { sleep, type Pace } from './queue.ts';

/**
 * Requests for the cards and badges on other sites. Nobody may be looking at them, so they wait behind everybody's own lookups,
 * of all instances: they use a host's slots that nobody else uses. Sites take turns, then the visitors of a site.
 */
export interface SiteQueues {
  /** Waits for a slot, up to ten minutes. False after that, or if too many wait. */
  wait(host: string, client: string, options?: SiteWaitOptions): Promise<boolean>;
  /** Requests waiting per host. */
  lengths(): [host: string, waiting: number][];
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

export function siteQueues(
  pace: Pace,
  { everyMs, now, maxWaiting = MAX_WAITING }: { everyMs: number; now: () => number; maxWaiting?: number },
): SiteQueues {
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
    lengths: () => Array.from(queues, ([host, { size }]) => [host, size]),
    wait(host, client, { mayStart = () => true, signal } = {}) {
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
