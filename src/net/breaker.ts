import type { Soon } from '../lib/soon.ts';

/** What came of asking a host. `unknown` says nothing about it: we gave up ourselves. */
export type Heard = 'answered' | 'refused' | 'failed' | 'unknown';

/**
 * Leaves a host alone that keeps us out or is down. Another implementation behind the same interface can
 * remember for several processes.
 */
export interface Breaker {
  /** Null when the host may be asked now. */
  resting(host: string): Soon<Rest | null>;
  /** Like `resting`, but whoever is let through to a host that has rested is its one probe and must report back. */
  admit(host: string): Soon<Rest | null>;
  report(host: string, heard: Heard, retryAfterMs?: number): Soon<void>;
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
  /** Failures in a row that open it, so that a dead host does not cost every asker the whole budget. */
  failures?: number;
  /** The first pause; each next one is twice as long, up to `longestMs`. */
  pauseMs?: number;
  longestMs?: number;
  now?: () => number;
}

interface HostState {
  refusals: number;
  failures: number;
  /** How many pauses in a row. */
  pauses: number;
  until: number;
  probeUntil: number;
  last: Rest['after'];
}

const fresh = (): HostState => ({
  refusals: 0,
  failures: 0,
  pauses: 0,
  until: 0,
  probeUntil: 0,
  last: 'refused',
});

/** No source keeps us waiting longer than this by a header alone. */
const LONGEST_RETRY_AFTER = 60 * 60 * 1000;
/** A probe that never reports back, for example because its process died, is forgotten after this. */
const PROBE_MS = 30_000;

export function inMemoryBreaker(options: BreakerOptions = {}): Breaker {
  const { refusals = 3, failures = 20, pauseMs = 30_000, longestMs = 15 * 60_000 } = options;
  const now = options.now ?? (() => performance.now());
  const hosts = new Map<string, HostState>();

  function resting(host: string): Rest | null {
    const state = hosts.get(host);
    if (!state) return null;
    const ms = Math.max(state.until, state.probeUntil) - now();
    return ms > 0 ? { ms, after: state.last } : null;
  }

  return {
    resting,
    admit(host) {
      const rest = resting(host);
      const state = hosts.get(host);
      if (!rest && state && state.pauses > 0) state.probeUntil = now() + PROBE_MS;
      return rest;
    },
    report(host, heard, retryAfterMs) {
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
      state.last = heard;
      state.refusals = heard === 'refused' ? state.refusals + 1 : 0;
      state.failures = heard === 'failed' ? state.failures + 1 : 0;
      const asked = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER);
      // Requests that were under way when it opened tell nothing new: only a probe makes the pause grow.
      const open = state.until > at;
      const enough = state.refusals >= refusals || state.failures >= failures || state.pauses > 0;
      const grown = enough && !open ? Math.min(pauseMs * 2 ** state.pauses, longestMs) : 0;
      const pause = Math.max(asked, grown);
      if (pause === 0) return;
      if (!open) state.pauses++;
      state.until = Math.max(state.until, at + pause);
    },
  };
}
