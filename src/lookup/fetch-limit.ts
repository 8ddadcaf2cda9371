/**
 * Limits how many labels each client may have fetched from manufacturers, per minute and at the same time. Held labels,
 * decodes and joining a fetch that is already running are not limited.
 */
export interface FetchLimit {
  /** Starts a fetch for this client, or returns the seconds until one may start. */
  start(client: string): Fetching | { inSeconds: number };
  /** Removes clients without a fetch in the last minute. */
  forget(): void;
  /** Number of remembered clients. */
  size(): number;
}

export interface Fetching {
  /** `counted` is false when no request was sent to a manufacturer after all. */
  end(counted: boolean): void;
}

export const MAX_FETCHES_PER_MINUTE = 20;
export const MAX_CONCURRENT_FETCHES = 5;

const WINDOW_MS = 60_000;
/** The client that was idle longest is dropped first. */
const MAX_CLIENTS = 10_000;
/** For a client with too many running fetches: one of them may end any moment. */
const CONCURRENCY_RETRY_SECONDS = 2;

interface ClientUsage {
  /** When each fetch of the last minute started, oldest first. */
  started: number[];
  running: number;
}

export function createFetchLimit(
  clock: () => number,
  {
    perMinute = MAX_FETCHES_PER_MINUTE,
    concurrent = MAX_CONCURRENT_FETCHES,
  }: { perMinute?: number; concurrent?: number } = {},
): FetchLimit {
  const clients = new Map<string, ClientUsage>();
  const forgetOld = ({ started }: ClientUsage, now: number) => {
    while (started.length > 0 && now - started[0]! >= WINDOW_MS) started.shift();
  };

  return {
    start(client) {
      const now = clock();
      const usage = clients.get(client) ?? { started: [], running: 0 };
      clients.delete(client);
      clients.set(client, usage);
      if (clients.size > MAX_CLIENTS) clients.delete(clients.keys().next().value!);
      forgetOld(usage, now);
      const [oldest] = usage.started;
      if (usage.started.length >= perMinute)
        return { inSeconds: Math.max(1, Math.ceil((oldest! + WINDOW_MS - now) / 1000)) };
      if (usage.running >= concurrent) return { inSeconds: CONCURRENCY_RETRY_SECONDS };
      usage.started.push(now);
      usage.running++;
      return {
        end(counted) {
          usage.running--;
          if (counted) return;
          const index = usage.started.lastIndexOf(now);
          if (index >= 0) usage.started.splice(index, 1);
        },
      };
    },
    size: () => clients.size,
    forget() {
      const now = clock();
      for (const [client, usage] of clients) {
        forgetOld(usage, now);
        if (usage.started.length === 0 && usage.running === 0) clients.delete(client);
      }
    },
  };
}
