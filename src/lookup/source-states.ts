import { createFailureLog, type Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Source } from '../makers/maker.ts';
import type { SourceSwitch, Store } from '../store/store.ts';
import { hostResult, type TimedOutcome } from './ask.ts';
import { isOurFailure } from './finding-response.ts';

/**
 * Which sources may be used: the operator's switches, applied by every instance within five seconds, and automatic rests
 * of sources that keep refusing us. A resting source is not off: it is retried with exponential backoff.
 */
export interface Switches {
  state(source: string): SourceSwitch;
  /** Milliseconds until a resting source may be retried; 0 when it may be used now. */
  restingMs(source: string): number;
  /** Lets a source rest, if it doesn't: each time for twice as long. */
  rest(source: string): void;
  /** The source sent a label or "none", which ends its rests. */
  responded(source: string): void;
  refresh(): Promise<void>;
  /** Calls the listener when the stored labels of a source may no longer be served, or may be again. */
  onWithheldChange(listener: () => void): void;
  close(): void;
}

/** Enough to say which sources may be used now. */
export interface Status {
  switches: Pick<Switches, 'state' | 'restingMs'>;
  now(): number;
}

export const isOff = ({ id }: Source, { switches }: Status): boolean => switches.state(id).state === 'off';

export const isAvailable = (source: Source, status: Status): boolean =>
  !isOff(source, status) && status.switches.restingMs(source.id) === 0;

const REFRESH_MS = 2000;
const MINUTE_MS = 60_000;
const FIRST_REST_MS = 15 * MINUTE_MS;
const MAX_REST_MS = 6 * 60 * MINUTE_MS;

/** Marks sources switched off by `SOURCES_OFF`: those no longer listed are switched on at the next start. */
const STARTED_OFF = 'switched off when the service was started';

export async function openSwitches(options: {
  store: Pick<Store, 'switches' | 'setSwitch'>;
  startOff: readonly string[];
  log: Log;
  now(): number;
}): Promise<Switches> {
  const { now } = options;
  const started = now();
  let states = new Map<string, SourceSwitch>();
  let startOffApplied = false;
  const rests = new Map<string, { since: number; ms: number }>();
  const listeners: (() => void)[] = [];
  const logState = createFailureLog(
    options.log,
    'cannot read the source switches',
    'source switches are readable again',
  );

  async function refresh(): Promise<void> {
    try {
      use(await read());
      logState(null);
      if (startOffApplied) return;
      await applyStartOff(states);
      startOffApplied = true;
      use(await read());
    } catch (error) {
      // Keep the last known states until the store works again.
      logState(String((error as Error).message));
    }
  }

  function use(rows: Map<string, SourceSwitch>): void {
    const before = withheldIn(states);
    states = rows;
    if (withheldIn(states) !== before) for (const listener of listeners) listener();
  }

  const read = async () =>
    new Map((await options.store.switches()).map((row): [string, SourceSwitch] => [row.source, row]));

  /** Stores `SOURCES_OFF` once, so that all instances and pages agree, and `source on` can undo it. */
  async function applyStartOff(rows: ReadonlyMap<string, SourceSwitch>): Promise<void> {
    const save = (source: string, next: 'on' | 'off') =>
      options.store.setSwitch({
        source,
        state: next,
        reason: next === 'off' ? STARTED_OFF : null,
        since: started,
      });
    for (const source of options.startOff) if (rows.get(source)?.state !== 'off') await save(source, 'off');
    for (const { source, state: before, reason } of rows.values()) {
      if (before === 'off' && reason === STARTED_OFF && !options.startOff.includes(source))
        await save(source, 'on');
    }
  }

  function state(source: string): SourceSwitch {
    const stored = states.get(source) ?? { source, state: 'on', reason: null, since: started };
    if (startOffApplied || stored.state === 'off' || !options.startOff.includes(source)) return stored;
    return { source, state: 'off', reason: STARTED_OFF, since: started };
  }

  /** Only if it is still in state `from`: never overrides the operator. */
  function changeState(
    source: string,
    from: 'on' | 'resting',
    to: 'on' | 'resting',
    reason: string | null,
  ): void {
    void (async () => {
      if (((await read()).get(source)?.state ?? 'on') !== from) return;
      await options.store.setSwitch({ source, state: to, reason, since: now() });
      options.log.warn('source changed', { source, state: to });
      await refresh();
    })().catch((error: Error) => options.log.warn('cannot write a source switch', { error: error.message }));
  }

  /** Until the end of the last rest. */
  function remainingMs(source: string): number {
    const { since, ms } = rests.get(source) ?? { since: 0, ms: 0 };
    const restedMs = now() - since;
    // A clock that was set back must not lengthen it.
    return restedMs < 0 ? 0 : Math.max(0, ms - restedMs);
  }

  await refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();

  return {
    state,
    restingMs: (source) => (state(source).state === 'resting' ? remainingMs(source) : 0),
    rest(source) {
      if (remainingMs(source) > 0) return;
      const ms = Math.min(2 * (rests.get(source)?.ms ?? FIRST_REST_MS / 2), MAX_REST_MS);
      rests.set(source, { since: now(), ms });
      if (state(source).state !== 'resting')
        changeState(source, 'on', 'resting', 'it refused every request for at least half an hour');
    },
    responded(source) {
      rests.delete(source);
      if (state(source).state === 'resting') changeState(source, 'resting', 'on', null);
    },
    refresh,
    onWithheldChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}

const withheldIn = (states: ReadonlyMap<string, SourceSwitch>): string =>
  [...states.values()].flatMap(({ source, withheld }) => (withheld ? [source] : [])).join();

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
  lastLabels: LastLabels;
  metrics: Metrics;
  log: Log;
  now(): number;
}): RecordOutcome {
  const { store, switches, outages, lastLabels, metrics, log, now } = dependencies;
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
    if (outcome.kind === 'label') lastLabels.record(id);
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

/** When each source last sent a label, to a lookup or the canary of any instance. */
export interface LastLabels {
  /** Returns at once; never fails. */
  record(source: string): void;
}

const MIN_RECORD_INTERVAL_MS = 60_000;
const LAST_LABEL_TTL_MS = 10 * 365 * 86_400_000;

const lastLabelKey = (source: string) => `last-label:${source}`;

export function openLastLabels({
  store,
  log,
  now,
}: {
  store: Pick<Store, 'setValue'>;
  log: Log;
  now(): number;
}): LastLabels {
  const written = new Map<string, number>();
  return {
    record(source) {
      const at = now();
      // One write per minute and source is precise enough.
      if (Math.abs(at - (written.get(source) ?? 0)) < MIN_RECORD_INTERVAL_MS) return;
      written.set(source, at);
      void (async () => store.setValue(lastLabelKey(source), String(at), at + LAST_LABEL_TTL_MS))().catch(
        (error: Error) =>
          log.warn('cannot store the time of the last label', { source, error: error.message }),
      );
    },
  };
}

/** Milliseconds since the epoch; null when the source never sent one. */
export async function lastLabel(store: Pick<Store, 'value'>, source: string): Promise<number | null> {
  return Number(await store.value(lastLabelKey(source))) || null;
}
