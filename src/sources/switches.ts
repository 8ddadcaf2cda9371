import type { SourceSwitch, Store } from '../store/store.ts';
import type { Log } from '../log.ts';

/**
 * Which sources may be asked: the operator's switches, seen by every instance within five seconds, and the rest a
 * source takes by itself when it turns everybody away for long. Resting is not off: it is tried again, with growing pauses.
 */
export interface Switches {
  state(source: string): SourceSwitch;
  /** Milliseconds until a resting source may be tried again; 0 when it may be asked now. */
  restsFor(source: string): number;
  /** Called after each ask. */
  heard(source: string, outcome: 'label' | 'none' | 'refused' | 'failed'): void;
  /** Called whenever some source's state changed. */
  onChange(listener: () => void): void;
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

interface Refusing {
  count: number;
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
  const listeners: (() => void)[] = [];
  const refusing = new Map<string, Refusing>();
  let states = new Map<string, SourceSwitch>();
  let written = '';

  async function refresh(): Promise<void> {
    try {
      const rows = await parts.store.switches();
      const seen = JSON.stringify(rows);
      if (seen === written) return;
      written = seen;
      states = new Map(rows.map((row) => [row.source, row]));
      for (const listener of listeners) listener();
    } catch (error) {
      // What we knew last stays true until the store answers again.
      parts.log.warn('cannot read the source switches', { error: String((error as Error).message) });
    }
  }

  function state(source: string): SourceSwitch {
    const known = states.get(source);
    if (known) return known;
    const off = parts.startOff.includes(source);
    const reason = off ? 'switched off when the service was started' : null;
    return { source, state: off ? 'off' : 'on', reason, since: started };
  }

  function set(source: string, next: SourceSwitch['state'], reason: string | null): void {
    parts.log.warn('source changed', { source, state: next });
    void (async () => {
      await parts.store.setSwitch({ source, state: next, reason, since: now() });
      await refresh();
    })().catch((error: Error) => parts.log.warn('cannot write a source switch', { error: error.message }));
  }

  function heard(source: string, outcome: 'label' | 'none' | 'refused' | 'failed'): void {
    if (outcome === 'label' || outcome === 'none') {
      refusing.delete(source);
      if (state(source).state === 'resting') set(source, 'on', null);
      return;
    }
    if (outcome !== 'refused') return;
    const refusal = refusing.get(source) ?? { count: 0, first: now(), pause: FIRST_PAUSE / 2, nextTry: 0 };
    refusing.set(source, refusal);
    refusal.count++;
    const resting = state(source).state === 'resting';
    if (!resting && (refusal.count < REFUSALS || now() - refusal.first < REFUSED_FOR)) return;
    refusal.pause = Math.min(refusal.pause * 2, LONGEST_PAUSE);
    refusal.nextTry = now() + refusal.pause;
    if (!resting) set(source, 'resting', 'it has turned away every request for half an hour or more');
  }

  await refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();

  return {
    state,
    restsFor: (source) =>
      state(source).state === 'resting' ? Math.max(0, (refusing.get(source)?.nextTry ?? 0) - now()) : 0,
    heard,
    onChange: (listener) => void listeners.push(listener),
    refresh,
    close: () => clearInterval(timer),
  };
}
