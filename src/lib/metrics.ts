import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from './log.ts';

interface Metric {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
}

const counter = (help: string) => ({ type: 'counter', help }) as const satisfies Metric;
const gauge = (help: string) => ({ type: 'gauge', help }) as const satisfies Metric;
const histogram = (help: string) => ({ type: 'histogram', help }) as const satisfies Metric;

/** Every metric that the service exports. Other names don't compile, so every metric has HELP and TYPE. */
export const METRICS = {
  monroney_build_info: gauge('Always 1; the labels are the versions of Node and of the vPIC data.'),

  monroney_http_requests_total: counter('Requests handled, by route template and status.'),
  monroney_http_request_duration_seconds: histogram('From the request to the end of our response, by route.'),
  monroney_limit_alone_total: counter(
    'Requests limited by this instance alone because Redis was unavailable.',
  ),

  monroney_asks_total: counter(
    'Requests to a label source, by outcome; not-asked: queue full, source paused, workers busy or no network.',
  ),
  monroney_ask_duration_seconds: histogram(
    'Duration of one request to a source, including waiting and checking.',
  ),
  monroney_source_failing: gauge('1 once a source has failed for ten minutes, until it responds.'),
  monroney_source_queue_length: gauge('Requests waiting in the queue of a host.'),
  monroney_site_queue_length: gauge('Requests for cards and badges on other sites that wait for a host.'),
  monroney_source_queue_wait_seconds: histogram('Time a request waited in the queue of a host, by source.'),
  monroney_vpic_released_timestamp_seconds: gauge(
    'First day of the month of the vPIC data, since the Unix epoch.',
  ),
  monroney_network_up: gauge('0 while this server cannot reach the internet.'),
  monroney_quarantined_total: counter('Source responses that no rule explains, by reason.'),
  monroney_canary_total: counter('Daily checks of a stored label, by source and result.'),

  monroney_readings_total: counter('Labels read, by make and whether the prices add up.'),
  monroney_workers: gauge('Worker processes that are up, by pool.'),
  monroney_workers_busy: gauge('Worker processes that have a job, by pool.'),
  monroney_worker_queue_length: gauge('Jobs waiting for a worker, by pool.'),
  monroney_worker_wait_seconds: histogram('Time a job waited for a worker, by pool.'),
  monroney_worker_job_duration_seconds: histogram('Duration of one job in a worker, by pool.'),
  monroney_worker_refusals_total: counter('Jobs refused because too many were waiting, by pool.'),
  monroney_worker_deaths_total: counter('Workers that crashed or were killed during a job, by pool.'),

  monroney_cache_requests_total: counter('Cache lookups, by cache and result.'),
  monroney_pdf_cache_bytes: gauge('Bytes of cached responses and PDFs.'),
  monroney_store_operation_duration_seconds: histogram('Duration of one store operation.'),
  monroney_store_errors_total: counter('Store operations that failed.'),
  monroney_store_writable: gauge('Whether labels can be stored, tried at every scrape.'),
  monroney_ready: gauge('Whether /readyz is 200: labels can be stored, and the service is not stopping.'),
  monroney_backend_up: gauge('1 while PostgreSQL, Redis or S3 is available; only with the shared store.'),

  monroney_contacts_dropped_total: counter(
    'Contact counts dropped because too many were waiting, or evicted because the table was full.',
  ),
  monroney_analytics_dropped_total: counter('Analytics events dropped.'),

  monroney_event_loop_delay_seconds_max: gauge('Longest event loop delay since the last scrape.'),
  monroney_event_loop_stalls_total: counter('Event loop stalls over 200 ms, by what was running.'),
  process_cpu_seconds_total: counter('User and system CPU time of the service without its workers.'),
  process_resident_memory_bytes: gauge('Resident memory of the service without its workers.'),
  process_start_time_seconds: gauge('Start time of the process since the Unix epoch.'),
  nodejs_heap_size_used_bytes: gauge('Used heap of the service.'),
  nodejs_external_memory_bytes: gauge('Memory of buffers outside the heap.'),
} as const satisfies Record<string, Metric>;

type MetricName = keyof typeof METRICS;
type Of<Type extends Metric['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
type CounterName = Of<'counter'>;
type HistogramName = Of<'histogram'>;
type ReadName = Of<'counter' | 'gauge'>;

export type Labels = Readonly<Record<string, string>>;

/** Counters, gauges and histograms in Prometheus' text form, served on the admin port. */
export interface Metrics {
  count(name: CounterName, labels?: Labels, by?: number): void;
  /** One series of a counter, for hot paths: `series.value++`. It is exported with 0 from now on. */
  counter(name: CounterName, labels?: Labels): { value: number };
  /** A gauge, or a counter kept elsewhere, that is read at every scrape. */
  read(name: ReadName, read: () => number | Iterable<readonly [Labels, number]>): void;
  /** Adds one duration in seconds to a histogram. */
  observe(name: HistogramName, seconds: number, labels?: Labels): void;
  /** One series of a histogram, for hot paths. */
  histogram(name: HistogramName, labels?: Labels): (seconds: number) => void;
  text(): string;
}

const BUCKET_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 25];

interface Histogram {
  labels: string;
  /** The count of each bucket, not cumulative. */
  buckets: number[];
  sum: number;
  observe(seconds: number): void;
}

export function createMetrics(): Metrics {
  const counters = new Map<MetricName, Map<string, { value: number }>>();
  const histograms = new Map<MetricName, Map<string, Histogram>>();
  const reads = new Map<MetricName, Parameters<Metrics['read']>[1]>();

  function counterSeries(name: CounterName, labels?: Labels): { value: number } {
    const series = entry(counters, name, () => new Map<string, { value: number }>());
    return entry(series, labelText(labels), () => ({ value: 0 }));
  }

  function histogramSeries(name: HistogramName, labels?: Labels): Histogram['observe'] {
    const text = labelText(labels);
    const series = entry(histograms, name, () => new Map<string, Histogram>());
    return entry(series, text, () => createHistogram(text)).observe;
  }

  function* samples(name: MetricName): Generator<string> {
    for (const [labels, { value }] of sorted(counters.get(name))) yield sample(name, labels, value);
    const current = reads.get(name)?.();
    if (typeof current === 'number') yield sample(name, '', current);
    else if (current) for (const [labels, value] of current) yield sample(name, labelText(labels), value);
    for (const [, row] of sorted(histograms.get(name))) yield* histogramSamples(name, row);
  }

  return {
    count: (name, labels, by = 1) => void (counterSeries(name, labels).value += by),
    counter: counterSeries,
    read: (name, read) => void reads.set(name, read),
    observe: (name, seconds, labels) => histogramSeries(name, labels)(seconds),
    histogram: histogramSeries,
    text() {
      const lines: string[] = [];
      for (const [name, { type, help }] of Object.entries(METRICS)) {
        const sampleLines = [...samples(name as MetricName)];
        if (sampleLines.length > 0)
          lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...sampleLines);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function createHistogram(labels: string): Histogram {
  const row: Histogram = {
    labels,
    buckets: Array.from({ length: BUCKET_SECONDS.length + 1 }, () => 0),
    sum: 0,
    observe(seconds) {
      let index = 0;
      while (index < BUCKET_SECONDS.length && seconds > BUCKET_SECONDS[index]!) index++;
      row.buckets[index]!++;
      row.sum += seconds;
    },
  };
  return row;
}

function* histogramSamples(name: string, { labels, buckets, sum }: Histogram): Generator<string> {
  const prefix = labels ? `${labels},` : '';
  let count = 0;
  for (const [index, bucketCount] of buckets.entries()) {
    count += bucketCount;
    yield sample(`${name}_bucket`, `${prefix}le="${BUCKET_SECONDS[index] ?? '+Inf'}"`, count);
  }
  yield sample(`${name}_sum`, labels, sum);
  yield sample(`${name}_count`, labels, count);
}

const sample = (name: string, labels: string, value: number): string =>
  `${name}${labels && `{${labels}}`} ${value}`;

function labelText(labels: Labels = {}): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}="${value.replace(/[\\"\n]/g, '_')}"`)
    .join(',');
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

const sorted = <T>(map: Map<string, T> | undefined): [string, T][] =>
  [...(map ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));

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

const LOG_INTERVAL_MS = 60_000;

/** Counts dropped items in a metric, and logs them at most once a minute. */
export function countDropped(
  { log, metrics, now }: { log: Log; metrics: Metrics; now(): number },
  metric: CounterName,
  message: string,
): (count: number, error?: string) => void {
  let unlogged = 0;
  let loggedAt = -Infinity;
  return (count, error) => {
    if (count === 0) return;
    metrics.count(metric, undefined, count);
    unlogged += count;
    if (now() - loggedAt < LOG_INTERVAL_MS) return;
    log.warn(message, { dropped: unlogged, ...(error ? { error } : {}) });
    unlogged = 0;
    loggedAt = now();
  };
}

let running = 'nothing';

/** Records what starts to run: a route template or a job, never anything that a client sent. */
export function nowRunning(what: string): void {
  running = what;
}

/** Longer stalls of the event loop are logged and counted. */
const MIN_STALL_MS = 200;
const STALL_CHECK_MS = 50;

/**
 * Logs and counts stalls of the event loop, with what was started last before them. `cpuMs` tells a stall in our own code
 * from a machine that was suspended or overloaded.
 */
export function watchStalls({ log, metrics }: { log: Log; metrics: Metrics }): () => void {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  metrics.read('monroney_event_loop_delay_seconds_max', () => {
    const { count, max } = delays;
    delays.reset();
    return count > 0 ? max / 1e9 : 0;
  });
  let last = performance.now();
  let cpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const at = performance.now();
    const stalledMs = at - last - STALL_CHECK_MS;
    const cpuNow = process.threadCpuUsage();
    if (stalledMs > MIN_STALL_MS) {
      metrics.count('monroney_event_loop_stalls_total', { running });
      const cpuMs = Math.round((cpuNow.user - cpu.user + cpuNow.system - cpu.system) / 1000);
      log.warn('event loop stalled', { ms: Math.round(stalledMs), cpuMs, running });
    }
    last = at;
    cpu = cpuNow;
    running = 'nothing';
  }, STALL_CHECK_MS).unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}
