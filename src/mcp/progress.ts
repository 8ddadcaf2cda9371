import type { ServerContext } from '@modelcontextprotocol/server';

/** Answers that come sooner stay one piece of JSON: the first notification turns a response into a stream. */
const EVERY_MS = 1_000;
/** What a source is given, in seconds. */
const TOTAL = 20;

type Caller = Pick<ServerContext['mcpReq'], '_meta' | 'signal' | 'notify'>;

/**
 * The answer, with a progress notification every second for a caller that asked for them. A caller that cancels is not
 * kept waiting; what was asked for goes on, because others may be waiting for it too.
 */
export async function withProgress<T>(answer: Promise<T>, caller: Caller): Promise<T> {
  const { signal } = caller;
  const progressToken = caller._meta?.progressToken;
  let seconds = 0;
  const timer =
    progressToken === undefined
      ? undefined
      : setInterval(() => {
          seconds++;
          const message = `Waiting for the manufacturer, ${seconds} s.`;
          const params = { progressToken, progress: seconds, total: Math.max(TOTAL, seconds), message };
          // A client that is gone hears nothing, and that is no trouble of ours.
          caller.notify({ method: 'notifications/progress', params }).catch(() => {});
        }, EVERY_MS);
  let stop = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('cancelled'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, cancelled]);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}
