import { hash, randomBytes } from 'node:crypto';
import { outermostBlock } from '../lib/limits.ts';
import type { RedisLink } from '../store/shared/redis.ts';

/** The result of one request to a host. `unknown`: we gave up ourselves, which says nothing about the host. */
export type HostResult = 'responded' | 'refused' | 'failed' | 'unknown';

/**
 * A circuit breaker per host that refuses our requests or is down. One client's failures are weak evidence: they may all
 * be for VINs that don't exist. Failures of one client pause the host for that client; only failures of several clients
 * are a reason to pause it for all. A /48 is one client here, because whoever has it has as many /64s as it likes. Requests
 * without a client count in full. Clients can also choose VINs that the host refuses or fails for, so where a health check is
 * possible, only its result pauses the host for all.
 */
interface Breaker {
  /** Null when a request may be sent now. */
  pauseOf(host: string, client?: string): Pause | null;
  /** Like `pauseOf`, but a request admitted after a pause is the only probe, and must be followed by `report`. */
  admit(host: string, client?: string): Pause | null;
  /** Returns the pause for all clients that the failures so far are a reason for. It begins with `pause`. */
  report(host: string, result: HostResult, retryAfterMs?: number, client?: string): NewPause | null;
  pause(host: string, pause: NewPause): void;
  /** The result of a health check. A failure pauses the host for all; after a response its failures are counted anew. */
  reportHealth(host: string, result: HostResult, retryAfterMs?: number): void;
  /** Forgets clients whose last failure is old. Must be called now and then. */
  forget(): void;
  /** Number of remembered clients. */
  size(): number;
}

export interface Pause {
  /** Milliseconds until the next request is allowed. */
  ms: number;
  /** Why it is paused, so that a failure is never reported as a refusal. */
  after: 'refused' | 'failed';
}

interface NewPause extends Pause {
  /** How many consecutive pauses it makes. */
  pauses: number;
}

export interface BreakerOptions {
  /** Consecutive failures that open it, so that not every client waits for the timeout of a dead host. */
  failures?: number;
  /** The first pause; doubles each time. */
  pauseMs?: number;
  now?: () => number;
}

/** Consecutive failures of one client, and how long the host is paused for it. */
interface ClientState {
  count: number;
  at: number;
  until: number;
  after: Pause['after'];
}

interface HostState {
  /** The kind of the last failure; another kind resets the counts. */
  last: Pause['after'];
  clients: Map<string, ClientState>;
  /** Consecutive pauses. */
  pauses: number;
  until: number;
  probeUntil: number;
  /** A tag of the client whose probe failed last, which can be an hour ago. */
  probedBy: string;
}

const newHost = (): HostState => ({
  last: 'refused',
  clients: new Map(),
  pauses: 0,
  until: 0,
  probeUntil: 0,
  probedBy: '',
});

/** Consecutive refusals that open it. A single one may be a glitch of the source's CDN. */
const REFUSALS = 3;
/** The longest pause, also if a Retry-After header asks for more. */
const MAX_PAUSE_MS = 15 * 60_000;
/** The longest pause that a single client's requests can cause. */
const MAX_CLIENT_PAUSE_MS = 60_000;
/** After this, a probe that never reported (its process died, say) no longer counts. */
const PROBE_MS = 30_000;
/** How long a client is remembered, until the next `forget`, and how many clients per host. */
const REMEMBERED_MS = 90_000;
const MAX_CLIENTS = 200;
/** One client contributes at most a third of the failures that open the breaker. */
const CLIENTS_NEEDED = 3;
const OURSELVES = '';

export function createBreaker(options: BreakerOptions = {}): Breaker {
  const { failures = 20, pauseMs = 30_000 } = options;
  const now = options.now ?? (() => performance.now());
  const hosts = new Map<string, HostState>();
  const salt = randomBytes(16).toString('hex');
  /** Many IP addresses have the same tag, so it doesn't identify a client. */
  const tagOf = (client: string) => hash('sha256', salt + client, 'hex').slice(0, 4);
  const thresholdOf = (kind: Pause['after']) => (kind === 'refused' ? REFUSALS : failures);
  const backoffMs = (pauses: number) => Math.min(pauseMs * 2 ** pauses, MAX_PAUSE_MS);

  function pauseOf(host: string, client = OURSELVES): Pause | null {
    const state = hosts.get(host);
    if (!state) return null;
    const at = now();
    const ms = Math.max(state.until, state.probeUntil) - at;
    if (ms > 0) return { ms, after: state.last };
    const own = client === OURSELVES ? undefined : state.clients.get(outermostBlock(client));
    return own && own.until > at ? { ms: own.until - at, after: own.after } : null;
  }

  function forgetOld({ clients }: HostState, at: number): void {
    for (const [client, state] of clients) {
      const old = at - state.at > REMEMBERED_MS && state.until <= at && client !== OURSELVES;
      if (old || clients.size > MAX_CLIENTS) clients.delete(client);
    }
  }

  /** Failures that count, with each client limited to its share. */
  function weight({ clients, last }: HostState): number {
    const maxPerClient = Math.ceil(thresholdOf(last) / CLIENTS_NEEDED);
    let sum = 0;
    for (const [client, { count }] of clients)
      sum += client === OURSELVES ? count : Math.min(count, maxPerClient);
    return sum;
  }

  function countFailure(state: HostState, kind: Pause['after'], client: string, at: number): ClientState {
    if (state.last !== kind) for (const other of state.clients.values()) other.count = 0;
    state.last = kind;
    const own = state.clients.get(client) ?? { count: 0, at, until: 0, after: kind };
    own.count++;
    own.at = at;
    own.after = kind;
    state.clients.delete(client);
    state.clients.set(client, own);
    forgetOld(state, at);
    return own;
  }

  function stateOf(host: string): HostState {
    const state = hosts.get(host) ?? newHost();
    hosts.set(host, state);
    return state;
  }

  function pause(host: string, { ms, after, pauses }: NewPause): void {
    const state = stateOf(host);
    state.last = after;
    state.pauses = pauses;
    state.until = Math.max(state.until, now() + ms);
  }

  return {
    pauseOf,
    admit(host, client) {
      const current = pauseOf(host, client);
      const state = hosts.get(host);
      if (!current && state && state.pauses > 0) state.probeUntil = now() + PROBE_MS;
      return current;
    },
    report(host, result, retryAfterMs = 0, reporter = OURSELVES) {
      const at = now();
      const client = outermostBlock(reporter);
      const state = stateOf(host);
      if (result === 'responded') {
        // A request that was in flight before the pause does not end it.
        if (state.until <= at) hosts.delete(host);
        return null;
      }
      state.probeUntil = 0;
      if (result === 'unknown') return null;
      const own = countFailure(state, result, client, at);
      const isOnlyClient = client !== OURSELVES && state.clients.size === 1;
      // A refusal with Retry-After is meant for all of us; a failure of one client says nothing about the others.
      const retryMs = Math.min(retryAfterMs, isOnlyClient ? MAX_CLIENT_PAUSE_MS : MAX_PAUSE_MS);
      const requested = isOnlyClient && result === 'failed' ? 0 : retryMs;
      // Requests that were in flight when it opened are no new evidence: only a probe lengthens the pause.
      const open = state.until > at;
      const probing = !open && state.pauses > 0;
      const isSameClient = probing && client !== OURSELVES && tagOf(client) === state.probedBy;
      const pauses = isSameClient ? state.pauses - 1 : state.pauses;
      const enough = weight(state) >= thresholdOf(result) || probing;
      const ms = Math.max(requested, enough && !open ? backoffMs(pauses) : 0);
      if (client !== OURSELVES) {
        state.probedBy = tagOf(client);
        // Another client sends the next probe.
        const ownPause = probing ? 2 * ms : Math.max(own.count >= thresholdOf(result) ? pauseMs : 0, retryMs);
        if (ownPause > 0) own.until = Math.max(own.until, at + Math.min(ownPause, MAX_CLIENT_PAUSE_MS));
      }
      if (open) state.until = Math.max(state.until, at + ms);
      return open || ms === 0 ? null : { ms, after: result, pauses: pauses + 1 };
    },
    pause,
    reportHealth(host, result, retryAfterMs = 0) {
      const state = stateOf(host);
      // It was paused in the meantime.
      if (result === 'unknown' || state.until > now()) return;
      if (result === 'responded') {
        // Those who were refused still wait.
        for (const own of state.clients.values()) own.count = 0;
        state.pauses = state.probeUntil = 0;
        return;
      }
      const ms = Math.max(Math.min(retryAfterMs, MAX_PAUSE_MS), backoffMs(state.pauses));
      pause(host, { ms, after: result, pauses: state.pauses + 1 });
    },
    forget() {
      for (const state of hosts.values()) forgetOld(state, now());
    },
    size: () => hosts.values().reduce((sum, { clients }) => sum + clients.size, 0),
  };
}

/** Each instance counts for itself; when one pauses a host, all do. Each for itself while Redis is unavailable. */
export function sharedPauses(redis: Pick<RedisLink, 'run'>) {
  const keyOf = (host: string) => `monroney:paused:${host}`;
  return {
    of: (host: string): Promise<Pause | null> =>
      redis
        .run((client) => Promise.all([client.get(keyOf(host)), client.pttl(keyOf(host))]))
        .then(([after, ms]): Pause | null =>
          after && ms > 0 ? { ms, after: after === 'failed' ? 'failed' : 'refused' } : null,
        )
        .catch(() => null),
    /** Whether another instance began a health check less than a pause ago. If not, this one does. */
    isChecked: (host: string, pauseMs: number): Promise<boolean> =>
      redis
        .run((client) => client.set(`monroney:checked:${host}`, '', 'PX', pauseMs, 'NX'))
        .then((set) => set === null)
        .catch(() => false),
    /** Never shortens or ends the pause of another instance. */
    async extend(host: string, pause: Pause | null): Promise<void> {
      if (!pause) return;
      try {
        await redis.run(async (client) => {
          if ((await client.pttl(keyOf(host))) >= pause.ms) return;
          await client.set(keyOf(host), pause.after, 'PX', Math.ceil(pause.ms));
        });
      } catch {
        // Other instances count failures of their own.
      }
    },
  };
}
