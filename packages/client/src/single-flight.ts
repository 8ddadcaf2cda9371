interface Flight {
  result: Promise<unknown>;
  callers: number;
  stop: AbortController;
}

/**
 * Concurrent calls with the same key share one piece of work. A caller that aborts doesn't stop it for the others; when
 * the last caller aborts, the work is aborted.
 */
export function createSingleFlight() {
  const flights = new Map<string, Flight>();
  return <T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (stop: AbortController) => Promise<T>,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      let flight = flights.get(key);
      if (!flight) {
        const stop = new AbortController();
        const started: Flight = { stop, callers: 0, result: work(stop) };
        const onEnd = () => void (flights.get(key) === started && flights.delete(key));
        started.result.then(onEnd, onEnd);
        flights.set(key, started);
        flight = started;
      }
      const { result, stop } = flight;
      const shared = flight;
      shared.callers++;
      const onAbort = () => {
        if (--shared.callers === 0) {
          flights.delete(key);
          stop.abort();
        }
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      result
        .then((value) => resolve(value as T), reject)
        .finally(() => signal?.removeEventListener('abort', onAbort));
    });
}
