/** Aborts the signal on Ctrl-C, so that the command can clean up. A second Ctrl-C ends the process at once. */
export function watchInterrupts(): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  return {
    signal: controller.signal,
    done() {
      process.off('SIGINT', abort);
      process.off('SIGTERM', abort);
    },
  };
}
