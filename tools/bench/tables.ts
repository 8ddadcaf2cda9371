/**
 * The whole job beside ultravin, file in and file out, in CPU time: `npm run bench -- tables`. `PYTHON` may name a Python that
 * has ultravin and pyarrow.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkDigit } from '../../packages/vin/src/index.ts';
import { mistype, randomFrom, replaceAt } from '../vpic/random-vins.ts';
import { distinctVins } from './decoder.ts';
import { figure, median, pathTo, type BenchResult } from './figures.ts';

const COUNT = 300_000;
/** What one and two threads are compared with: a second one takes a second until it is as fast as the first. */
const LARGE_COUNT = 5_000_000;
/** VINs that differ only in serial number and check digit, as in a fleet or a state's registrations. */
const CARS_OF_A_KIND = 10;
/** In a list from many places there are fewer of a kind, and more typos. */
const FEW_OF_A_KIND = 5;
/** The programs take turns, so that other load on the machine affects both. */
const TURNS = 3;
const PYTHON = process.env.PYTHON ?? 'python3';
const NOW = ['--now', '2026-11-01'];

interface Run {
  cpu: number;
  wall: number;
  memoryMb: number;
}

/** Runs a program to its end, with GNU time around it. */
async function timed(command: string, args: string[], cwd: string): Promise<Run> {
  const child = spawn('time', ['-f', '%U %S %e %M', command, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (some: string) => (text += some));
  const [code] = await new Promise<[number]>((resolve, reject) => {
    child.once('error', reject).once('close', (status) => resolve([status ?? 1]));
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${text}`);
  const [user = 0, system = 0, wall = 0, kilobytes = 0] = text
    .trim()
    .split('\n')
    .at(-1)!
    .split(' ')
    .map(Number);
  return { cpu: user + system, wall, memoryMb: kilobytes / 1024 };
}

/** The columns that ultravin writes in `some`, by our names. */
const SAME =
  'year,make,model,trim,body_class,drive_type,doors,displacement,cylinders,fuel,transmission,plant,manufacturer,ErrorCode,ErrorText,SuggestedVIN';

/** By format: the output, and options. */
const LARGE: Record<'Parquet' | 'every element' | 'CSV' | 'JSON Lines', [name: string, ...args: string[]]> = {
  Parquet: ['large.parquet'],
  'every element': ['large-wide.parquet', '--wide'],
  CSV: ['large.csv'],
  'JSON Lines': ['large.jsonl', '--fields', SAME],
};

/** Rows of cars that exist in numbers; one in `typos` VINs has a typo. */
function* fleet(count: number, kinds: readonly string[], typos = 20): Generator<string> {
  const random = randomFrom(2);
  yield 'VIN,stock,price\n';
  for (let row = 0; row < count; row++) {
    const kind = kinds[Math.floor(random() * kinds.length)]!;
    const serial = String(row % 1_000_000).padStart(6, '0');
    // The serial number of a small manufacturer has three digits.
    const car = kind[2] === '9' ? kind.slice(0, 14) + serial.slice(3) : kind.slice(0, 11) + serial;
    const vin = replaceAt(car, 9, checkDigit(car) ?? '0');
    yield `${row % typos === 0 ? mistype(vin, random) : vin},S${row},${20_000 + (row % 30_000)}\n`;
  }
}

function* list(vins: readonly string[]): Generator<string> {
  yield 'VIN\n';
  for (const vin of vins) yield `${vin}\n`;
}

const write = (path: string, rows: Iterable<string>): Promise<void> =>
  pipeline(Readable.from(rows), createWriteStream(path));

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-tables-'));
  const hasUltravin = spawnSync(PYTHON, ['-c', 'import ultravin, pyarrow'], { stdio: 'ignore' }).status === 0;
  const kinds = distinctVins(COUNT / CARS_OF_A_KIND, 0);
  const [stock, few, mixed, large] = ['stock', 'few', 'mixed', 'large'].map((name) =>
    join(folder, `${name}.csv`),
  );
  const decode =
    (input: string, name: string, ...args: string[]) =>
    () =>
      timed(
        process.execPath,
        [
          pathTo('../../bin/monroney.mjs'),
          'decode',
          input,
          '-o',
          join(folder, `out-${name}`),
          ...NOW,
          ...args,
        ],
        folder,
      );
  const ultravin = (input: string, columns: string) => () =>
    timed(PYTHON, [pathTo('tables-ultravin.py'), input, columns], folder);
  const one = ['--jobs', '1'];
  const two = ['--jobs', '2'];
  const same = ['--fields', SAME];
  const jobs: Record<string, () => Promise<Run>> = {
    'same columns': decode(stock!, 'same.parquet', ...same, ...one),
    'default columns': decode(stock!, 'default.parquet', ...one),
    'every element': decode(stock!, 'wide.parquet', '--wide', ...one),
    CSV: decode(stock!, 'default.csv', ...one),
    'JSON Lines': decode(stock!, 'default.jsonl', ...same, ...one),
    'few of a kind, default columns': decode(few!, 'few.parquet', ...one),
    'no two of a kind, same columns': decode(mixed!, 'mixed.parquet', ...same, ...one),
    'no two of a kind, default columns': decode(mixed!, 'mixed-default.parquet', ...one),
    'no two of a kind, every element': decode(mixed!, 'mixed-wide.parquet', '--wide', ...one),
    ...Object.fromEntries(
      Object.entries(LARGE).flatMap(([name, args]) => [
        [`five million, ${name}, one thread`, decode(large!, ...args, ...one)],
        [`five million, ${name}, two threads`, decode(large!, ...args, ...two)],
      ]),
    ),
    ...(hasUltravin && {
      'ultravin, same columns': ultravin(stock!, 'some'),
      'ultravin, every element': ultravin(stock!, 'all'),
      'ultravin, few of a kind, same columns': ultravin(few!, 'some'),
      'ultravin, no two of a kind, same columns': ultravin(mixed!, 'some'),
      'ultravin, no two of a kind, every element': ultravin(mixed!, 'all'),
    }),
  };
  const runs: Record<string, Run[]> = {};
  try {
    await write(stock!, fleet(COUNT, kinds));
    await write(few!, fleet(COUNT, distinctVins(COUNT / FEW_OF_A_KIND, 0), 10));
    await write(mixed!, list(distinctVins(COUNT, 5)));
    await write(large!, fleet(LARGE_COUNT, kinds));
    for (let turn = 0; turn < TURNS; turn++)
      for (const [name, job] of Object.entries(jobs)) (runs[name] ??= []).push(await job());
    return table(runs, hasUltravin);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function table(runs: Record<string, Run[]>, hasUltravin: boolean): BenchResult {
  const of = (name: string, what: keyof Run) => median(runs[name]!.map((run) => run[what]));
  const cpu = (name: string) => of(name, 'cpu');
  const threads = (name: keyof typeof LARGE) =>
    of(`five million, ${name}, one thread`, 'wall') / of(`five million, ${name}, two threads`, 'wall');
  const times = (name: string, theirs = name) => cpu(`ultravin, ${theirs}`) / cpu(name);
  const row = (name: string, count: number, { cpu: seconds, wall, memoryMb }: Run) => [
    name,
    seconds.toFixed(2),
    wall.toFixed(2),
    figure(count / seconds),
    figure(memoryMb),
  ];
  return {
    name: `tables: ${COUNT.toLocaleString('en')} VINs of a fleet from CSV, file in and file out`,
    columns: ['', 'CPU s', 'seconds', 'rows per CPU second', 'memory MB'],
    rows: Object.keys(runs).map((name) =>
      row(name, name.startsWith('five million') ? LARGE_COUNT : COUNT, {
        cpu: cpu(name),
        wall: of(name, 'wall'),
        memoryMb: of(name, 'memoryMb'),
      }),
    ),
    figures: {
      csvPerCpuSecond: COUNT / cpu('CSV'),
      parquetThreads: threads('Parquet'),
      wideThreads: threads('every element'),
      csvThreads: threads('CSV'),
      jsonThreads: threads('JSON Lines'),
      memoryMb: of('five million, every element, two threads', 'memoryMb'),
      ...(hasUltravin && {
        timesUltravin: times('same columns'),
        timesUltravinDefault: times('default columns', 'same columns'),
        timesUltravinWide: times('every element'),
        timesUltravinFew: times('few of a kind, default columns', 'few of a kind, same columns'),
        timesUltravinMixed: times('no two of a kind, same columns'),
        timesUltravinMixedDefault: times(
          'no two of a kind, default columns',
          'no two of a kind, same columns',
        ),
        timesUltravinMixedWide: times('no two of a kind, every element'),
      }),
    },
    notes: hasUltravin ? [] : [`Left out ultravin, because ${PYTHON} can't import it and pyarrow.`],
  };
}
