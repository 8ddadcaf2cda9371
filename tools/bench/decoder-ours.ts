/**
 * Times our decoder on the VINs of two files, one per line, and prints a JSON object. Runs in its own process, so that
 * load time and memory can be measured.
 */
import { readFileSync } from 'node:fs';
import { percentile } from './figures.ts';

const rssBefore = process.memoryUsage().rss;
const { loadVpic } = await import('../../packages/vin/src/index.ts');
// Measures CPU time, because other processes may use the core. Excludes loading the modules, which are TypeScript here.
const started = process.cpuUsage();
const vpic = loadVpic();
const spent = process.cpuUsage(started);
const loadMs = (spent.user + spent.system) / 1_000;

const [file = '', damagedFile = '', rounds = '3'] = process.argv.slice(2);
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);
const vins = linesOf(file);
const damaged = linesOf(damagedFile);
const now = new Date('2026-11-01T00:00:00Z');

// Results must be used, or the compiler may remove the calls.
let checksum = 0;
const paths: Record<string, (vin: string) => void> = {
  decode: (vin) => (checksum += vpic.decode(vin, { now }).codes.length),
  'decode and warning': (vin) => (checksum += vpic.decode(vin, { now }).warning?.length ?? 1),
  decodeFull: (vin) => (checksum += vpic.decodeFull(vin, { now }).elements.length),
  'decode to JSON': (vin) => (checksum += JSON.stringify(vpic.decode(vin, { now })).length),
};

// CPU time, because other processes may use the core.
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** The best of several rounds. */
function perSecondOf(work: (vin: string) => void, list: string[]): number {
  let best = 0;
  for (let round = 0; round <= Number(rounds); round++) {
    const from = cpuSeconds();
    for (const vin of list) work(vin);
    best = Math.max(best, list.length / (cpuSeconds() - from));
  }
  return best;
}

const perSecond: Record<string, number> = {};
const damagedPerCpuSecond: Record<string, number> = {};
for (const [name, work] of Object.entries(paths)) {
  perSecond[name] = perSecondOf(work, vins);
  damagedPerCpuSecond[name] = perSecondOf(work, damaged);
}

const micros = (work: (vin: string) => void): number[] =>
  vins.map((vin) => {
    const from = process.hrtime.bigint();
    work(vin);
    return Number(process.hrtime.bigint() - from) / 1_000;
  });
const durationsUs = micros(paths.decode ?? (() => {}));

process.stdout.write(
  JSON.stringify({
    month: vpic.month,
    loadMs,
    rssMb: (process.memoryUsage().rss - rssBefore) / 1e6,
    perSecond,
    damagedPerCpuSecond,
    p50Us: percentile(durationsUs, 50),
    p99Us: percentile(durationsUs, 99),
    checksum,
  }),
);
