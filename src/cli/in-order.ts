/** Works on several at once and gives back the results in order, each as soon as it and all before it are there. */
export async function* inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  let next = 0;
  for (let done = 0; done < items.length; done++) {
    while (underWay.length < atOnce && next < items.length) {
      const begun = work(items[next++]!);
      // Told when its turn comes; until then it is not an error that nobody looks at.
      begun.catch(() => {});
      underWay.push(begun);
    }
    yield await underWay.shift()!;
  }
}
