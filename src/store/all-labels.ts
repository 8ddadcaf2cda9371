import type { HeldLabel, Store } from './store.ts';

const PAGE_SIZE = 500;
/** Enough to use the network well, few enough for any memory. */
const CONCURRENCY = 8;

/** All labels ordered by VIN, or those after a VIN, in pages. */
export async function* labelPages(
  store: Pick<Store, 'labels'>,
  from: string | null = null,
): AsyncGenerator<HeldLabel[]> {
  for (let after = from; ;) {
    const page: HeldLabel[] = await store.labels(after, PAGE_SIZE);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.vin;
  }
}

export async function* allLabels(
  store: Pick<Store, 'labels'>,
  from: string | null = null,
): AsyncGenerator<HeldLabel> {
  for await (const page of labelPages(store, from)) yield* page;
}

export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
