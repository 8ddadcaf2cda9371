import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

let running = 'nothing';

/** Names what starts to run: a route template or a job, never anything a client sent. */
export function nowRunning(what: string): void {
  running = what;
}

export interface StallOptions {
  log: Log;
  metrics: Metrics;
  /** Milliseconds without a turn of the event loop that are logged and counted. */
  overMs?: number;
  everyMs?: number;
}

/**
 * Logs and counts each time the event loop stands still, with what started last before it did. `cpuMs` tells a stall of
 * our own code from a machine that was asleep or had no time for us.
 */
export function watchStalls({ log, metrics, overMs = 200, everyMs = 50 }: StallOptions): () => void {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  metrics.read('monroney_event_loop_delay_seconds_max', () => {
    const { count, max } = delays;
    delays.reset();
    return count > 0 ? max / 1e9 : 0;
  });
  let last = performance.now();
  let cpu = process.cpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const stalledMs = now - last - everyMs;
    const used = process.cpuUsage(cpu);
    if (stalledMs > overMs) {
      metrics.count('monroney_event_loop_stalls_total', { running });
      const cpuMs = Math.round((used.user + used.system) / 1000);
      log.warn('event loop stalled', { ms: Math.round(stalledMs), cpuMs, running });
    }
    last = now;
    cpu = process.cpuUsage();
    running = 'nothing';
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
