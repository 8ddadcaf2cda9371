import { blocksOf } from '../lib/limits.ts';
import type { RedisLink } from '../store/shared/redis.ts';

/**
 * Reserves the next free slot of a host and returns how many milliseconds away it is. A slot is a point in time, so the pace
 * is only arithmetic: `idleAt` is when the host is idle after all slots so far, and a burst may start that much earlier.
 */
export type Pace = (host: string) => Promise<number>;

/** Requests that an idle host gets at once. */
const BURST = 3;

export function createPace(everyMs: number, now: () => number): Pace {
  const idleTimes = new Map<string, number>();
  return async (host) => {
    const at = now();
    const idleAt = Math.max(idleTimes.get(host) ?? at, at);
    idleTimes.set(host, idleAt + everyMs);
    return Math.max(0, idleAt - (BURST - 1) * everyMs - at);
  };
}

// The same arithmetic, by Redis's clock. A time further ahead than anyone reserves is from a clock that was set back since.
const RESERVE = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local every, burst, horizon = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local idleAt = math.max(tonumber(redis.call('get', KEYS[1]) or now), now)
  if idleAt > now + horizon then idleAt = now end
  redis.call('set', KEYS[1], idleAt + every, 'px', idleAt + every - now + 1000)
  return math.max(0, idleAt - (burst - 1) * every - now)`;

/** One pace per host across all instances; per instance while Redis is unavailable. */
export function sharedPace(redis: Pick<RedisLink, 'run'>, everyMs: number, local: Pace): Pace {
  return (host) =>
    redis
      .run((client) =>
        client.eval(RESERVE, 1, `monroney:pace:${host}`, everyMs, BURST, MAX_WAITING * everyMs),
      )
      .then(Number)
      .catch(() => local(host));
}

/**
 * A fair queue per host. The next request is chosen when its slot comes, not when it is queued: the /48s and IPv4 addresses that
 * wait take turns, then the /56s within a /48, then the /64s within a /56. A backlog so delays only those that caused it.
 */
export interface HostQueues {
  /** Waits for a slot. Not `granted` when there is none within `withinMs`, or the queue is full. */
  wait(host: string, withinMs: number, client?: string, signal?: AbortSignal): Promise<QueueResult>;
  /** Requests waiting per host. */
  lengths(): [host: string, waiting: number][];
}

export interface QueueResult {
  granted: boolean;
  /** How long it waited, or an estimate of how long it would have waited. */
  waitMs: number;
}

interface Waiter {
  since: number;
  done(result: QueueResult): void;
}

/** Those that wait: the requests of one client, or the clients and blocks within a larger block, next turn first. */
interface Group {
  waiters: Waiter[];
  groups: Map<string, Group>;
  /** Requests in all of it. */
  size: number;
}

interface HostQueue {
  root: Group;
  /** When the next slot comes. */
  nextAt: number;
}

/** Requests that may wait for one host. */
const MAX_WAITING = 60;
/** Nothing waits longer, whatever a caller wants. */
const MAX_WAIT_MS = 60_000;

const newGroup = (): Group => ({ waiters: [], groups: new Map(), size: 0 });

export function fairQueues(
  pace: Pace,
  { everyMs, now, maxWaiting = MAX_WAITING }: { everyMs: number; now: () => number; maxWaiting?: number },
): HostQueues {
  const queues = new Map<string, HostQueue>();

  /** Serves one request per slot until nobody waits. */
  async function serve(host: string, queue: HostQueue): Promise<void> {
    while (queue.root.size > 0) {
      const waitMs = await pace(host);
      queue.nextAt = now() + waitMs;
      if (waitMs > 0) await sleep(waitMs);
      const next = takeNext(queue.root);
      next?.done({ granted: true, waitMs: now() - next.since });
    }
    queues.delete(host);
  }

  return {
    lengths: () => Array.from(queues, ([host, { root }]) => [host, root.size]),
    wait(host, withinMs, client = '', signal) {
      const isIdle = !queues.has(host);
      const queue = queues.get(host) ?? { root: newGroup(), nextAt: now() };
      const { root } = queue;
      const path = blocksOf(client).reverse();
      const waitMs = Math.max(0, queue.nextAt - now()) + requestsBefore(root, path) * everyMs;
      if (waitMs > withinMs) return Promise.resolve({ granted: false, waitMs });
      if (root.size >= maxWaiting) {
        const evicted = evictFor(root, path);
        if (!evicted) return Promise.resolve({ granted: false, waitMs });
        evicted.done({ granted: false, waitMs: root.size * everyMs });
      }
      return new Promise((resolve) => {
        const giveUp = (granted: boolean) => {
          if (remove(root, path, waiter)) waiter.done({ granted, waitMs: everyMs });
        };
        const timer = setTimeout(() => giveUp(false), Math.min(withinMs, MAX_WAIT_MS));
        // Granted on abort: the caller then sees its aborted signal.
        const stop = () => giveUp(true);
        signal?.addEventListener('abort', stop);
        const waiter: Waiter = {
          since: now(),
          done(result) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', stop);
            resolve(result);
          },
        };
        add(root, path, waiter);
        if (!isIdle) return;
        queues.set(host, queue);
        void serve(host, queue);
      });
    },
  };
}

function add(root: Group, path: readonly string[], waiter: Waiter): void {
  let group = root;
  group.size++;
  for (const key of path) {
    const inner = group.groups.get(key) ?? newGroup();
    group.groups.set(key, inner);
    group = inner;
    group.size++;
  }
  group.waiters.push(waiter);
}

/** The next request. Its group comes last the next time. */
function takeNext(group: Group): Waiter | undefined {
  const own = group.waiters.shift();
  const [key, inner] = group.groups.entries().next().value ?? [];
  const waiter = own ?? (inner && takeNext(inner));
  if (waiter) group.size--;
  if (own || !inner) return waiter;
  group.groups.delete(key!);
  if (inner.size > 0) group.groups.set(key!, inner);
  return waiter;
}

function remove(group: Group, [key, ...rest]: readonly string[], waiter: Waiter): boolean {
  const inner = key === undefined ? undefined : group.groups.get(key);
  const index = inner ? -1 : group.waiters.indexOf(waiter);
  const removed = inner
    ? remove(inner, rest, waiter)
    : group.waiters.splice(index, index < 0 ? 0 : 1).length > 0;
  if (removed) group.size--;
  if (inner?.size === 0) group.groups.delete(key!);
  return removed;
}

/** How many requests are served before the next one of this client. */
function requestsBefore(group: Group, [key, ...rest]: readonly string[]): number {
  if (key === undefined) return group.waiters.length;
  const own = group.groups.get(key);
  const within = own ? requestsBefore(own, rest) : 0;
  let before = within;
  for (const [other, { size }] of group.groups) if (other !== key) before += Math.min(size, within + 1);
  return before;
}

/** Makes room for a client: drops the newest request of the largest group that has more than its own, if there is one. */
function evictFor(group: Group, [key, ...rest]: readonly string[]): Waiter | null {
  if (key === undefined) return null;
  const own = group.groups.get(key);
  if (largestOf(group)[1].size > (own?.size ?? 0) + 1) return takeNewest(group);
  const waiter = own ? evictFor(own, rest) : null;
  if (waiter) group.size--;
  return waiter;
}

/** The newest request of the client that has most waiting. */
function takeNewest(group: Group): Waiter {
  group.size--;
  if (group.groups.size === 0) return group.waiters.pop()!;
  const [key, inner] = largestOf(group);
  const waiter = takeNewest(inner);
  if (inner.size === 0) group.groups.delete(key);
  return waiter;
}

const largestOf = ({ groups }: Group): [string, Group] =>
  [...groups].reduce((largest, each) => (each[1].size > largest[1].size ? each : largest));

/** Not `node:timers/promises`, whose timers tests cannot mock. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
