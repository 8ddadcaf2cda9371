import { createHmac } from 'node:crypto';

/**
 * Everything that is counted per client is counted here: requests in a time window, requests at once, or both, and the memory
 * that slow clients take.
 *
 * An IPv4 client is its address. An IPv6 client is a /64, inside a /56 and a /48: a household may have 256 of the first, a
 * company or tunnel 65,536. Each block has a budget of its own. Whoever exceeds its own budget is refused, and a refused request
 * counts nowhere, so it takes nothing from the others in its block.
 */
export interface Budget {
  /** How many in `windowMs`; any number without it. */
  requests?: number;
  windowMs?: number;
  /** How many at once; any number without it. */
  concurrent?: number;
  /**
   * Whoever exceeds `requests` is blocked for one window and then starts from zero. Otherwise one more passes as soon as the
   * oldest is a window old.
   */
  blocks?: boolean;
}

export interface Decision {
  allowed: boolean;
  /** How many more pass now. */
  remaining: number;
  /** When refused, milliseconds until it may pass; otherwise until `remaining` grows. */
  waitMs: number;
}

export interface Limiter {
  /** Counts one request. If it is allowed and the budget limits how many run at once, `end` must follow. */
  take(client: string): Decision;
  /** Ends a request. One that cost nothing after all is not counted. */
  end(client: string, isCounted?: boolean): void;
  /** Clients and blocks in memory. */
  size(): number;
}

/** What a block may use, as multiples of a client's budget: the client itself, its /56, its /48. */
const SHARES = [1, 4, 16];

const IPV6_CLIENT = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * The client and the blocks around it, the largest last: `2001:db8:0:1203` is in `2001:db8:0:12/56` and `2001:db8:0/48`. The
 * visitor of a site is in that site, and the site is in its domain.
 */
export function blocksOf(client: string): string[] {
  if (client.startsWith(SITE)) {
    const [site = '', ...visitor] = client.split(' ');
    return [...visitor, ...sitesOf(site)];
  }
  const match = client.includes(':') && IPV6_CLIENT.exec(client);
  if (!match) return [client];
  const [, prefix, last] = match;
  return [client, `${prefix}:${(parseInt(last!, 16) >> 8).toString(16)}/56`, `${prefix}/48`];
}

const SITE = 'site:';

/**
 * A client whose browser asks because a page of another site shows our card, badge or picture: `site:www.example.com 7f3a`. The
 * empty host stands for all sites that don't say who they are. `visitor` has no spaces.
 */
export const visitorOf = (host: string, visitor: string): string => `${SITE}${host} ${visitor}`;

/** The site of a visitor, `site:www.example.com`; null for any other client. */
export const siteOf = (client = ''): string | null =>
  client.startsWith(SITE) ? client.split(' ')[0]! : null;

/** Whoever has a domain has as many hosts in it as it likes. */
function sitesOf(site: string): string[] {
  const names = site.slice(SITE.length).split('.');
  const isDomain = names.length > 1 && !/^\d+$/.test(names.at(-1)!);
  return isDomain ? [site, `${SITE}*.${names.slice(-2).join('.')}`] : [site];
}

/** The largest block around a client. */
export const outermostBlock = (client: string): string => blocksOf(client).at(-1)!;

interface Usage {
  /** When each request of the last window was counted, oldest first. */
  times: number[];
  running: number;
  blockedUntil: number;
}

const newUsage = (): Usage => ({ times: [], running: 0, blockedUntil: 0 });

/** Bounds memory to about 25 MB. Beyond it those that were counted least recently are dropped; new ones are never refused. */
const MAX_KEYS = 60_000;
/** For a client with too many at once: one of them may end any moment. */
const CONCURRENT_RETRY_MS = 2000;

/** Counts in this process. `clock` must not jump when the wall clock is set: pass `performance.now`. */
export function createLimiter(budget: Budget, clock: () => number, maxKeys = MAX_KEYS): Limiter {
  const { requests = Infinity, windowMs = 1000, concurrent = Infinity, blocks = false } = budget;
  // A request that is running counts, however long ago it began.
  const usages = createRecent<Usage>(windowMs, maxKeys, ({ running }) => running > 0);

  /** Milliseconds until one more passes; 0 if it passes now. */
  function waitOf(usage: Usage, share: number, now: number): number {
    if (now < usage.blockedUntil) return usage.blockedUntil - now;
    const { times } = usage;
    let old = 0;
    while (old < times.length && now - times[old]! >= windowMs) old++;
    if (old > 0) times.splice(0, old);
    if (times.length >= requests * share) {
      if (!blocks) return windowMs - (now - times[0]!);
      usage.blockedUntil = now + windowMs;
      usage.times = [];
      return windowMs;
    }
    return usage.running >= concurrent * share ? CONCURRENT_RETRY_MS : 0;
  }

  return {
    take(client) {
      const now = clock();
      const keys = blocksOf(client);
      for (let level = 0; level < keys.length; level++) {
        const usage = usages.find(keys[level]!);
        const waitMs = usage ? waitOf(usage, SHARES[level]!, now) : 0;
        if (waitMs > 0) return { allowed: false, remaining: 0, waitMs };
      }
      let remaining = Infinity;
      let waitMs = 0;
      for (let level = 0; level < keys.length; level++) {
        const usage = usages.find(keys[level]!) ?? usages.add(keys[level]!, newUsage());
        if (concurrent < Infinity) usage.running++;
        if (requests === Infinity) continue;
        usage.times.push(now);
        const left = requests * SHARES[level]! - usage.times.length;
        if (left >= remaining) continue;
        remaining = left;
        // In this order: the other way round, rounding could make it longer than the window.
        waitMs = windowMs - (now - usage.times[0]!);
      }
      return { allowed: true, remaining, waitMs };
    },
    end(client, isCounted = true) {
      for (const key of blocksOf(client)) {
        const usage = usages.find(key);
        if (usage && usage.running > 0) usage.running--;
        if (!isCounted) usage?.times.pop();
      }
    },
    size: usages.size,
  };
}

// The same rule as in memory. A key holds the times of the last window, or, as one negative number, the end of a block. By
// Redis's clock, so that instances with different clocks agree.
const TAKE = `
  local window, blocks, time = tonumber(ARGV[1]), ARGV[2] == '1', redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  for level, key in ipairs(KEYS) do
    local first = tonumber(redis.call('lindex', key, 0) or nil)
    if first and first < 0 then
      if now < -first then return { 0, 0, -first - now } end
      redis.call('del', key)
      first = nil
    end
    while first and now - first >= window do
      redis.call('lpop', key)
      first = tonumber(redis.call('lindex', key, 0) or nil)
    end
    if redis.call('llen', key) >= tonumber(ARGV[2 + level]) then
      if not blocks then return { 0, 0, first + window - now } end
      redis.call('del', key)
      redis.call('rpush', key, -now - window)
      redis.call('pexpire', key, window)
      return { 0, 0, window }
    end
  end
  local remaining, wait = math.huge, 0
  for level, key in ipairs(KEYS) do
    local left = tonumber(ARGV[2 + level]) - redis.call('rpush', key, now)
    redis.call('pexpire', key, window)
    if left < remaining then
      remaining, wait = left, tonumber(redis.call('lindex', key, 0)) + window - now
    end
  end
  return { 1, remaining, wait }`;

interface Scripts {
  eval(script: string, keys: number, ...args: (string | number)[]): Promise<unknown>;
}

/** The part of a connection to Redis that limits need. Rejects within milliseconds if Redis doesn't respond. */
interface ScriptRunner {
  run<T>(commands: (client: Scripts) => Promise<T>): Promise<T>;
}

/**
 * Counts over all instances that use the same Redis, without `concurrent`. While Redis doesn't respond, each instance counts
 * in `local`. All instances have the same `secret`.
 */
export function createSharedLimiter(
  redis: ScriptRunner,
  name: string,
  { requests = Infinity, windowMs = 0, blocks = false }: Budget,
  { secret, local, alone }: { secret: string; local: Limiter; alone(): void },
) {
  // No IP address may leave this process, and a hash without a secret could be reversed by trying all addresses.
  const keyOf = (block: string) =>
    `monroney:${name}:${createHmac('sha256', secret).update(block).digest('hex').slice(0, 32)}`;
  return {
    async take(client: string): Promise<Decision> {
      const keys = blocksOf(client).map(keyOf);
      const budgets = keys.map((_, level) => requests * SHARES[level]!);
      try {
        const [allowed, remaining, waitMs] = (await redis.run((connection) =>
          connection.eval(TAKE, keys.length, ...keys, windowMs, Number(blocks), ...budgets),
        )) as [number, number, number];
        return { allowed: allowed === 1, remaining, waitMs };
      } catch {
        alone();
        return local.take(client);
      }
    },
  };
}

const GENERATIONS = 3;

/**
 * What was used recently. It is remembered for one window after its last use, and for one and a half at most, also if nothing
 * more is used: in three generations of half a window each. What was used moves to the newest, and the oldest is dropped as a
 * whole. So is what was used least recently if there are more than `maxKeys`. A value that is in use stays.
 */
export function createRecent<Value>(
  windowMs: number,
  maxKeys: number,
  isInUse: (value: Value) => boolean = () => false,
) {
  const generations = Array.from({ length: GENERATIONS }, () => new Map<string, Value>());

  function startGeneration(): void {
    const newest = new Map<string, Value>();
    generations.unshift(newest);
    for (const [key, value] of generations.pop()!) if (isInUse(value)) newest.set(key, value);
  }

  // A timer may be a millisecond early.
  setInterval(startGeneration, windowMs / (GENERATIONS - 1) + 1).unref();

  return {
    find(key: string): Value | undefined {
      const newest = generations[0]!;
      for (const generation of generations) {
        const value = generation.get(key);
        if (value === undefined) continue;
        if (generation === newest) return value;
        generation.delete(key);
        newest.set(key, value);
        return value;
      }
      return undefined;
    },
    add(key: string, value: Value): Value {
      if (generations[0]!.size >= maxKeys / GENERATIONS) startGeneration();
      generations[0]!.set(key, value);
      return value;
    },
    size: (): number => generations.reduce((sum, { size }) => sum + size, 0),
  };
}

/**
 * Memory that slow clients take, such as for bodies that haven't arrived or responses that weren't read. Beyond `maxBytes`, gives
 * up keys of the owner with most bytes, or of several with as many: the slowest first, and of equally slow ones the one that has
 * been there longest.
 */
export function createHeldBytes<Key>(
  maxBytes: number,
  giveUp: (key: Key) => void,
  speedOf: (key: Key) => number = () => 0,
) {
  const held = new Map<Key, { bytes: number; owner: string; memory: unknown }>();
  const owners = new Map<string, number>();
  /** By memory, how many keys hold it. */
  const holders = new Map<unknown, number>();
  let total = 0;

  /** The new sum. Drops what is zero. */
  function count<T>(sums: Map<T, number>, of: T, by: number): number {
    const sum = (sums.get(of) ?? 0) + by;
    if (sum > 0) sums.set(of, sum);
    else sums.delete(of);
    return sum;
  }

  function remove(key: Key): void {
    const one = held.get(key);
    if (!one) return;
    held.delete(key);
    count(owners, one.owner, -one.bytes);
    if (count(holders, one.memory, -1) === 0) total -= one.bytes;
  }

  function slowestOfLargest(): Key {
    const most = Math.max(...owners.values());
    return [...held]
      .filter(([, { owner }]) => owners.get(owner) === most)
      .map(([key]) => ({ key, speed: speedOf(key) }))
      .reduce((slowest, other) => (other.speed < slowest.speed ? other : slowest)).key;
  }

  return {
    /** `memory` is what is held. If several keys hold the same, it counts once, and as a whole for each owner. */
    add(key: Key, bytes: number, owner: string, memory: unknown = key): void {
      held.set(key, { bytes, owner, memory });
      count(owners, owner, bytes);
      if (count(holders, memory, 1) === 1) total += bytes;
      while (total > maxBytes) {
        const slowest = slowestOfLargest();
        remove(slowest);
        giveUp(slowest);
      }
    },
    remove,
  };
}
