/** Every metric that the service exports. Other names don't compile, so every metric has HELP and TYPE. */

interface Metric {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
}

const counter = (help: string) => ({ type: 'counter', help }) as const satisfies Metric;
const gauge = (help: string) => ({ type: 'gauge', help }) as const satisfies Metric;
const histogram = (help: string) => ({ type: 'histogram', help }) as const satisfies Metric;

export const METRICS = {
  monroney_build_info: gauge('Always 1; the labels are the versions of Node and of the vPIC data.'),

  monroney_http_requests_total: counter('Requests handled, by route template and status.'),
  monroney_http_request_duration_seconds: histogram('From the request to the end of our response, by route.'),
  monroney_limit_alone_total: counter(
    'Requests limited by this instance alone because Redis was unavailable.',
  ),

  monroney_asks_total: counter(
    'Requests to a label source, by outcome; not-asked: queue full, workers busy or no network.',
  ),
  monroney_ask_duration_seconds: histogram(
    'Duration of one request to a source, including waiting and checking.',
  ),
  monroney_source_queue_length: gauge('Requests waiting in the queue of a host.'),
  monroney_source_queue_wait_seconds: histogram('Time a request waited in the queue of a host, by source.'),
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
  monroney_pdf_cache_bytes: gauge('Bytes of PDFs in memory: cached, and still being sent to slow clients.'),
  monroney_store_operation_duration_seconds: histogram('Duration of one store operation.'),
  monroney_store_errors_total: counter('Store operations that failed.'),
  monroney_backend_up: gauge('1 while PostgreSQL, Redis or S3 is available; only with the shared store.'),

  monroney_contacts_dropped_total: counter('Contact counts dropped because too many were waiting.'),
  monroney_analytics_dropped_total: counter('Analytics events dropped.'),

  monroney_event_loop_delay_seconds_max: gauge('Longest event loop delay since the last scrape.'),
  monroney_event_loop_stalls_total: counter('Event loop stalls over 200 ms, by what was running.'),
  process_cpu_seconds_total: counter('User and system CPU time of the service without its workers.'),
  process_resident_memory_bytes: gauge('Resident memory of the service without its workers.'),
  process_start_time_seconds: gauge('Start time of the process since the Unix epoch.'),
  nodejs_heap_size_used_bytes: gauge('Used heap of the service.'),
  nodejs_external_memory_bytes: gauge('Memory of buffers outside the heap.'),
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
type Of<Type extends Metric['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type CounterName = Of<'counter'>;
export type HistogramName = Of<'histogram'>;
export type ReadName = Of<'counter' | 'gauge'>;
