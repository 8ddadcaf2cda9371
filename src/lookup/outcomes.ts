import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Source } from '../makers/maker.ts';
import type { Store } from '../store/store.ts';
import { hostResult, type TimedOutcome } from './ask.ts';
import { isOurFailure } from './finding-response.ts';
import type { Outages } from './outages.ts';
import type { Switches } from './switches.ts';

/** The circuit breaker of the source's host is open. */
export const PAUSED = 'paused';

/** `not-asked`: we failed ourselves, or the breaker held the request back. */
export const ASK_OUTCOMES = ['label', 'none', 'refused', 'failed', 'not-asked'] as const;

/** How long a source must fail before the operator reads about it. */
const FAILING_MS = 10 * 60_000;

/** Whether a request was sent: not if our queue, our network or the breaker held it back. */
export const wasSent = (outcome: TimedOutcome): boolean =>
  outcome.kind === 'label' ||
  outcome.why === 'workers-busy' ||
  (!isOurFailure(outcome) && outcome.why !== PAUSED);

export type RecordOutcome = (source: Source, outcome: TimedOutcome, client?: string) => void;

/** The one place where outcomes are counted: for the log, the metrics, the status page, and the rest of a source that refuses everybody. */
export function openOutcomes(dependencies: {
  store: Pick<Store, 'countSourceRequest'>;
  switches: Pick<Switches, 'report'>;
  outages: Pick<Outages, 'noteUnsent'>;
  metrics: Metrics;
  log: Log;
  now(): number;
}): RecordOutcome {
  const { store, switches, outages, metrics, log, now } = dependencies;
  const noteFailures = watchFailures(dependencies);
  return ({ id }, outcome, client) => {
    const isAsked = wasSent(outcome) && !isOurFailure(outcome);
    const counted = isAsked ? outcome.kind : 'not-asked';
    const labels = { source: id, outcome: counted };
    metrics.count('monroney_asks_total', labels);
    metrics.observe('monroney_ask_duration_seconds', outcome.ms / 1000, labels);
    const why = outcome.kind === 'label' ? undefined : outcome.why;
    log.info('source', { ...labels, why, ms: Math.round(outcome.ms) });
    noteFailures(id, outcome, isAsked);
    if (isOurFailure(outcome)) outages.noteUnsent(id);
    if (!isAsked) return;
    switches.report(id, outcome.kind, client);
    store
      .countSourceRequest(id, now(), outcome.kind, outcome.ms)
      .catch((error: unknown) =>
        log.warn('cannot count a request to a source', { source: id, error: String(error) }),
      );
  };
}

/** Logs when a source has failed for ten minutes without a response in between, and when it responds again. */
function watchFailures({ metrics, log, now }: { metrics: Metrics; log: Log; now(): number }) {
  const failing = new Map<string, { since: number; isLogged: boolean }>();
  metrics.read('monroney_source_failing', () =>
    [...failing].map(([source, { isLogged }]) => [{ source }, Number(isLogged)] as const),
  );
  return (source: string, outcome: TimedOutcome, isAsked: boolean): void => {
    const result = hostResult(outcome);
    if (result === 'unknown') return;
    const state = failing.get(source);
    if (result === 'responded') {
      if (state?.isLogged) log.warn('source: responds again', { source, minutes: minutesSince(state.since) });
      failing.delete(source);
    } else if (!state) {
      // A pause continues failures, and begins none.
      if (isAsked) failing.set(source, { since: now(), isLogged: false });
    } else if (!state.isLogged && now() - state.since >= FAILING_MS) {
      state.isLogged = true;
      log.warn('source: has failed for ten minutes', { source, outcome: result });
    }
  };

  function minutesSince(at: number): number {
    return Math.round((now() - at) / 60_000);
  }
}
