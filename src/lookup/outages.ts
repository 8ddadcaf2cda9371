import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';

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
