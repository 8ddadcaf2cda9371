import type { Metrics } from './metrics.ts';

/** Memory and CPU time, under the names that Prometheus' client libraries use. */
export function exposeProcessMetrics(metrics: Metrics): void {
  metrics.read('process_resident_memory_bytes', () => process.memoryUsage.rss());
  metrics.read('nodejs_heap_size_used_bytes', () => process.memoryUsage().heapUsed);
  metrics.read('nodejs_external_memory_bytes', () => process.memoryUsage().external);
  metrics.read('process_start_time_seconds', () => Math.round(performance.timeOrigin / 1000));
  metrics.read('process_cpu_seconds_total', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}
