interface Flight {
  answer: Promise<unknown>;
  waiting: number;
  stop: AbortController;
}

/**
 * Lets callers who ask for the same thing at the same time share one asking. One who gives up leaves it to the
 * others; when the last one leaves, the asking ends.
 */
export function createSharing() {
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
        const begun: Flight = { stop, waiting: 0, answer: work(stop) };
        const land = () => void (flights.get(key) === begun && flights.delete(key));
        begun.answer.then(land, land);
        flights.set(key, begun);
        flight = begun;
      }
      const { answer, stop } = flight;
      const shared = flight;
      shared.waiting++;
      const leave = () => {
        if (--shared.waiting === 0) {
          flights.delete(key);
          stop.abort();
        }
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      answer
        .then((value) => resolve(value as T), reject)
        .finally(() => signal?.removeEventListener('abort', leave));
    });
}
