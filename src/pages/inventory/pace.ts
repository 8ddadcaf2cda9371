/** Leaves the visitor a part of the API's limit for other pages. Runs in the browser. */

export const MAX_REQUESTS = 6;
/** Ten seconds, and one more because requests take different times to arrive. */
export const WINDOW_MS = 11_000;
/** Of the 20 new stickers that a client gets in a minute, so that the visitor can look up a new car meanwhile. */
const MAX_NEW_STICKERS = 15;
const NEW_STICKERS_MS = 60_000;
/** Requests of the limit that the visitor, or others with the same IP address, keep. */
const KEPT_REQUESTS = 2;

export interface Pace {
  /** Milliseconds until the next request may be sent. */
  waitMs(): number;
  /** Counts a request. */
  sent(): void;
  /** Follows what the service says about its limit. */
  observe(response: Pick<Response, 'status' | 'headers'>): void;
  /** Sends nothing for this time. */
  block(ms: number): void;
}

/** So many in a time window. */
export type Window = Pick<Pace, 'waitMs' | 'sent'>;

/** When requests were sent, kept for other tabs with the page and for the next time that it is loaded. */
export interface Times {
  load(): number[];
  save(times: readonly number[]): void;
}

function createWindow(now: () => number, [max, windowMs]: readonly [number, number], kept?: Times): Window {
  let times: number[] = [];
  // A clock that was set back would block for as long.
  const recent = (all: readonly number[], at: number) =>
    all.filter((time) => time <= at && at - time < windowMs);
  return {
    waitMs() {
      const at = now();
      const known = recent(kept?.load() ?? [], at);
      times = recent(times, at);
      // What was kept has what other tabs sent, or nothing if there was no room or the visitor deleted it.
      if (known.length > times.length) times = known;
      return times.length < max ? 0 : times[times.length - max]! + windowMs - at;
    },
    sent() {
      times.push(now());
      kept?.save(times);
    },
  };
}

export const createNewStickers = (now: () => number, kept?: Times): Window =>
  createWindow(now, [MAX_NEW_STICKERS, NEW_STICKERS_MS], kept);

export function createPace(now: () => number, kept?: Times): Pace {
  const { waitMs, sent } = createWindow(now, [MAX_REQUESTS, WINDOW_MS], kept);
  let blockedUntil = 0;
  const block = (ms: number) => void (blockedUntil = Math.max(blockedUntil, now() + ms));
  return {
    waitMs: () => Math.max(waitMs(), blockedUntil - now(), 0),
    sent,
    observe({ status, headers }) {
      const [, remaining, seconds] = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
      const isRefused = status === 429 && remaining === '0';
      if (isRefused) block(Number(headers.get('retry-after') ?? seconds) * 1000);
      else if (remaining !== undefined && Number(remaining) <= KEPT_REQUESTS) block(Number(seconds) * 1000);
    },
    block,
  };
}

/** About how long these lookups take: each is a request, and those of new cars are fetched from manufacturers. */
export const remainingMs = (requests: number, newCars: number): number =>
  Math.max((requests * WINDOW_MS) / MAX_REQUESTS, (newCars * NEW_STICKERS_MS) / MAX_NEW_STICKERS);

/** `about 3 minutes left` */
export function remainingWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms <= 15_000) return 'a few seconds left';
  if (ms <= 50_000) return `about ${Math.ceil(ms / 10_000) * 10} seconds left`;
  return minutes <= 1 ? 'about a minute left' : `about ${minutes} minutes left`;
}
