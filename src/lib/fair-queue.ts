import { blocksOf } from './limits.ts';

/**
 * A queue in which clients take turns, however many items each has waiting: first the IPv6 /48s and IPv4 addresses, then the
 * /56s within a /48, then the /64s within a /56.
 */
export interface FairQueue<T extends object> {
  readonly size: number;
  add(client: string, item: T): void;
  /** Takes the item whose turn it is. */
  next(): T | undefined;
  /** False if it is no longer waiting. */
  remove(client: string, item: T): boolean;
  /** How many are served before the next one of this client. */
  before(client: string): number;
  /** Makes room for a client by removing the newest item of one with more items. Null if there is none. */
  evictFor(client: string): T | null;
}

/** The items of one client, or the clients and blocks within a larger block, next turn first. */
interface Group<T> {
  items: T[];
  groups: Map<string, Group<T>>;
  /** Items in all of it. */
  size: number;
}

const newGroup = <T>(): Group<T> => ({ items: [], groups: new Map(), size: 0 });

export function createFairQueue<T extends object>(): FairQueue<T> {
  const root = newGroup<T>();
  /** The largest block first. */
  const pathOf = (client: string) => blocksOf(client).reverse();
  return {
    get size() {
      return root.size;
    },
    add: (client, item) => add(root, pathOf(client), item),
    next: () => takeNext(root),
    remove: (client, item) => remove(root, pathOf(client), item),
    before: (client) => itemsBefore(root, pathOf(client)),
    evictFor: (client) => evictFor(root, pathOf(client)),
  };
}

function add<T>(root: Group<T>, path: readonly string[], item: T): void {
  let group = root;
  group.size++;
  for (const key of path) {
    const inner = group.groups.get(key) ?? newGroup<T>();
    group.groups.set(key, inner);
    group = inner;
    group.size++;
  }
  group.items.push(item);
}

/** The next item. Its group comes last the next time. */
function takeNext<T>(group: Group<T>): T | undefined {
  const own = group.items.shift();
  const [key, inner] = group.groups.entries().next().value ?? [];
  const item = own ?? (inner && takeNext(inner));
  if (item) group.size--;
  if (own || !inner) return item;
  group.groups.delete(key!);
  if (inner.size > 0) group.groups.set(key!, inner);
  return item;
}

function remove<T>(group: Group<T>, [key, ...rest]: readonly string[], item: T): boolean {
  const inner = key === undefined ? undefined : group.groups.get(key);
  const index = inner ? -1 : group.items.indexOf(item);
  const removed = inner ? remove(inner, rest, item) : group.items.splice(index, index < 0 ? 0 : 1).length > 0;
  if (removed) group.size--;
  if (inner?.size === 0) group.groups.delete(key!);
  return removed;
}

/** How many are served before the next one of this client. */
function itemsBefore<T>(group: Group<T>, [key, ...rest]: readonly string[]): number {
  if (key === undefined) return group.items.length;
  const own = group.groups.get(key);
  const within = own ? itemsBefore(own, rest) : 0;
  let before = within;
  for (const [other, { size }] of group.groups) if (other !== key) before += Math.min(size, within + 1);
  return before;
}

/** Makes room for a client: drops the newest item of the largest group that has more than its own, if there is one. */
function evictFor<T>(group: Group<T>, [key, ...rest]: readonly string[]): T | null {
  if (key === undefined) return null;
  const own = group.groups.get(key);
  if (largestOf(group)[1].size > (own?.size ?? 0) + 1) return takeNewest(group);
  const item = own ? evictFor(own, rest) : null;
  if (item) group.size--;
  return item;
}

/** The newest item of the client that has most waiting. */
function takeNewest<T>(group: Group<T>): T {
  group.size--;
  if (group.groups.size === 0) return group.items.pop()!;
  const [key, inner] = largestOf(group);
  const item = takeNewest(inner);
  if (inner.size === 0) group.groups.delete(key);
  return item;
}

const largestOf = <T>({ groups }: Group<T>): [string, Group<T>] =>
  [...groups].reduce((largest, each) => (each[1].size > largest[1].size ? each : largest));
