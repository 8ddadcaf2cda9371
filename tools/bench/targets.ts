/** What is promised, by bench and figure. */
export interface Target {
  part: string;
  figure: string;
  what: string;
  least?: number;
  most?: number;
}

const http = (figure: string, what: string, least: number): Target[] => [
  { part: 'http', figure: `${figure}Cpu`, what: `${what}: CPU, × bare node:http`, least },
];

export const targets: readonly Target[] = [
  ...http('heldJson', 'held label, answer in memory', 0.95),
  ...http('firstHit', 'held label, first hit in the process', 0.7),
  ...http('json304', 'lookup, 304', 0.95),
  ...http('jsonHead', 'lookup, HEAD', 0.95),
  ...http('pdf', 'PDF of 300 KB in memory', 0.93),
  ...http('pdf206', 'PDF, 206 of 64 KB', 0.85),
  ...http('pdf304', 'PDF, 304', 0.95),
  ...http('pdfHead', 'PDF, HEAD', 0.95),
  ...http('pdfCold', 'PDF not in memory, × createReadStream().pipe()', 2.5),
  ...http('neverSeen', 'sticker=false of a VIN never seen', 0.6),
  { part: 'decoder', figure: 'timesUltravinFastest', what: 'decode, × ultravin’s fastest path', least: 2.5 },
  {
    part: 'decoder',
    figure: 'damagedPerCpuSecond',
    what: 'decode, 12 % damaged, a CPU second',
    least: 140_000,
  },
  { part: 'decoder', figure: 'loadMs', what: 'decoder: load, ms', most: 150 },
  { part: 'decoder', figure: 'rssAboveBareNodeMb', what: 'decoder: memory above bare Node, MB', most: 80 },
  { part: 'decoder', figure: 'dataFileMb', what: 'decoder: data file, MB', most: 3.7 },
  { part: 'browser', figure: 'coldDecodeMs', what: 'decoder: first decode in a browser, ms', most: 300 },
  { part: 'reading', figure: 'addedMs', what: 'first lookup: added to the source’s time, ms', most: 5 },
  { part: 'reading', figure: 'readingMs', what: 'first lookup: reading the label, p50 ms', most: 120 },
  { part: 'reading', figure: 'fordMs', what: 'reading a real Ford label, CPU ms, p50', most: 120 },
  { part: 'reading', figure: 'fordP99Ms', what: 'reading a real Ford label, CPU ms, p99', most: 300 },
  { part: 'start', figure: 'startMs', what: 'start to first answer, ms', most: 1000 },
  { part: 'memory', figure: 'idleMb', what: 'resident memory, idle, MB', most: 160 },
  { part: 'memory', figure: 'peakMb', what: 'resident memory, full load, MB', most: 280 },
  { part: 'latency', figure: 'p99OverP50', what: 'half load, p99 over p50', most: 4 },
  {
    part: 'growth',
    figure: 'heldGrowth',
    what: '1,000,000 held labels: cost of a lookup grows by',
    most: 0.15,
  },
  { part: 'growth', figure: 'fromStoreGrowth', what: 'the same, read from the store', most: 0.15 },
  { part: 'growth', figure: 'unknownGrowth', what: 'the same, not held', most: 0.15 },
  { part: 'mcp', figure: 'cpuMsPerCall', what: 'tool call of a held label, CPU ms', most: 1 },
];

export const meets = ({ least, most }: Target, value: number): boolean =>
  (least === undefined || value >= least) && (most === undefined || value <= most);
