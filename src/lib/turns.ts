/**
 * Lets long work start one piece per turn of the event loop, in the order of the calls: await it before each piece. Other
 * requests then wait for one piece only, however many are waiting.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  function startNext(): void {
    waiting.shift()!();
    if (waiting.length > 0) setImmediate(startNext);
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(startNext);
    });
}
