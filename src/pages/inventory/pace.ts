/** Leaves the visitor a part of the API's limit for other pages. Runs in the browser. */

export const MAX_REQUESTS = 6;
export const WINDOW_MS = 10_000;
/** Requests of the limit that the visitor, or others with the same IP address, keep. */
const KEPT_REQUESTS = 2;

export interface Pace {
  /** Milliseconds until the next request may be sent. */
  waitMs(): number;
  /** Counts a request. */
  sent(): void;
  /** Follows what the service says about its limit. */
  observe(response: Pick<Response, 'status' | 'headers'>): void;
}

export function createPace(now: () => number): Pace {
  let times: number[] = [];
  let blockedUntil = 0;
  return {
    waitMs() {
      const at = now();
      times = times.filter((time) => at - time < WINDOW_MS);
      const ownMs = times.length < MAX_REQUESTS ? 0 : times[0]! + WINDOW_MS - at;
      return Math.max(ownMs, blockedUntil - at, 0);
    },
    sent: () => void times.push(now()),
    observe({ status, headers }) {
      const [, remaining, seconds] = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
      const isRefused = status === 429 && remaining === '0';
      if (isRefused) blockedUntil = now() + Number(headers.get('retry-after') ?? seconds) * 1000;
      else if (remaining !== undefined && Number(remaining) <= KEPT_REQUESTS)
        blockedUntil = Math.max(blockedUntil, now() + Number(seconds) * 1000);
    },
  };
}

/** New stickers that a client gets from manufacturers, one every so often. */
const NEW_STICKER_MS = 3000;

/** About how long these lookups take: each is a request, and those of new cars are fetched from manufacturers. */
export const remainingMs = (requests: number, newCars: number): number =>
  Math.max((requests * WINDOW_MS) / MAX_REQUESTS, newCars * NEW_STICKER_MS);

/** `about 3 minutes left` */
export function remainingWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms <= 15_000) return 'a few seconds left';
  if (ms <= 50_000) return `about ${Math.ceil(ms / 10_000) * 10} seconds left`;
  return minutes <= 1 ? 'about a minute left' : `about ${minutes} minutes left`;
}
