import { blocksOf } from './limits.ts';

/**
 * A queue in which clients take turns, however many items each has waiting: first the IPv6 /48s, IPv4 addresses and sites, then
 * the /56s within a /48, then the /64s within a /56.
 */
export interface FairQueue<T extends object, Client = string> {
  readonly size: number;
  add(client: Client, item: T): void;
  /** Takes the item whose turn it is. Passes over items that aren't ready. */
  next(isReady?: (item: T) => boolean): T | undefined;
  /** False if it is no longer waiting. */
  remove(client: Client, item: T): boolean;
  /** How many are served before the next one of this client. */
  before(client: Client): number;
  /** Makes room for a client by removing the newest item of one with more items. Null if there is none. */
  evictFor(client: Client): T | null;
  /**
   * Counts what an item has cost its outermost group, such as milliseconds. The group that has cost least since the queue was
   * last empty is next; without costs, groups alternate.
   */
  charge(client: Client, cost: number): void;
}

/** The items of one client, or the clients and blocks within a larger block, next turn first. */
interface Group<T> {
  items: T[];
  groups: Map<string, Group<T>>;
  /** Items in all of it. */
  size: number;
}

const newGroup = <T>(): Group<T> => ({ items: [], groups: new Map(), size: 0 });

/** The groups around a client and itself, the largest first. */
export const turnsOf = (client: string): string[] => blocksOf(client).reverse();

export function createFairQueue<T extends object>(): FairQueue<T>;
export function createFairQueue<T extends object, Client>(
  pathOf: (client: Client) => readonly string[],
): FairQueue<T, Client>;
export function createFairQueue<T extends object>(
  pathOf: (client: string) => readonly string[] = turnsOf,
): FairQueue<T> {
  const root = newGroup<T>();
  const costs = new Map<string, number>();
  return {
    get size() {
      return root.size;
    },
    add: (client, item) => add(root, pathOf(client), item),
    next(isReady = () => true) {
      const item = takeNext(root, isReady, costs);
      if (root.size === 0) costs.clear();
      return item;
    },
    remove: (client, item) => remove(root, pathOf(client), item),
    before: (client) => itemsBefore(root, pathOf(client)),
    evictFor: (client) => evictFor(root, pathOf(client)),
    charge(client, cost) {
      const [outermost = ''] = pathOf(client);
      costs.set(outermost, (costs.get(outermost) ?? 0) + cost);
    },
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

const NO_COSTS: ReadonlyMap<string, number> = new Map();

/** The next item that is ready. Its group comes last the next time. */
function takeNext<T>(group: Group<T>, isReady: (item: T) => boolean, costs = NO_COSTS): T | undefined {
  const [first] = group.items;
  if (first && isReady(first)) {
    group.size--;
    return group.items.shift();
  }
  for (const [key, inner] of inTurn(group, costs)) {
    const item = takeNext(inner, isReady);
    if (!item) continue;
    group.size--;
    group.groups.delete(key);
    if (inner.size > 0) group.groups.set(key, inner);
    return item;
  }
  return undefined;
}

function inTurn<T>({ groups }: Group<T>, costs: ReadonlyMap<string, number>): Iterable<[string, Group<T>]> {
  const costOf = ([key]: [string, Group<T>]) => costs.get(key) ?? 0;
  return costs.size === 0 ? groups : [...groups].sort((one, other) => costOf(one) - costOf(other));
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

/** Of equally large ones, the one whose turn is last: it has waited for the shortest time. */
const largestOf = <T>({ groups }: Group<T>): [string, Group<T>] =>
  [...groups].reduce((largest, each) => (each[1].size >= largest[1].size ? each : largest));
