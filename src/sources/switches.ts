import type { SourceSwitch, Store } from '../store/store.ts';
import type { Log } from '../log.ts';

/** Which sources may be asked: the operator's switches, seen by every instance within five seconds. */
export interface Switches {
  state(source: string): SourceSwitch;
  /** Called after each ask, so that a source that keeps us out for long is seen to be resting. */
  heard(source: string, outcome: 'label' | 'none' | 'refused' | 'failed'): void;
  /** Called whenever some source's state changed. */
  onChange(listener: () => void): void;
  refresh(): Promise<void>;
  close(): void;
}

const REFRESH_MS = 2000;

export async function openSwitches(parts: { store: Pick<Store, 'switches'>; startOff: readonly string[]; log: Log; now(): number }): Promise<Switches> {
  const started = parts.now();
  const listeners: (() => void)[] = [];
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

  await refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();

  return {
    state(source) {
      const known = states.get(source);
      if (known) return known;
      const off = parts.startOff.includes(source);
      return { source, state: off ? 'off' : 'on', reason: off ? 'switched off when the service was started' : null, since: started };
    },
    heard() {},
    onChange: (listener) => void listeners.push(listener),
    refresh,
    close: () => clearInterval(timer),
  };
}
