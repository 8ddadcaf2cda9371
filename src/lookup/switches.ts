import { hash, randomUUID } from 'node:crypto';
import type { SourceSwitch, Store } from '../store/store.ts';
import { changesOf } from '../lib/changes.ts';
import type { Log } from '../lib/log.ts';

/**
 * Which sources may be used: the operator's switches, applied by every instance within five seconds, and automatic rests
 * of sources that refuse all requests for long. A resting source is not off: it is retried with exponential backoff.
 */
export interface Switches {
  state(source: string): SourceSwitch;
  /** Milliseconds until a resting source may be retried; 0 when it may be used now. */
  restingMs(source: string): number;
  /** Call it after each request to a source. */
  report(source: string, outcome: 'label' | 'none' | 'refused' | 'failed', client?: string): void;
  refresh(): Promise<void>;
  close(): void;
}

const REFRESH_MS = 2000;
const MINUTE = 60_000;
/** Consecutive refusals, and the time they must span, before a source rests. */
const REFUSALS = 10;
const REFUSED_FOR = 30 * MINUTE;
const FIRST_PAUSE = 15 * MINUTE;
const LONGEST_PAUSE = 6 * 60 * MINUTE;

/** Marks sources switched off by `SOURCES_OFF`: those no longer listed are switched on at the next start. */
const STARTED_OFF = 'switched off when the service was started';

interface Refusing {
  count: number;
  /** Whether it refused more than one client. */
  several: boolean;
  /** A digest of the first client: kept longer than IP addresses may be. */
  client: string | undefined;
  first: number;
  pause: number;
  nextTry: number;
}

export async function openSwitches(parts: {
  store: Pick<Store, 'switches' | 'setSwitch'>;
  startOff: readonly string[];
  log: Log;
  now(): number;
}): Promise<Switches> {
  const { now } = parts;
  const started = now();
  const salt = randomUUID();
  const refusing = new Map<string, Refusing>();
  let states = new Map<string, SourceSwitch>();
  let begun = false;
  const readable = changesOf(parts.log, 'cannot read the source switches', 'source switches: read again');

  async function refresh(): Promise<void> {
    try {
      states = await read();
      readable(null);
      if (begun) return;
      await begin(states);
      begun = true;
      states = await read();
    } catch (error) {
      // Keep the last known states until the store works again.
      readable(String((error as Error).message));
    }
  }

  const read = async () =>
    new Map((await parts.store.switches()).map((row): [string, SourceSwitch] => [row.source, row]));

  /** Stores `SOURCES_OFF` once, so that all instances and pages agree, and `source on` can undo it. */
  async function begin(rows: ReadonlyMap<string, SourceSwitch>): Promise<void> {
    const put = (source: string, next: 'on' | 'off') =>
      parts.store.setSwitch({
        source,
        state: next,
        reason: next === 'off' ? STARTED_OFF : null,
        since: started,
      });
    for (const source of parts.startOff) if (rows.get(source)?.state !== 'off') await put(source, 'off');
    for (const { source, state: before, reason } of rows.values()) {
      if (before === 'off' && reason === STARTED_OFF && !parts.startOff.includes(source))
        await put(source, 'on');
    }
  }

  function state(source: string): SourceSwitch {
    const known = states.get(source) ?? { source, state: 'on', reason: null, since: started };
    if (begun || known.state === 'off' || !parts.startOff.includes(source)) return known;
    return { source, state: 'off', reason: STARTED_OFF, since: started };
  }

  /** Only if it is still in state `from`: never overrides the operator. */
  function turn(source: string, from: 'on' | 'resting', to: 'on' | 'resting', reason: string | null): void {
    void (async () => {
      if (((await read()).get(source)?.state ?? 'on') !== from) return;
      await parts.store.setSwitch({ source, state: to, reason, since: now() });
      parts.log.warn('source changed', { source, state: to });
      await refresh();
    })().catch((error: Error) => parts.log.warn('cannot write a source switch', { error: error.message }));
  }

  /** A clock that was set back must not lengthen a rest. */
  function leftOf({ nextTry, pause }: Refusing): number {
    const left = nextTry - now();
    return left > pause ? 0 : Math.max(0, left);
  }

  function report(source: string, outcome: 'label' | 'none' | 'refused' | 'failed', client?: string): void {
    if (outcome === 'label' || outcome === 'none') {
      refusing.delete(source);
      if (state(source).state === 'resting') turn(source, 'resting', 'on', null);
      return;
    }
    const resting = state(source).state === 'resting';
    // A failure is not a refusal, but it does not end a rest either.
    if (outcome === 'failed' && !resting) return;
    const who = client && hash('sha256', salt + client).slice(0, 16);
    const refusal = refusing.get(source) ?? {
      count: 0,
      several: who === undefined,
      client: who,
      first: now(),
      pause: FIRST_PAUSE / 2,
      nextTry: 0,
    };
    refusing.set(source, refusal);
    refusal.count++;
    // Refusals of a single client are no evidence against a source.
    refusal.several ||= who !== refusal.client;
    // Requests in flight when the rest began do not lengthen it.
    if (leftOf(refusal) > 0) return;
    if (!resting && (!refusal.several || refusal.count < REFUSALS || now() - refusal.first < REFUSED_FOR))
      return;
    refusal.pause = Math.min(refusal.pause * 2, LONGEST_PAUSE);
    refusal.nextTry = now() + refusal.pause;
    if (!resting) turn(source, 'on', 'resting', 'it refused every request for at least half an hour');
  }

  await refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();

  return {
    state,
    restingMs(source) {
      const refusal = refusing.get(source);
      return refusal && state(source).state === 'resting' ? leftOf(refusal) : 0;
    },
    report,
    refresh,
    close: () => clearInterval(timer),
  };
}
