/** Tells trouble of our own connection to the internet (DNS, route, proxy, TLS interception) from a host's. */
export interface Connection {
  /** True for a few seconds after it was found to be down: nobody needs to try again so soon. */
  readonly down: boolean;
  reached(host: string): void;
  /** Whether `host` could not be reached because of us: other hosts can't be reached either. */
  isOurs(host: string, since: number): Promise<boolean>;
}

export interface ConnectionParts {
  /** Hosts that are compared with. */
  hosts: readonly string[];
  /** Connects to a host, TLS included, and sends nothing. */
  connects(host: string): Promise<boolean>;
  changed?(up: boolean): void;
  now?: () => number;
}

/** How long a verdict is believed, so that others are not tried for every request that fails. */
const DOWN_MS = 5_000;
const UP_MS = 2_000;
const COMPARED = 3;

export function watchConnection(parts: ConnectionParts): Connection {
  const { hosts, connects, changed = () => {}, now = () => performance.now() } = parts;
  const reachedAt = new Map<string, number>();
  let downUntil = -Infinity;
  let upUntil = -Infinity;
  let wasUp = true;
  let comparing: Promise<boolean> | null = null;

  function found(up: boolean): void {
    downUntil = up ? -Infinity : now() + DOWN_MS;
    if (up === wasUp) return;
    wasUp = up;
    changed(up);
  }

  async function othersConnect(host: string): Promise<boolean> {
    const others = hosts.filter((other) => siteOf(other) !== siteOf(host));
    const tried = shuffled(others).slice(0, COMPARED);
    // Nobody to compare with: that proves nothing against us.
    if (tried.length === 0) return true;
    return (await Promise.all(tried.map(connects))).includes(true);
  }

  return {
    get down() {
      return now() < downUntil;
    },
    reached(host) {
      reachedAt.set(host, now());
      found(true);
    },
    async isOurs(host, since) {
      for (const [other, at] of reachedAt) if (other !== host && at >= since) return false;
      if (now() < upUntil) return false;
      if (now() < downUntil) return true;
      comparing ??= othersConnect(host).finally(() => (comparing = null));
      const up = await comparing;
      if (up) upUntil = now() + UP_MS;
      found(up);
      return !up;
    },
  };
}

/** `www.jeep.com` and `www.ramtrucks.com` are two sites, `a.kia.com` and `b.kia.com` one. */
const siteOf = (host: string): string => host.split('.').slice(-2).join('.');

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
