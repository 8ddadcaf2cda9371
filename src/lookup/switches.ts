import { hash, randomUUID } from 'node:crypto';
import type { SourceSwitch, Store } from '../store/store.ts';
import { changesOf } from '../lib/changes.ts';
import type { Log } from '../lib/log.ts';

/**
 * Which sources may be asked: the operator's switches, seen by every instance within five seconds, and the rest a
 * source takes by itself when it turns everybody away for long. Resting is not off: it is tried again, with growing pauses.
 */
export interface Switches {
  state(source: string): SourceSwitch;
  /** Milliseconds until a resting source may be tried again; 0 when it may be asked now. */
  restingMs(source: string): number;
  /** Called after each ask. */
  report(source: string, outcome: 'label' | 'none' | 'refused' | 'failed', client?: string): void;
  refresh(): Promise<void>;
  close(): void;
}

const REFRESH_MS = 2000;
const MINUTE = 60_000;
/** So many refusals in a row, over so long, and nothing else heard. */
const REFUSALS = 10;
const REFUSED_FOR = 30 * MINUTE;
const FIRST_PAUSE = 15 * MINUTE;
const LONGEST_PAUSE = 6 * 60 * MINUTE;

/** The reason of what `SOURCES_OFF` switched off: what that no longer names goes on again at the next start. */
const STARTED_OFF = 'switched off when the service was started';

interface Refusing {
  count: number;
  /** Whether it turned away more than one client. */
  several: boolean;
  /** A digest of the first one: this is remembered longer than addresses are. */
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
      // What we knew last stays true until the store answers again.
      readable(String((error as Error).message));
    }
  }

  const read = async () =>
    new Map((await parts.store.switches()).map((row): [string, SourceSwitch] => [row.source, row]));

  /** Writes `SOURCES_OFF` down once, so that all instances, the list and the feed tell the same, and `source on` ends it. */
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

  /** Only from the state it was in: what the operator switched meanwhile stays. */
  function turn(source: string, from: 'on' | 'resting', to: 'on' | 'resting', reason: string | null): void {
    void (async () => {
      if (((await read()).get(source)?.state ?? 'on') !== from) return;
      await parts.store.setSwitch({ source, state: to, reason, since: now() });
      parts.log.warn('source changed', { source, state: to });
      await refresh();
    })().catch((error: Error) => parts.log.warn('cannot write a source switch', { error: error.message }));
  }

  /** A clock that was set back must not make a rest longer than it was meant to be. */
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
    // A failure says nothing about being turned away, but it does not end a rest either.
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
    // One client's VINs are no evidence against a source.
    refusal.several ||= who !== refusal.client;
    // Those that were under way when the rest began do not make it longer.
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
