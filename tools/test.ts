/**
 * Runs every test that needs only this checkout: `npm test`, or `npm test -- part-of-a-path …` for some of them.
 *
 * A test file's lane is its folder, or its first line:
 *
 * - Files in `src`, `packages` and `tools` are unit tests. `npm run test:quick` runs only these, for everyday work.
 * - `// lane: service`: starts servers or processes, or reads many files. Like everything in `test/`, `test:quick` skips it.
 * - `// lane: drill`: kills, overloads, starves or updates a service, or tests a tool that rarely changes. Only
 *   `npm run test:slow` runs it, and the tests that have a long form (test/size.ts).
 * - `// lane: alone`: never shares a process, because it changes its environment or user, or blocks it for seconds.
 *
 * `npm run test:loaded` runs `npm test` on one core that three busy loops share, in another order.
 *
 * `TEST_SEED=<number>` or `TEST_SEED=random` changes the order of the files, which of them share a process, and the values that
 * tests of properties try (`test/property.ts`). Suites that
 * need recorded labels, a browser, database servers or third-party programs live in `test/<name>/` and run with
 * `npm run test:<name>`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomFrom, shuffle } from '../packages/vin/src/random.ts';
import { sample } from '../test/samples.ts';

/** Every folder in `test/` is a suite of its own, except these. */
const NOT_SUITES = ['test/fuzz/', 'test/golden/'];
/**
 * Files that run at the same time. For the groups of `npm test`, one more than the cores of CI's machine, because many tests
 * wait; the suites start servers and browsers that keep both cores busy.
 */
const CONCURRENCY = { groups: 3, suites: 2 };
/** Every process loads modules, data and PDF workers. Alternating files among them makes their durations similar. */
const HEAVY_PROCESSES = 3;
const UNIT_PROCESSES = 1;
/** Only what hangs takes longer, even on a machine that its host starves. */
const TEST_TIMEOUT_MS = 10 * 60_000;
const RUN_TIMEOUT_MS = 45 * 60_000;
const BUSY_LOOPS = 3;
const CORE = '0';

const args = process.argv.slice(2);
const [isQuick, isSlow, isLoaded] = ['--quick', '--slow', '--loaded'].map((flag) => args.includes(flag));
const pathParts = args.filter((arg) => !arg.startsWith('--'));
const isChosen = (file: string): boolean => {
  if (pathParts.length > 0) return pathParts.some((part) => file.includes(part));
  const [folder] = /^test\/[^/]+\//.exec(file) ?? [];
  if (folder && !NOT_SUITES.includes(folder)) return false;
  const isDrill = isMarked(file, 'drill');
  if (isSlow) return isDrill || hasLongForm(file);
  return !isDrill && !(isQuick && isHeavy(file));
};
const inOrder = globSync([
  'src/**/*.test.ts',
  'packages/*/{src,test}/**/*.test.ts',
  'tools/**/*.test.ts',
  'test/**/*.test.ts',
])
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => !file.includes('node_modules') && isChosen(file))
  .sort();
if (inOrder.length === 0) fail(`No test file matches ${pathParts.join(', ')}.`);
const seed = seedOf(process.env.TEST_SEED ?? (isLoaded ? 'random' : ''));
const files = seed === null ? inOrder : shuffle(inOrder, randomFrom(seed));
// Test files and the processes they start load the same modules: compiled once, they take a third of the CPU time.
const scratch = mkdtempSync(join(tmpdir(), 'monroney-tests-'));

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function seedOf(text: string): number | null {
  if (text === '') return null;
  if (text === 'random') return randomInt(1e9);
  return /^\d{1,9}$/.test(text) ? Number(text) : fail('TEST_SEED must be a number or "random".');
}

/** Whether its first line names this lane: `// lane: service`. */
function isMarked(path: string, lane: 'drill' | 'service' | 'alone'): boolean {
  const [, lanes = ''] = /^\/\/ lane: (.+)/.exec(readFileSync(path, 'utf8')) ?? [];
  return lanes.split(', ').includes(lane);
}

function isHeavy(path: string): boolean {
  return path.startsWith('test/') || isMarked(path, 'service');
}

/** `npm test` runs the short form of such a file, `--slow` its long one. */
function hasLongForm(path: string): boolean {
  return /\/size\.ts'/.test(readFileSync(path, 'utf8'));
}

/** Loading modules and data takes longer than most tests, so files share processes: each group is a file that imports some. */
function grouped(paths: readonly string[]): string[] {
  const alone = paths.filter((path) => isMarked(path, 'alone') || fakesTime(path));
  const sharing = paths.filter((path) => !alone.includes(path));
  const groups = [
    ...dealt(
      sharing.filter((path) => isHeavy(path)),
      HEAVY_PROCESSES,
    ),
    ...dealt(
      sharing.filter((path) => !isHeavy(path)),
      UNIT_PROCESSES,
    ),
  ];
  const files = groups.map((members, index) => {
    const file = join(scratch, `group-${String(index + 1).padStart(2, '0')}.test.mjs`);
    writeFileSync(file, groupProgram(members));
    return file;
  });
  return [...files, ...alone];
}

/**
 * Such a file never shares a process either: what another file left running would notice, and if that clears a fake timer of
 * its own, Node removes whichever timer now has its place.
 */
const fakesTime = (path: string): boolean => /fake-time\.ts|timers\.enable/.test(readFileSync(path, 'utf8'));

/**
 * Its tests wait until all files are loaded: Node would run those of the first file at once, and exit when they end. A file
 * that can't be loaded is a failed test, because Node may not report it.
 */
function groupProgram(paths: readonly string[]): string {
  return `import { before, test } from 'node:test';
const loaded = Promise.withResolvers();
before(() => loaded.promise);
for (const url of ${JSON.stringify(paths.map((path) => pathToFileURL(resolve(path)).href))})
  await import(url).catch((error) => void test(url, () => Promise.reject(error)));
loaded.resolve();
`;
}

/** Deals items to groups in turn, like cards. */
function dealt<T>(items: readonly T[], count: number): T[][] {
  return Array.from({ length: Math.min(count, items.length) }, (_, group) =>
    items.filter((_, index) => index % count === group),
  );
}

function run(paths: readonly string[], concurrency: number): boolean {
  const isGrouped = paths.some((path) => path.startsWith(scratch));
  const [program, ...options] = [
    ...onOneCore(process.execPath),
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    // A hook that fails can leave a browser or a service open, and its file would never end. Not for groups: Node would
    // exit before some of their tests. They have a time limit instead.
    ...(isGrouped ? [] : ['--test-force-exit']),
    '--test-reporter=spec',
    ...paths,
  ];
  const { status, error } = spawnSync(program!, options, {
    stdio: 'inherit',
    ...(isGrouped ? { timeout: RUN_TIMEOUT_MS } : {}),
    env: {
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
      ...(isSlow ? { TEST_SIZE: 'long' } : {}),
      ...process.env,
      ...(seed === null ? {} : { TEST_SEED: String(seed) }),
      NODE_ENV: 'test',
    },
  });
  if (error) process.stderr.write(`${error.message}\n`);
  return status === 0;
}

const onOneCore = (program: string): string[] =>
  isLoaded ? ['taskset', '--cpu-list', CORE, program] : [program];

/** They end with this process, however it ends. */
function startBusyLoops(): void {
  if (spawnSync('taskset', ['--version']).status !== 0) fail('npm run test:loaded needs taskset (Linux).');
  const [program, ...options] = onOneCore(process.execPath);
  for (let loop = 0; loop < BUSY_LOOPS; loop++)
    spawn(program!, [...options, '-e', `while (process.ppid === ${process.pid});`], {
      stdio: 'ignore',
    }).unref();
}

/** Labels are their manufacturers', so a clone has none: nobody should think that readers were checked on them. */
function accuracyNote(): string {
  return sample('samples/labels')
    ? 'reader accuracy: npm run test:labels checks it'
    : 'reader accuracy: not checked, no labels; see docs/reading-labels.md';
}

if (seed !== null) process.stdout.write(`The order of the files is that of TEST_SEED=${seed}.\n`);
if (isLoaded) startBusyLoops();
const isAll = pathParts.length === 0;
const passed = isAll && !isSlow ? run(grouped(files), CONCURRENCY.groups) : run(files, CONCURRENCY.suites);
rmSync(scratch, { recursive: true, force: true });
if (seed !== null) process.stdout.write(`To repeat this order: TEST_SEED=${seed}\n`);
if (isAll && !isSlow) process.stdout.write(`${accuracyNote()}\n`);
process.exit(passed ? 0 : 1);
