import type { SourceSwitch, Store } from '../store/store.ts';
import { createFailureLog, type Log } from '../lib/log.ts';

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
