import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Source } from '../makers/maker.ts';
import type { Store } from '../store/store.ts';
import { hostResult, type TimedOutcome } from './ask.ts';
import { isOurFailure } from './finding-response.ts';
import type { Switches } from './switches.ts';

/** The circuit breaker of the source's host is open. */
export const PAUSED = 'paused';

/** `not-asked`: we failed ourselves, or the breaker held the request back. */
export const ASK_OUTCOMES = ['label', 'none', 'refused', 'failed', 'not-asked'] as const;

/** How long a source must fail before the operator reads about it, and refuse before it rests. */
const FAILING_MS = 10 * 60_000;
const RESTS_AFTER_MS = 30 * 60_000;
/** One client's requests pause a host no longer. */
const MAX_CLIENT_PAUSE_MS = 60_000;

/** Whether a request was sent: not if our queue, our network or the breaker held it back. */
export const wasSent = (outcome: TimedOutcome): boolean =>
  outcome.kind === 'label' ||
  outcome.why === 'workers-busy' ||
  (!isOurFailure(outcome) && outcome.why !== PAUSED);

/** Whether the host is paused for all clients after it refused us: it also refused a health check, if one is possible. */
const isRefusingAll = (outcome: TimedOutcome): boolean =>
  outcome.kind === 'refused' && outcome.why === PAUSED && (outcome.retryAfterMs ?? 0) > MAX_CLIENT_PAUSE_MS;

export type RecordOutcome = (source: Source, outcome: TimedOutcome) => void;

/** The one place where outcomes are counted: for the log, the metrics, the status page, and the rest of a source that refuses everybody. */
export function openOutcomes(dependencies: {
  store: Pick<Store, 'countSourceRequest'>;
  switches: Pick<Switches, 'rest' | 'responded'>;
  outages: Pick<Outages, 'noteUnsent'>;
  metrics: Metrics;
  log: Log;
  now(): number;
}): RecordOutcome {
  const { store, switches, outages, metrics, log, now } = dependencies;
  const noteFailures = watchFailures(dependencies);
  return ({ id }, outcome) => {
    const isAsked = wasSent(outcome) && !isOurFailure(outcome);
    const counted = isAsked ? outcome.kind : 'not-asked';
    const labels = { source: id, outcome: counted };
    metrics.count('monroney_asks_total', labels);
    metrics.observe('monroney_ask_duration_seconds', outcome.ms / 1000, labels);
    const why = outcome.kind === 'label' ? undefined : outcome.why;
    log.info('source', { ...labels, why, ms: Math.round(outcome.ms) });
    const failingMs = noteFailures(id, outcome, isAsked);
    if (failingMs >= RESTS_AFTER_MS && isRefusingAll(outcome)) switches.rest(id);
    if (isOurFailure(outcome)) outages.noteUnsent(id);
    if (!isAsked) return;
    if (outcome.kind === 'label' || outcome.kind === 'none') switches.responded(id);
    store
      .countSourceRequest(id, now(), outcome.kind, outcome.ms)
      .catch((error: unknown) =>
        log.warn('cannot count a request to a source', { source: id, error: String(error) }),
      );
  };
}

/**
 * Logs when a source has failed for ten minutes without a response in between, and when it responds again. Returns for how many
 * milliseconds it has failed.
 */
function watchFailures({ metrics, log, now }: { metrics: Metrics; log: Log; now(): number }) {
  const failing = new Map<string, { since: number; isLogged: boolean }>();
  metrics.read('monroney_source_failing', () =>
    [...failing].map(([source, { isLogged }]) => [{ source }, Number(isLogged)] as const),
  );
  return (source: string, outcome: TimedOutcome, isAsked: boolean): number => {
    const result = hostResult(outcome);
    const state = failing.get(source);
    if (!state) {
      // A pause continues failures, and begins none.
      if (isAsked && (result === 'refused' || result === 'failed'))
        failing.set(source, { since: now(), isLogged: false });
      return 0;
    }
    const ms = now() - state.since;
    if (result === 'responded') {
      if (state.isLogged) log.warn('source: responds again', { source, minutes: Math.round(ms / 60_000) });
      failing.delete(source);
      return 0;
    }
    if (result !== 'unknown' && !state.isLogged && ms >= FAILING_MS) {
      state.isLogged = true;
      log.warn('source: has failed for ten minutes', { source, outcome: result });
    }
    return ms;
  };
}

/** Failures of our own. They say nothing about a source, so they are counted apart from those of sources. */
export interface Outages {
  /** Since when this server can't reach the internet; null if it can. */
  networkDownSince(): number | null;
  networkChanged(isUp: boolean): void;
  /** A request to this source couldn't be sent, or its result couldn't be stored, because of us. */
  noteUnsent(source: string): void;
  /** When that last happened; null if it didn't since this instance started. */
  lastUnsent(source: string): number | null;
}

/** In memory: another instance may have a network that works. */
export function createOutages(dependencies: { log: Log; metrics: Metrics; now(): number }): Outages {
  const { log, metrics, now } = dependencies;
  const unsent = new Map<string, number>();
  let downSince: number | null = null;
  metrics.read('monroney_network_up', () => Number(downSince === null));
  return {
    networkDownSince: () => downSince,
    networkChanged(isUp) {
      downSince = isUp ? null : (downSince ?? now());
      if (isUp) log.info('network: restored');
      else
        log.warn('network: this server cannot reach the internet; check DNS, routes, proxy and certificates');
    },
    noteUnsent: (source) => void unsent.set(source, now()),
    lastUnsent: (source) => unsent.get(source) ?? null,
  };
}
