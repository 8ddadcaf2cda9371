import type { Metrics } from '../lib/metrics.ts';

interface Route {
  observe(seconds: number): void;
  statuses: Map<number, { value: number }>;
}

/** Counts finished requests. On the hot path, so it caches the counters instead of building label strings. */
export function countRequests(metrics: Metrics): (route: string, status: number, seconds: number) => void {
  const routes = new Map<string, Route>();
  return (route, status, seconds) => {
    let row = routes.get(route);
    if (!row) {
      const observe = metrics.histogram('monroney_http_request_duration_seconds', { route });
      routes.set(route, (row = { observe, statuses: new Map() }));
    }
    row.observe(seconds);
    let count = row.statuses.get(status);
    if (!count) {
      count = metrics.counter('monroney_http_requests_total', { route, status: String(status) });
      row.statuses.set(status, count);
    }
    count.value++;
  };
}
