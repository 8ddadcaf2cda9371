/** Streams of parts. */

export async function* skipped(parts: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const part of parts) {
    if (part.length > left) yield part.subarray(left);
    left = Math.max(0, left - part.length);
  }
}

export async function* prepended<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

export async function* mapped<T, R>(items: AsyncIterable<T>, change: (item: T) => R): AsyncGenerator<R> {
  for await (const item of items) yield change(item);
}
