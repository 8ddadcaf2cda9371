/** Ctrl-C ends what is under way and lets the command tidy up; a second one ends the process at once. */
export function untilInterrupted(): { signal: AbortSignal; done(): void } {
  const stop = new AbortController();
  const leave = () => stop.abort();
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  return {
    signal: stop.signal,
    done() {
      process.off('SIGINT', leave);
      process.off('SIGTERM', leave);
    },
  };
}
