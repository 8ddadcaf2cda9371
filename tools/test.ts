/**
 * Runs every test that needs only this checkout: `npm test`, or `npm test -- part-of-a-path …` for some of them.
 * `npm run test:quick` leaves out the tests in `test/` and those that read many PDFs or start processes, for everyday
 * work. `TEST_SIZE=long` runs drills and made-up inputs longer (test/size.ts). Suites that need recorded labels, a browser,
 * database servers or third-party programs live in `test/<name>/` and run with `npm run test:<name>`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SUITES = [
  'adding',
  'generators',
  'image',
  'internet',
  'labels',
  'mcp',
  'packages',
  'pages',
  'shared',
  'vpic',
].map((name) => `test/${name}/`);
/** Left out by `--quick`. */
const SLOW =
  /^test\/|^src\/pdf\/|worst-case|judge|label-workers|^src\/cli\/(?:read|relabel)|derived-cache|client\/test\/service|crash|build\.test|fetch\.test|^tools\/labels|^tools\/lint\/rules/;
/**
 * Files that run at the same time. For the groups of `npm test`, one more than the cores of CI's machine, because many tests
 * wait; the suites start servers and browsers that keep both cores busy.
 */
const CONCURRENCY = { groups: 3, suites: 2 };
/** Twice the files that run at the same time. Alternating files among them makes their durations similar. */
const SLOW_PROCESSES = 6;
const FAST_PROCESSES = 3;
/** Never share a process: they change its environment or clock, measure CPU time or block it for seconds. */
const ALONE = /^src\/pdf\/child-|worst-case|^test\/golden\//;
/** They take three minutes on two cores, and ten times as long on a machine whose host is overloaded. */
const MAX_GROUPED_MS = 45 * 60_000;
/** With `TEST_RETRY=on`. More failures are no coincidence, unless the machine was overloaded. */
const MAX_RETRIED_FILES = 5;
const MAX_RETRIES = 2;
/** A machine is overloaded if its host takes this share of its time for other machines. */
const OVERLOADED = 0.2;
/** How long to wait for the host before a retry. */
const MAX_WAIT_MS = 10 * 60_000;
const args = process.argv.slice(2);
const quick = args.includes('--quick');
const pathParts = args.filter((arg) => arg !== '--quick');
const files = globSync([
  'src/**/*.test.ts',
  'packages/*/{src,test}/**/*.test.ts',
  'tools/**/*.test.ts',
  'test/**/*.test.ts',
])
  .filter((file) => !file.includes('node_modules') && !(quick && SLOW.test(file)))
  .filter((file) =>
    pathParts.length
      ? pathParts.some((part) => file.includes(part))
      : !SUITES.some((folder) => file.startsWith(folder)),
  )
  .sort();
if (files.length === 0) {
  process.stderr.write(`No test file matches ${pathParts.join(', ')}.\n`);
  process.exit(1);
}
// Test files and the processes they start load the same modules: compiled once, they take a third of the CPU time.
const scratch = mkdtempSync(join(tmpdir(), 'monroney-tests-'));
const failedList = join(scratch, 'failed');

/** Loading modules and data takes longer than most tests, so files share processes: each group is a file that imports some. */
function grouped(paths: readonly string[]): string[] {
  const sharing = paths.filter((path) => !ALONE.test(path));
  const groups = [
    ...dealt(
      sharing.filter((path) => SLOW.test(path)),
      SLOW_PROCESSES,
    ),
    ...dealt(
      sharing.filter((path) => !SLOW.test(path)),
      FAST_PROCESSES,
    ),
  ];
  const files = groups.map((members, index) => {
    const file = join(scratch, `group-${String(index + 1).padStart(2, '0')}.test.mjs`);
    writeFileSync(file, groupProgram(members));
    return file;
  });
  return [...files, ...paths.filter((path) => ALONE.test(path))];
}

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
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(import.meta.dirname, 'failed-files-reporter.ts')}`,
    `--test-reporter-destination=${failedList}`,
  ];
  const isGrouped = paths.some((path) => path.startsWith(scratch));
  const { status, error } = spawnSync(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${concurrency}`,
      '--test-timeout=240000',
      // A hook that fails can leave a browser or a service open, and its file would never end. Not for groups: Node would
      // exit before some of their tests. They have a time limit instead.
      ...(isGrouped ? [] : ['--test-force-exit']),
      ...reporters,
      ...paths,
    ],
    {
      stdio: 'inherit',
      ...(isGrouped ? { timeout: MAX_GROUPED_MS } : {}),
      env: { NODE_COMPILE_CACHE: join(scratch, 'compiled'), ...process.env, NODE_ENV: 'test' },
    },
  );
  if (error) process.stderr.write(`${error.message}\n`);
  return status === 0;
}

/** Clock ticks in all, and those that the host took for other machines. Only known on Linux. */
function ticks(): { all: number; stolen: number } {
  const [line = ''] = existsSync('/proc/stat') ? readFileSync('/proc/stat', 'utf8').split('\n', 1) : [];
  const counts = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: counts.reduce((sum, count) => sum + count, 0), stolen: counts[7] ?? 0 };
}

function wasOverloaded(since: ReturnType<typeof ticks>): boolean {
  const now = ticks();
  return now.stolen - since.stolen > OVERLOADED * (now.all - since.all);
}

async function untilQuiet(): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += 10_000) {
    const before = ticks();
    // Host time is only counted while something wants to run.
    for (const until = performance.now() + 500; performance.now() < until;);
    if (!wasOverloaded(before)) return;
    await new Promise((resolve) => setTimeout(resolve, 9500));
  }
}

const began = ticks();
let passed = pathParts.length ? run(files, CONCURRENCY.suites) : run(grouped(files), CONCURRENCY.groups);
// On CI's shared machines a test that waits for another program can be too late.
for (let retry = 1; !passed && process.env.TEST_RETRY === 'on' && retry <= MAX_RETRIES; retry++) {
  const failed = readFileSync(failedList, 'utf8').split('\n').filter(Boolean);
  if (failed.length === 0 || (failed.length > MAX_RETRIED_FILES && !wasOverloaded(began))) break;
  await untilQuiet();
  process.stdout.write(`\nFailed, retry ${retry}, one at a time:\n${failed.join('\n')}\n\n`);
  passed = run(failed, 1);
}
rmSync(scratch, { recursive: true, force: true });
process.exit(passed ? 0 : 1);
