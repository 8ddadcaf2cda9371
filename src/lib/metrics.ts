/** Counters, gauges and summaries in Prometheus' text form, served on the loopback-only admin port. */

export interface Metrics {
  count(name: string, labels?: Record<string, string>, by?: number): void;
  /** A gauge read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void;
  /** Adds one duration in seconds to a histogram. */
  observe(name: string, seconds: number, labels?: Record<string, string>): void;
  text(): string;
}

const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 25];

export function createMetrics(): Metrics {
  const counters = new Map<string, number>();
  const gauges = new Map<string, { help: string; read: () => number }>();
  const histograms = new Map<
    string,
    { name: string; labels: string; buckets: number[]; sum: number; count: number }
  >();

  const written = (labels?: Record<string, string>) =>
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}="${value.replace(/[\\"\n]/g, '_')}"`)
      .join(',');

  return {
    count(name, labels, by = 1) {
      const key = labels ? `${name}{${written(labels)}}` : name;
      counters.set(key, (counters.get(key) ?? 0) + by);
    },
    gauge: (name, help, read) => void gauges.set(name, { help, read }),
    observe(name, seconds, labels) {
      const label = written(labels);
      const key = `${name}{${label}}`;
      let row = histograms.get(key);
      if (!row)
        histograms.set(key, (row = { name, labels: label, buckets: BUCKETS.map(() => 0), sum: 0, count: 0 }));
      BUCKETS.forEach((bound, index) => {
        if (seconds <= bound) row.buckets[index]!++;
      });
      row.sum += seconds;
      row.count++;
    },
    text() {
      const lines: string[] = [];
      const typed = new Set<string>();
      const type = (name: string, kind: string) => {
        if (!typed.has(name)) lines.push(`# TYPE ${name} ${kind}`);
        typed.add(name);
      };
      for (const [key, value] of [...counters].sort(([a], [b]) => (a < b ? -1 : 1))) {
        type(key.split('{')[0]!, 'counter');
        lines.push(`${key} ${value}`);
      }
      for (const [name, { help, read }] of gauges) {
        lines.push(`# HELP ${name} ${help}`);
        type(name, 'gauge');
        lines.push(`${name} ${read()}`);
      }
      for (const { name, labels, buckets, sum, count } of histograms.values()) {
        type(name, 'histogram');
        const more = labels ? `${labels},` : '';
        BUCKETS.forEach((bound, index) =>
          lines.push(`${name}_bucket{${more}le="${bound}"} ${buckets[index]}`),
        );
        lines.push(
          `${name}_bucket{${more}le="+Inf"} ${count}`,
          `${name}_sum{${labels}} ${sum}`,
          `${name}_count{${labels}} ${count}`,
        );
      }
      return `${lines.join('\n')}\n`;
    },
  };
}
