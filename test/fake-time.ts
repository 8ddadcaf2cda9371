import type { TestContext } from 'node:test';

/** Time that passes only when the test says so: timers, dates and `performance.now`. */
export function fakeTime(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-11-17T12:00:00Z') });
  const started = Date.now();
  const before = performance.now();
  // A clock that is not mocked would differ from the timers.
  t.mock.method(performance, 'now', () => before + Date.now() - started);
  /** Lets time pass until the call has ended. Only for calls that wait for nothing but timers. */
  async function during<T>(call: Promise<T>): Promise<T> {
    let isPending = true;
    const end = () => void (isPending = false);
    call.then(end, end);
    for (;;) {
      // Everything that doesn't wait for a timer happens first.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (!isPending) return call;
      t.mock.timers.tick(100);
    }
  }
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  return {
    /** Milliseconds since the start of the test. */
    elapsed: () => Date.now() - started,
    pass: (ms: number) => t.mock.timers.tick(ms),
    during,
    /** Resolves when that much time has passed, by `during` or `after`. */
    sleep,
    /** Lets that much time pass, and everything happen that waits for it. */
    after: (ms: number) => during(sleep(ms)),
  };
}
