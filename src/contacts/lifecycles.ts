import { changesOf } from '../lib/changes.ts';
import type { Log } from '../lib/log.ts';
import type { ContactStore, Lifecycle } from '../store/contact-store.ts';

/** Announced changes by route, kept in memory: the hot routes ask on every answer. */
export interface Lifecycles {
  of(route: string): Lifecycle | null;
  refresh(): Promise<void>;
  close(): void;
}

const REFRESH_MS = 2000;

/** Stands for every operation of the API. */
export const WHOLE_API = '/api/*';

export async function openLifecycles(
  store: Pick<ContactStore, 'lifecycles'>,
  log: Log,
  now: () => number,
): Promise<Lifecycles> {
  let byRoute = new Map<string, Lifecycle>();
  const readable = changesOf(log, 'cannot read announced changes', 'announced changes: read again');

  async function refresh(): Promise<void> {
    try {
      byRoute = new Map((await store.lifecycles()).map((change) => [change.route, change]));
      readable(null);
    } catch (error) {
      readable(String((error as Error).message));
    }
  }

  await refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();
  return {
    of(route) {
      if (byRoute.size === 0) return null;
      const change = byRoute.get(route) ?? (route.startsWith('/api/') ? byRoute.get(WHOLE_API) : undefined);
      return change && change.deprecated <= now() ? change : null;
    },
    refresh,
    close: () => clearInterval(timer),
  };
}
