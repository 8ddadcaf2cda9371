import { createLimiter } from '../lib/limits.ts';

/** The limit for pages, their pictures and the tools: per client, in this process. */
export interface PageLimit {
  /** Counts one request. Null when it is allowed, and `leave` must follow; otherwise the seconds to wait. */
  enter(client: string): number | null;
  leave(client: string): void;
  /** Drops clients without a request in the last minute. */
  forget(): void;
}

export const MAX_PAGES_PER_MINUTE = 300;
export const MAX_CONCURRENT_PAGES = 20;

export function createPageLimit(clock: () => number): PageLimit {
  const { take, end, forget } = createLimiter(
    { requests: MAX_PAGES_PER_MINUTE, windowMs: 60_000, concurrent: MAX_CONCURRENT_PAGES },
    clock,
  );
  return {
    enter(client) {
      const { allowed, waitMs } = take(client);
      return allowed ? null : Math.max(1, Math.ceil(waitMs / 1000));
    },
    leave: (client) => end(client),
    forget,
  };
}
