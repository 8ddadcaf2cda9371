/**
 * A fair share of the manufacturers' patience: for each client, so many fetches from manufacturers in a minute and so
 * many under way at once, whichever front they come through. Held labels and decodes never get here, nor does joining
 * a fetch that is under way already.
 */
export interface AskLimit {
  /** Starts a fetch for this client, or says in how many seconds one may start. */
  start(client: string): Fetching | { inSeconds: number };
  /** Forgets clients that had nothing fetched in the last minute. */
  forget(): void;
  /** Clients remembered now. */
  size(): number;
}

export interface Fetching {
  /** `counted` is false when no manufacturer was asked after all. */
  end(counted: boolean): void;
}

export const MAX_FETCHES_PER_MINUTE = 20;
export const MAX_CONCURRENT_FETCHES = 5;

const WINDOW_MS = 60_000;
/** Clients remembered at once; the one that was quiet longest is forgotten first. */
const MOST_CLIENTS = 10_000;
/** What a client is told that has too many under way: the first of them may end any moment. */
const SOON_SECONDS = 2;

interface Share {
  /** When each fetch of the last minute started, oldest first. */
  started: number[];
  underWay: number;
}

export function createAskLimit(
  clock: () => number,
  { most = MAX_FETCHES_PER_MINUTE, atOnce = MAX_CONCURRENT_FETCHES }: { most?: number; atOnce?: number } = {},
): AskLimit {
  const shares = new Map<string, Share>();
  const forgetOld = ({ started }: Share, now: number) => {
    while (started.length > 0 && now - started[0]! >= WINDOW_MS) started.shift();
  };

  return {
    start(client) {
      const now = clock();
      const share = shares.get(client) ?? { started: [], underWay: 0 };
      shares.delete(client);
      shares.set(client, share);
      if (shares.size > MOST_CLIENTS) shares.delete(shares.keys().next().value!);
      forgetOld(share, now);
      const [oldest] = share.started;
      if (share.started.length >= most)
        return { inSeconds: Math.max(1, Math.ceil((oldest! + WINDOW_MS - now) / 1000)) };
      if (share.underWay >= atOnce) return { inSeconds: SOON_SECONDS };
      share.started.push(now);
      share.underWay++;
      return {
        end(counted) {
          share.underWay--;
          if (counted) return;
          const at = share.started.lastIndexOf(now);
          if (at >= 0) share.started.splice(at, 1);
        },
      };
    },
    size: () => shares.size,
    forget() {
      const now = clock();
      for (const [client, share] of shares) {
        forgetOld(share, now);
        if (share.started.length === 0 && share.underWay === 0) shares.delete(client);
      }
    },
  };
}
