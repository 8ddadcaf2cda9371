/** Works on several items concurrently and yields the results in order. */
export async function* inOrder<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  let next = 0;
  for (let done = 0; done < items.length; done++) {
    while (running.length < concurrency && next < items.length) {
      const result = work(items[next++]!);
      // A rejection is thrown when its turn comes; until then it must not count as unhandled.
      result.catch(() => {});
      running.push(result);
    }
    yield await running.shift()!;
  }
}
