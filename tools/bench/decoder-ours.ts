/**
 * Times our decoder on the VINs of two files, one per line, and prints a JSON object. Runs in its own process, so that
 * load time and memory can be measured.
 */
import { readFileSync } from 'node:fs';
import { cpuMsOf, percentile } from './figures.ts';

const [file = '', rounds = '3', damagedFile = ''] = process.argv.slice(2);
const rssBefore = process.memoryUsage().rss;
const { loadVpic } = await import('../../packages/vin/src/index.ts');
let vpic!: ReturnType<typeof loadVpic>;
// Excludes loading the modules, which are TypeScript here.
const loadMs = await cpuMsOf(() => (vpic = loadVpic()));

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);
const [vins, damaged] = [linesOf(file), linesOf(damagedFile)];
const now = new Date('2026-11-01T00:00:00Z');

// Results must be used, or the compiler may remove the calls.
let checksum = 0;
const paths: Record<string, (vin: string) => void> = {
  decode: (vin) => (checksum += vpic.decode(vin, { now }).codes.length),
  'decode and warning': (vin) => (checksum += vpic.decode(vin, { now }).warning?.length ?? 1),
  decodeFull: (vin) => (checksum += vpic.decodeFull(vin, { now }).elements.length),
  'decode to JSON': (vin) => (checksum += JSON.stringify(vpic.decode(vin, { now })).length),
};

/** VINs per CPU second, the best of several rounds. */
async function perSecondOf(list: readonly string[]): Promise<Record<string, number>> {
  const best: Record<string, number> = {};
  for (const [name, work] of Object.entries(paths)) {
    const times: number[] = [];
    for (let round = 0; round <= Number(rounds); round++)
      times.push(
        await cpuMsOf(() => {
          for (const vin of list) work(vin);
        }),
      );
    best[name] = (list.length * 1000) / Math.min(...times);
  }
  return best;
}

const perSecond = await perSecondOf(vins);
const damagedPerSecond = await perSecondOf(damaged);
const micros = vins.map((vin) => {
  const from = process.hrtime.bigint();
  paths.decode!(vin);
  return Number(process.hrtime.bigint() - from) / 1_000;
});

const rssMb = (process.memoryUsage().rss - rssBefore) / 1e6;
const costs = { loadMs, rssMb, p50Us: percentile(micros, 50), p99Us: percentile(micros, 99) };
process.stdout.write(JSON.stringify({ costs, perSecond, damagedPerSecond, checksum }));
