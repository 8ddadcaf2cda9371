interface ConnectionOptions {
  /** Hosts to probe. */
  hosts: readonly string[];
  /** Opens a TLS connection to a host; sends no request. */
  connects(host: string): Promise<boolean>;
  changed?(up: boolean): void;
  now?: () => number;
}

/** How long a result is reused, so that not every failed request probes other hosts. */
const DOWN_MS = 5_000;
const UP_MS = 2_000;
const MAX_PROBED_HOSTS = 3;
/** How often hosts are probed during an outage: without lookups, nothing else would notice that it is over. */
const RECHECK_MS = 30_000;

/** Distinguishes an outage of our internet connection (DNS, route, proxy, TLS interception) from one of a host. */
export function watchConnection(options: ConnectionOptions) {
  const { hosts, connects, changed = () => {}, now = () => performance.now() } = options;
  const reachedAt = new Map<string, number>();
  let downUntil = -Infinity;
  let upUntil = -Infinity;
  let wasUp = true;
  let probing: Promise<boolean> | null = null;
  let recheckTimer: NodeJS.Timeout | undefined;

  function setUp(up: boolean): void {
    downUntil = up ? -Infinity : now() + DOWN_MS;
    if (up === wasUp) return;
    wasUp = up;
    changed(up);
    clearTimeout(recheckTimer);
    if (!up) recheckLater();
  }

  function recheckLater(): void {
    recheckTimer = setTimeout(() => void recheck(), RECHECK_MS).unref();
  }

  async function recheck(): Promise<void> {
    const up = await othersConnect('');
    // A request may have reached a host meanwhile.
    if (wasUp) return;
    if (up) setUp(true);
    else recheckLater();
  }

  async function othersConnect(host: string): Promise<boolean> {
    const others = hosts.filter((other) => siteOf(other) !== siteOf(host));
    const probed = shuffled(others).slice(0, MAX_PROBED_HOSTS);
    // Without another host there is no evidence of an outage.
    if (probed.length === 0) return true;
    return (await Promise.all(probed.map(connects))).includes(true);
  }

  return {
    /** True for a few seconds after an outage was detected, so that requests fail fast. */
    get down(): boolean {
      return now() < downUntil;
    },
    reached(host: string): void {
      reachedAt.set(host, now());
      setUp(true);
    },
    /** Whether `host` was unreachable because of our connection: other hosts are unreachable too. */
    async isOurOutage(host: string, since: number): Promise<boolean> {
      for (const [other, at] of reachedAt) if (other !== host && at >= since) return false;
      if (now() < upUntil) return false;
      if (now() < downUntil) return true;
      probing ??= othersConnect(host).finally(() => (probing = null));
      const up = await probing;
      if (up) upUntil = now() + UP_MS;
      setUp(up);
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
