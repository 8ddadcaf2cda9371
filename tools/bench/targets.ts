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
  http('heldJson', 'stored label, response in memory', 0.75),
  http('json304', 'lookup, 304', 0.75),
  http('pdf', 'PDF of 300 KB in memory', 0.85),
  http('neverSeen', 'sticker=false of a new VIN', 0.45),
  atLeast('decoder', 'timesUltravinFastest', 'decode, × ultravin’s fastest path', 2.5),
  atLeast('decoder', 'damagedPerCpuSecond', 'decode, 12% damaged, per CPU second', 140_000),
  atMost('decoder', 'loadMs', 'decoder: load, ms', 150),
  atMost('decoder', 'rssAboveBareNodeMb', 'decoder: memory above bare Node, MB', 80),
  atMost('decoder', 'dataFileMb', 'decoder: data file, MB', 3.7),
  atMost('reading', 'addedMs', 'first lookup: added to the source’s time, ms', 15),
  atMost('reading', 'readingMs', 'first lookup: reading the label, p50 ms', 120),
  atMost('reading', 'fordMs', 'reading a real Ford label, CPU ms, p50', 80),
  atMost('reading', 'fordP99Ms', 'reading a real Ford label, CPU ms, p99', 180),
  atMost('reading', 'otherMs', 'reading a real label of GM or Stellantis, CPU ms, p50', 30),
  atMost('start', 'startMs', 'start to first response, ms', 1000),
  atMost('memory', 'idleMb', 'resident memory, idle, MB', 138),
  atMost('memory', 'peakMb', 'resident memory, full load, MB', 280),
  atMost('mcp', 'cpuMsPerCall', 'tool call for a stored label, CPU ms', 1.5),
];

export const meets = ({ min, max }: Target, value: number): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);
