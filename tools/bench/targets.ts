/** The targets: bench, figure, what it is, and its bound. */
const TARGETS: readonly (readonly [
  part: string,
  figure: string,
  what: string,
  is: '≥' | '≤',
  bound: number,
])[] = [
  ['http', 'heldJsonCpu', 'stored label, response in memory: CPU, × bare node:http', '≥', 0.75],
  ['http', 'json304Cpu', 'lookup, 304: CPU, × bare node:http', '≥', 0.75],
  ['http', 'pdfCpu', 'PDF of 300 KB in memory: CPU, × bare node:http', '≥', 0.85],
  ['http', 'neverSeenCpu', 'sticker=false of a new VIN: CPU, × bare node:http', '≥', 0.45],
  ['http', 'toolCallCpuMicros', 'tool call for a stored label, CPU µs', '≤', 1500],
  ['http', 'legacyToolCallCpuMicros', 'the same in the older revision, CPU µs', '≤', 1500],
  ['decoder', 'timesUltravinFastest', 'decode, × ultravin’s fastest path', '≥', 2.5],
  ['decoder', 'damagedPerCpuSecond', 'decode, 12% damaged, per CPU second', '≥', 140_000],
  ['decoder', 'loadMs', 'decoder: load, ms', '≤', 150],
  ['decoder', 'rssAboveBareNodeMb', 'decoder: memory above bare Node, MB', '≤', 80],
  ['decoder', 'dataFileMb', 'decoder: data file, MB', '≤', 3.7],
  ['tables', 'timesUltravin', 'table to Parquet, same columns, × ultravin, CPU', '≥', 1.7],
  ['tables', 'timesUltravinDefault', 'table to Parquet, default columns, × ultravin, CPU', '≥', 1.7],
  ['tables', 'timesUltravinWide', 'table to Parquet, every element, × ultravin, CPU', '≥', 1.4],
  [
    'tables',
    'timesUltravinFew',
    'the same with few VINs of a kind, default columns, × ultravin, CPU',
    '≥',
    1,
  ],
  ['tables', 'timesUltravinMixed', 'the same with no two VINs of a kind, × ultravin, CPU', '≥', 1],
  ['tables', 'timesUltravinMixedDefault', 'the same, default columns, × ultravin, CPU', '≥', 1],
  ['tables', 'timesUltravinMixedWide', 'the same, every element, × ultravin, CPU', '≥', 1],
  ['tables', 'csvPerCpuSecond', 'table to CSV, rows per CPU second', '≥', 60_000],
  ['tables', 'parquetThreads', 'two threads to Parquet, × one', '≥', 1.6],
  ['tables', 'wideThreads', 'two threads to Parquet, every element, × one', '≥', 1.6],
  ['tables', 'csvThreads', 'two threads to CSV, × one', '≥', 1.6],
  ['tables', 'jsonThreads', 'two threads to JSON Lines, × one', '≥', 1.6],
  ['tables', 'memoryMb', 'table of five million rows: memory, MB', '≤', 400],
  ['reading', 'addedMs', 'first lookup: added to the source’s time, ms', '≤', 15],
  ['reading', 'readingMs', 'first lookup: reading the label, p50 ms', '≤', 120],
  ['reading', 'fordMs', 'reading a real Ford label, CPU ms, p50', '≤', 80],
  ['reading', 'fordP99Ms', 'reading a real Ford label, CPU ms, p99', '≤', 180],
  ['reading', 'otherMs', 'reading a real label of GM or Stellantis, CPU ms, p50', '≤', 30],
  ['start', 'startMs', 'start to first response, ms', '≤', 1000],
  ['memory', 'idleMb', 'resident memory, idle, MB', '≤', 138],
  ['memory', 'peakMb', 'resident memory, full load, MB', '≤', 280],
];

/** A row for each target whose figure was measured: what, measured, target, and whether it is met. */
export function compareWithTargets(
  figureOf: (part: string, figure: string) => number | undefined,
): string[][] {
  return TARGETS.flatMap(([part, figure, what, is, bound]) => {
    const value = figureOf(part, figure);
    if (value === undefined) return [];
    const isMet = is === '≥' ? value >= bound : value <= bound;
    return [[what, String(Number(value.toPrecision(4))), `${is} ${bound}`, isMet ? 'met' : 'missed']];
  });
}
