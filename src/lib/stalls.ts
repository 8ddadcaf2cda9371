import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

let running = 'nothing';

/** Records what starts to run: a route template or a job, never anything that a client sent. */
export function nowRunning(what: string): void {
  running = what;
}

interface StallOptions {
  log: Log;
  metrics: Metrics;
  /** Longer stalls of the event loop are logged and counted. */
  overMs?: number;
  everyMs?: number;
  now?: () => number;
}

/**
 * Logs and counts stalls of the event loop, with what was started last before them. `cpuMs` tells a stall in our own code
 * from a machine that was suspended or overloaded.
 */
export function watchStalls(options: StallOptions): () => void {
  const { log, metrics, overMs = 200, everyMs = 50, now = () => performance.now() } = options;
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  metrics.read('monroney_event_loop_delay_seconds_max', () => {
    const { count, max } = delays;
    delays.reset();
    return count > 0 ? max / 1e9 : 0;
  });
  let last = now();
  let cpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const at = now();
    const stalledMs = at - last - everyMs;
    const cpuNow = process.threadCpuUsage();
    if (stalledMs > overMs) {
      metrics.count('monroney_event_loop_stalls_total', { running });
      const cpuMs = Math.round((cpuNow.user - cpu.user + cpuNow.system - cpu.system) / 1000);
      log.warn('event loop stalled', { ms: Math.round(stalledMs), cpuMs, running });
    }
    last = at;
    cpu = cpuNow;
    running = 'nothing';
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
