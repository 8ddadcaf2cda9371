/**
 * The decoder compared with ultravin, on the same 20,000 distinct VINs in the same run, in CPU time: `npm run bench -- decoder`.
 * Neither caches results. `PYTHON` may name a Python that has ultravin and pyarrow.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadVpic } from '../../packages/vin/src/index.ts';
import { makeUpVin, mistype, randomFrom } from '../vpic/random-vins.ts';
import { figure, pathTo, type BenchResult } from './figures.ts';

const COUNT = 20_000;
const ROUNDS = '3';
const PYTHON = process.env.PYTHON ?? 'python3';
// The decoders take turns, so that other load on the machine affects both.
const TURNS = 3;

interface Timed {
  costs: Record<'loadMs' | 'rssMb' | 'p50Us' | 'p99Us', number>;
  perSecond: Record<string, number>;
  /** For VINs of which 12% are damaged; ours alone. */
  damagedPerSecond?: Record<string, number>;
}

/** VINs of many manufacturers and years. `damaged` percent of them contain a typo. */
export function distinctVins(count: number, damaged: number): string[] {
  const vpic = loadVpic();
  const random = randomFrom(1);
  const now = new Date('2026-11-01T00:00:00Z');
  const fixtures = readFileSync(pathTo('../../packages/vin/test/vins.jsonl'), 'utf8').trim().split('\n');
  const fixtureVins = fixtures.map((line): string => JSON.parse(line).vin);
  const vins = new Set<string>();
  for (let n = 0; vins.size < count && n < count * 20; n++) {
    const template = fixtureVins[n % fixtureVins.length] ?? '';
    const wmi = template[2] === '9' ? template.slice(0, 3) + template.slice(11, 14) : template.slice(0, 3);
    const vin = makeUpVin(wmi, template.charAt(9), vpic, random, now);
    if ((n * damaged) % 100 < damaged) vins.add(mistype(vin, random));
    else if (vpic.decode(vin, { now }).codes[0] === 0) vins.add(vin);
  }
  return [...vins];
}

async function timed(command: string, args: string[]): Promise<Timed> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 1e7 });
  return JSON.parse(stdout);
}

/** The best of several turns. */
function best(turns: Timed[]): Timed {
  const pick = <Name extends string>(
    of: (turn: Timed) => Record<Name, number>,
    choose: (...values: number[]) => number,
  ) =>
    Object.fromEntries(
      Object.keys(of(turns[0]!)).map((name) => [
        name,
        choose(...turns.map((turn) => of(turn)[name as Name])),
      ]),
    ) as Record<Name, number>;
  return {
    costs: pick(({ costs }) => costs, Math.min),
    perSecond: pick(({ perSecond }) => perSecond, Math.max),
    damagedPerSecond: pick(({ damagedPerSecond = {} }) => damagedPerSecond, Math.max),
  };
}

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-vins-'));
  const hasUltravin = spawnSync(PYTHON, ['-c', 'import ultravin, pyarrow'], { stdio: 'ignore' }).status === 0;
  const [ourTurns, theirTurns]: [Timed[], Timed[]] = [[], []];
  try {
    const [file, damagedFile] = [join(folder, 'vins.txt'), join(folder, 'damaged.txt')];
    writeFileSync(file, distinctVins(COUNT, 5).join('\n'));
    writeFileSync(damagedFile, distinctVins(COUNT, 12).join('\n'));
    for (let turn = 0; turn < TURNS; turn++) {
      ourTurns.push(await timed(process.execPath, [pathTo('decoder-ours.ts'), file, ROUNDS, damagedFile]));
      if (hasUltravin) theirTurns.push(await timed(PYTHON, [pathTo('decoder-ultravin.py'), file, ROUNDS]));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return table(best(ourTurns), hasUltravin ? best(theirTurns) : null);
}

function table(ours: Timed, theirs: Timed | null): BenchResult {
  const base = ours.perSecond.decode!;
  const damaged = ours.damagedPerSecond!;
  const rowsOf = (decoder: string, { perSecond, costs: { p50Us, p99Us, loadMs, rssMb } }: Timed) =>
    Object.entries(perSecond).map(([path, value]) => [
      `${decoder} ${path}`,
      figure(value),
      `${figure(base / value)} ×`,
      ...(path === 'decode' ? [p50Us, p99Us, loadMs, rssMb] : []).map(figure),
    ]);
  const dataFileMb = statSync(pathTo('../../packages/vin/data/vpic.bin')).size / 1e6;
  return {
    name: `decoder: ${COUNT.toLocaleString('en')} distinct VINs, one thread`,
    columns: ['', 'VINs per CPU second', 'ours is', 'p50 µs', 'p99 µs', 'load CPU ms', 'memory MB'],
    rows: [...rowsOf('Monroney', ours), ...(theirs ? rowsOf('ultravin', theirs) : [])],
    figures: {
      perSecond: base,
      fullPerSecond: ours.perSecond.decodeFull!,
      damagedPerCpuSecond: damaged.decode!,
      p50Us: ours.costs.p50Us,
      p99Us: ours.costs.p99Us,
      loadMs: ours.costs.loadMs,
      rssAboveBareNodeMb: ours.costs.rssMb,
      dataFileMb,
      ...(theirs ? { timesUltravinFastest: base / Math.max(...Object.values(theirs.perSecond)) } : {}),
    },
    notes: [
      `Data file: ${dataFileMb.toFixed(2)} MB. Memory: ours above bare Node, ultravin’s for the process.`,
      `With 12% of the VINs damaged: ${figure(damaged.decode)} decodes per CPU second, ${figure(damaged['decode and warning'])} if every warning is read.`,
      ...(theirs ? [] : ["Left out ultravin, because python3 can't import it and pyarrow."]),
    ],
  };
}
