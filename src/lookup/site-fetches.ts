import { siteOf, type Limiter } from '../lib/limits.ts';
import { inMemorySingleFlight } from '../lib/promises.ts';
import type { Source } from '../makers/maker.ts';
import type { Hosts } from '../sources/hosts.ts';

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
}

const MIN_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 60;

export function openSiteFetches({
  hosts,
  limit,
  signal,
}: {
  hosts: Pick<Hosts, 'waitForSite'>;
  /** Of a site; unlimited by default. */
  limit?: Pick<Limiter, 'take' | 'end'>;
  signal?: AbortSignal;
}): SiteFetches {
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
          if (!(await hosts.waitForSite(host, client, { mayStart, signal }))) return null;
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
  };
}
