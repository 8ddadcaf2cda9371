/**
 * A value that may be here already. The embedded store answers at once and the hot routes stay synchronous
 * with it; the shared store answers with a promise. `await` takes both.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with `value`, without a turn of the event loop when it is here already. */
export function andThen<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
