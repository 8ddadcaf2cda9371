import type { MaybePromise } from '../lib/maybe-promise.ts';

/** What came of asking a host. `unknown` says nothing about it: we gave up ourselves. */
export type Heard = 'answered' | 'refused' | 'failed' | 'unknown';

/**
 * Leaves a host alone that keeps us out or is down. One client's requests are no evidence against a host: they may all
 * be for VINs that nobody built. What one client alone meets makes the host rest for that client; for everybody only
 * when several met it. Requests without a client are for VINs that are known to work, and count for themselves.
 *
 * Another implementation behind the same interface can remember for several processes.
 */
export interface Breaker {
  /** Null when the host may be asked now. */
  resting(host: string, client?: string): MaybePromise<Rest | null>;
  /** Like `resting`, but whoever is let through to a host that has rested is its one probe and must report back. */
  admit(host: string, client?: string): MaybePromise<Rest | null>;
  report(host: string, heard: Heard, retryAfterMs?: number, client?: string): MaybePromise<void>;
}

export interface Rest {
  /** Milliseconds until the host may be asked again. */
  ms: number;
  /** What made us leave it alone, so that nobody is told of a refusal that was none. */
  after: 'refused' | 'failed';
}

export interface BreakerOptions {
  /** Refusals in a row that open it: one may be the edge's bad temper, three are a wish. */
  refusals?: number;
  /** Failures in a row that open it, so that a dead host does not cost every client the whole budget. */
  failures?: number;
  /** The first pause; each next one is twice as long, up to `longestMs`. */
  pauseMs?: number;
  longestMs?: number;
  now?: () => number;
}

/** What one client met in a row, and how long the host rests for this client. */
interface Met {
  count: number;
  at: number;
  until: number;
  after: Rest['after'];
}

interface HostState {
  /** What was heard last; another kind begins a new row. */
  last: Rest['after'];
  by: Map<string, Met>;
  /** How many pauses in a row. */
  pauses: number;
  until: number;
  probeUntil: number;
  /** Whose probe came to nothing last. */
  probedBy: string;
}

const fresh = (): HostState => ({
  last: 'refused',
  by: new Map(),
  pauses: 0,
  until: 0,
  probeUntil: 0,
  probedBy: '',
});

/** No source keeps us waiting longer than this by a header alone, */
const LONGEST_RETRY_AFTER = 15 * 60 * 1000;
/** nor longer than this on the word of a single client's requests. */
const LONGEST_FOR_ONE = 60_000;
/** A probe that never reports back, for example because its process died, is forgotten after this. */
const PROBE_MS = 30_000;
/** How long a client is remembered here, and how many are, for each host. */
const REMEMBERED_MS = 2 * 60_000;
const MOST_CLIENTS = 200;
/** At most this part of what opens the breaker may come from one client. */
const CLIENTS_NEEDED = 3;
const OURSELVES = '';

export function inMemoryBreaker(options: BreakerOptions = {}): Breaker {
  const { refusals = 3, failures = 20, pauseMs = 30_000, longestMs = 15 * 60_000 } = options;
  const now = options.now ?? (() => performance.now());
  const hosts = new Map<string, HostState>();
  const enoughOf = (heard: Rest['after']) => (heard === 'refused' ? refusals : failures);

  function resting(host: string, client = OURSELVES): Rest | null {
    const state = hosts.get(host);
    if (!state) return null;
    const at = now();
    const ms = Math.max(state.until, state.probeUntil) - at;
    if (ms > 0) return { ms, after: state.last };
    const own = client === OURSELVES ? undefined : state.by.get(client);
    return own && own.until > at ? { ms: own.until - at, after: own.after } : null;
  }

  function forgetOld({ by }: HostState, at: number): void {
    for (const [client, met] of by) {
      const old = at - met.at > REMEMBERED_MS && met.until <= at && client !== OURSELVES;
      if (old || by.size > MOST_CLIENTS) by.delete(client);
    }
  }

  /** How much evidence there is, no client counting for more than its part. */
  function weight({ by, last }: HostState): number {
    const most = Math.ceil(enoughOf(last) / CLIENTS_NEEDED);
    let sum = 0;
    for (const [client, { count }] of by) sum += client === OURSELVES ? count : Math.min(count, most);
    return sum;
  }

  function meet(state: HostState, heard: Rest['after'], client: string, at: number): Met {
    if (state.last !== heard) for (const met of state.by.values()) met.count = 0;
    state.last = heard;
    const met = state.by.get(client) ?? { count: 0, at, until: 0, after: heard };
    met.count++;
    met.at = at;
    met.after = heard;
    state.by.delete(client);
    state.by.set(client, met);
    forgetOld(state, at);
    return met;
  }

  return {
    resting,
    admit(host, client) {
      const rest = resting(host, client);
      const state = hosts.get(host);
      if (!rest && state && state.pauses > 0) state.probeUntil = now() + PROBE_MS;
      return rest;
    },
    report(host, heard, retryAfterMs = 0, client = OURSELVES) {
      const at = now();
      const state = hosts.get(host) ?? fresh();
      if (heard === 'answered') {
        // Not by a request that was under way before it was asked to rest.
        if (state.until <= at) hosts.delete(host);
        return;
      }
      hosts.set(host, state);
      state.probeUntil = 0;
      if (heard === 'unknown') return;
      const met = meet(state, heard, client, at);
      const alone = client !== OURSELVES && state.by.size === 1;
      // A refusal with a time is meant for us all; a failure of one client's requests says nothing about the others'.
      const wished = Math.min(retryAfterMs, alone ? LONGEST_FOR_ONE : LONGEST_RETRY_AFTER);
      const asked = alone && heard === 'failed' ? 0 : wished;
      // Requests that were under way when it opened tell nothing new: only a probe makes the pause grow.
      const open = state.until > at;
      const probing = !open && state.pauses > 0;
      const again = probing && client !== OURSELVES && client === state.probedBy;
      if (again) state.pauses--;
      const enough = weight(state) >= enoughOf(heard) || probing;
      const grown = enough && !open ? Math.min(pauseMs * 2 ** state.pauses, longestMs) : 0;
      const pause = Math.max(asked, grown);
      if (client !== OURSELVES) {
        state.probedBy = client;
        // Somebody else has the next probe.
        const own = probing ? 2 * pause : Math.max(met.count >= enoughOf(heard) ? pauseMs : 0, wished);
        if (own > 0) met.until = Math.max(met.until, at + Math.min(own, LONGEST_FOR_ONE));
      }
      if (pause === 0) return;
      if (!open) state.pauses++;
      state.until = Math.max(state.until, at + pause);
    },
  };
}
