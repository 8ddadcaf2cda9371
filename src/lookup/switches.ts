import { hash, randomUUID } from 'node:crypto';
import type { SourceSwitch, Store } from '../store/store.ts';
import { outermostBlock } from '../lib/limits.ts';
import { createFailureLog, type Log } from '../lib/log.ts';
import type { HostResult } from '../sources/breaker.ts';

/**
 * Which sources may be used: the operator's switches, applied by every instance within five seconds, and automatic rests
 * of sources that have refused every request for half an hour. A resting source is not off: it is retried with exponential backoff.
 * Clients can choose VINs that a source refuses, so it neither rests nor rests longer while a health check succeeds.
 */
export interface Switches {
  state(source: string): SourceSwitch;
  /** Milliseconds until a resting source may be retried; 0 when it may be used now. */
  restingMs(source: string): number;
  /** Call it after each request to a source. */
  report(source: string, outcome: 'label' | 'none' | 'refused' | 'failed', client?: string): void;
  refresh(): Promise<void>;
  /** Calls the listener when the stored labels of a source may no longer be served, or may be again. */
  onWithheldChange(listener: () => void): void;
  close(): void;
}

const REFRESH_MS = 2000;
const MINUTE_MS = 60_000;
/** Consecutive refusals, and the time they must span, before a source rests. */
const MIN_REFUSALS = 10;
const MIN_REFUSED_MS = 30 * MINUTE_MS;
const FIRST_REST_MS = 15 * MINUTE_MS;
const MAX_REST_MS = 6 * 60 * MINUTE_MS;

/** Marks sources switched off by `SOURCES_OFF`: those no longer listed are switched on at the next start. */
const STARTED_OFF = 'switched off when the service was started';

type CheckHealth = (source: string) => Promise<HostResult | null>;

interface RefusalRun {
  count: number;
  /** Whether it refused more than one client. */
  severalClients: boolean;
  /** A digest of the first client: kept longer than IP addresses may be. */
  client: string | undefined;
  firstAt: number;
  restMs: number;
  retryAt: number;
  isChecking: boolean;
}

export async function openSwitches(options: {
  store: Pick<Store, 'switches' | 'setSwitch'>;
  startOff: readonly string[];
  log: Log;
  now(): number;
  /** Null if the source has no health check; then the refusals decide. Never rejects. */
  checkHealth?: CheckHealth;
}): Promise<Switches> {
  const { now, checkHealth = null } = options;
  const started = now();
  let states = new Map<string, SourceSwitch>();
  let startOffApplied = false;
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

  await refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();

  return {
    state,
    ...createRests(now, (source) => state(source).state === 'resting', changeState, checkHealth),
    refresh,
    onWithheldChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
}

const withheldIn = (states: ReadonlyMap<string, SourceSwitch>): string =>
  [...states.values()].flatMap(({ source, withheld }) => (withheld ? [source] : [])).join();

/** Counts refusals, and decides when a source rests and for how long. */
function createRests(
  now: () => number,
  isResting: (source: string) => boolean,
  changeState: (source: string, from: 'on' | 'resting', to: 'on' | 'resting', reason: string | null) => void,
  checkHealth: CheckHealth | null,
): Pick<Switches, 'restingMs' | 'report'> {
  const salt = randomUUID();
  const refusals = new Map<string, RefusalRun>();

  /** A clock that was set back must not lengthen a rest. */
  function remainingMs({ retryAt, restMs }: RefusalRun): number {
    const ms = retryAt - now();
    return ms > restMs ? 0 : Math.max(0, ms);
  }

  function report(source: string, outcome: 'label' | 'none' | 'refused' | 'failed', client?: string): void {
    if (outcome === 'label' || outcome === 'none') {
      refusals.delete(source);
      if (isResting(source)) changeState(source, 'resting', 'on', null);
      return;
    }
    const resting = isResting(source);
    // A failure is not a refusal, but it does not end a rest either.
    if (outcome === 'failed' && !resting) return;
    const digest = client && hash('sha256', salt + outermostBlock(client)).slice(0, 16);
    const refusal = refusals.get(source) ?? {
      count: 0,
      severalClients: digest === undefined,
      client: digest,
      firstAt: now(),
      restMs: FIRST_REST_MS / 2,
      retryAt: 0,
      isChecking: false,
    };
    refusals.set(source, refusal);
    refusal.count++;
    // Refusals of a single client are not evidence against a source.
    refusal.severalClients ||= digest !== refusal.client;
    // Requests that were in flight when the rest began don't lengthen it.
    if (remainingMs(refusal) > 0) return;
    if (
      !resting &&
      (!refusal.severalClients || refusal.count < MIN_REFUSALS || now() - refusal.firstAt < MIN_REFUSED_MS)
    )
      return;
    if (checkHealth) void restIfUnhealthy(source, refusal, checkHealth);
    else rest(source, refusal);
  }

  function rest(source: string, refusal: RefusalRun): void {
    refusal.restMs = Math.min(refusal.restMs * 2, MAX_REST_MS);
    refusal.retryAt = now() + refusal.restMs;
    if (!isResting(source))
      changeState(source, 'on', 'resting', 'it refused every request for at least half an hour');
  }

  async function restIfUnhealthy(source: string, refusal: RefusalRun, check: CheckHealth): Promise<void> {
    if (refusal.isChecking) return;
    refusal.isChecking = true;
    const result = await check(source);
    refusal.isChecking = false;
    if (result === 'responded') return report(source, 'label');
    // Another request got a label meanwhile.
    if (refusals.get(source) !== refusal) return;
    // As for other requests, a failure is not a refusal, but it does not end a rest either.
    if (result === null || result === 'refused' || (result === 'failed' && isResting(source)))
      rest(source, refusal);
  }

  return {
    restingMs(source) {
      const refusal = refusals.get(source);
      return refusal && isResting(source) ? remainingMs(refusal) : 0;
    },
    report,
  };
}
