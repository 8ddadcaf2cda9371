/**
 * A value, or a promise of one. The embedded store and the caches return values, so that a request whose response is in
 * memory needs no promise (`npm run bench -- http` measures what that saves); the shared store returns promises.
 * Everywhere else, `await` it.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with `value`, synchronously if it isn't a promise. Only for code on the hot path; elsewhere use `await`. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
