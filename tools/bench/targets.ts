/** The targets, by bench and figure. */
export interface Target {
  part: string;
  figure: string;
  what: string;
  min?: number;
  max?: number;
}

const atLeast = (part: string, figure: string, what: string, min: number): Target => ({
  part,
  figure,
  what,
  min,
});
const atMost = (part: string, figure: string, what: string, max: number): Target => ({
  part,
  figure,
  what,
  max,
});
const http = (figure: string, what: string, min: number): Target =>
  atLeast('http', `${figure}Cpu`, `${what}: CPU, × bare node:http`, min);

export const targets: readonly Target[] = [
  http('heldJson', 'stored label, response in memory', 0.95),
  http('firstHit', 'stored label, first request of the process', 0.7),
  http('json304', 'lookup, 304', 0.95),
  http('jsonHead', 'lookup, HEAD', 0.95),
  http('pdf', 'PDF of 300 KB in memory', 0.93),
  http('pdf206', 'PDF, 206 of 64 KB', 0.85),
  http('pdf304', 'PDF, 304', 0.95),
  http('pdfHead', 'PDF, HEAD', 0.95),
  http('pdfCold', 'PDF not in memory, × createReadStream().pipe()', 2.5),
  http('neverSeen', 'sticker=false of a new VIN', 0.6),
  atLeast('decoder', 'timesUltravinFastest', 'decode, × ultravin’s fastest path', 2.5),
  atLeast('decoder', 'damagedPerCpuSecond', 'decode, 12% damaged, per CPU second', 140_000),
  atMost('decoder', 'loadMs', 'decoder: load, ms', 150),
  atMost('decoder', 'rssAboveBareNodeMb', 'decoder: memory above bare Node, MB', 80),
  atMost('decoder', 'dataFileMb', 'decoder: data file, MB', 3.7),
  atMost('browser', 'coldDecodeMs', 'decoder: first decode in a browser, ms', 300),
  atMost('reading', 'addedMs', 'first lookup: added to the source’s time, ms', 5),
  atMost('reading', 'readingMs', 'first lookup: reading the label, p50 ms', 120),
  atMost('reading', 'fordMs', 'reading a real Ford label, CPU ms, p50', 80),
  atMost('reading', 'fordP99Ms', 'reading a real Ford label, CPU ms, p99', 180),
  atMost('reading', 'otherMs', 'reading a real label of GM or Stellantis, CPU ms, p50', 30),
  atMost('start', 'startMs', 'start to first response, ms', 1000),
  atMost('memory', 'idleMb', 'resident memory, idle, MB', 160),
  atMost('memory', 'peakMb', 'resident memory, full load, MB', 280),
  atMost('latency', 'p99OverP50', 'half load, p99 over p50', 4),
  atMost('growth', 'heldGrowth', '1,000,000 stored labels: the cost of a lookup grows by', 0.15),
  atMost('growth', 'fromStoreGrowth', 'the same, read from the store', 0.15),
  atMost('growth', 'unknownGrowth', 'the same, not stored', 0.15),
  atMost('mcp', 'cpuMsPerCall', 'tool call for a stored label, CPU ms', 1),
];

export const meets = ({ min, max }: Target, value: number): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);
