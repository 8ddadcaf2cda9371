import { createFailureLog, type Log } from '../lib/log.ts';
import type { ContactStore, Lifecycle } from '../store/contact-store.ts';

/** Announced changes by route, cached in memory because every response needs them. */
export interface Lifecycles {
  of(route: string): Lifecycle | null;
  refresh(): Promise<void>;
  close(): void;
}

const REFRESH_MS = 2000;

/** A change announced for this route applies to every operation of the API. */
export const ALL_API_ROUTES = '/api/*';

export async function openLifecycles(
  store: Pick<ContactStore, 'lifecycles'>,
  log: Log,
  now: () => number,
): Promise<Lifecycles> {
  let byRoute = new Map<string, Lifecycle>();
  const logState = createFailureLog(
    log,
    'cannot read announced changes',
    'announced changes are readable again',
  );

  async function refresh(): Promise<void> {
    try {
      byRoute = new Map((await store.lifecycles()).map((change) => [change.route, change]));
      logState(null);
    } catch (error) {
      logState(String((error as Error).message));
    }
  }

  await refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();
  return {
    of(route) {
      if (byRoute.size === 0) return null;
      const change =
        byRoute.get(route) ?? (route.startsWith('/api/') ? byRoute.get(ALL_API_ROUTES) : undefined);
      return change && change.deprecated <= now() ? change : null;
    },
    refresh,
    close: () => clearInterval(timer),
  };
}
