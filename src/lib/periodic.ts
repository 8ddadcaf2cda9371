/** Work that runs at intervals and on request, never twice at a time. */
export interface Periodic {
  /** Runs it once more, after a run that is in progress. */
  run(): Promise<void>;
  /** Ends the intervals, and waits for runs in progress. */
  stop(): Promise<void>;
}

/** While the work, which must not reject, takes longer than the interval, runs are skipped instead of piling up. */
export function createPeriodic(intervalMs: number, work: () => Promise<void>): Periodic {
  let last = Promise.resolve();
  let runs = 0;
  const run = () => {
    runs++;
    last = last.then(work).finally(() => runs--);
    return last;
  };
  const timer = setInterval(() => runs > 0 || void run(), intervalMs).unref();
  return {
    run,
    stop() {
      clearInterval(timer);
      return last;
    },
  };
}
