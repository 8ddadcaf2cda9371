import type { ServerContext } from '@modelcontextprotocol/server';

/** Faster results stay plain JSON: the first notification turns the response into a stream. */
const INTERVAL_MS = 1_000;
/** The time limit of a source. */
const TOTAL_SECONDS = 20;

type Caller = Pick<ServerContext['mcpReq'], '_meta' | 'signal' | 'notify'>;

/**
 * Sends a progress notification every second to a client that asked for them. Cancelling rejects at once, but the lookup
 * continues, because other clients may be waiting for it.
 */
export async function withProgress<T>(result: Promise<T>, caller: Caller): Promise<T> {
  const { signal } = caller;
  const progressToken = caller._meta?.progressToken;
  let seconds = 0;
  const timer =
    progressToken === undefined
      ? undefined
      : setInterval(() => {
          seconds++;
          const message = `Waiting for the manufacturer, ${seconds} s.`;
          const params = {
            progressToken,
            progress: seconds,
            total: Math.max(TOTAL_SECONDS, seconds),
            message,
          };
          // The client may have disconnected.
          caller.notify({ method: 'notifications/progress', params }).catch(() => {});
        }, INTERVAL_MS);
  let stop = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('cancelled'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([result, cancelled]);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}
