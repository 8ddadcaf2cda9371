import {
  METRICS,
  type CounterName,
  type HistogramName,
  type MetricName,
  type ReadName,
} from './metric-names.ts';

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

  function counter(name: CounterName, labels?: Labels): { value: number } {
    const series = entry(counters, name, () => new Map<string, { value: number }>());
    return entry(series, labelText(labels), () => ({ value: 0 }));
  }

  function histogram(name: HistogramName, labels?: Labels): Histogram['observe'] {
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
    count: (name, labels, by = 1) => void (counter(name, labels).value += by),
    counter,
    read: (name, read) => void reads.set(name, read),
    observe: (name, seconds, labels) => histogram(name, labels)(seconds),
    histogram,
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
