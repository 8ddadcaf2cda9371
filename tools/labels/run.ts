/**
 * Shows what a change to a reader does to a folder of labels: `npm run labels -- DIR`. The first run writes a snapshot to
 * DIR/readings.json; later runs show what differs from it, fact by fact. `--accept` writes the new readings.
 * Exit code: 0 if nothing changed, 1 if something did, 2 if the labels couldn't be read.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { factsOf } from './facts.ts';

/** The facts of each file, both by name. */
type Snapshot = Record<string, Record<string, unknown>>;

/** The fields of `monroney read`'s output that are used here. */
interface Line {
  file: string;
  readable: boolean;
  paint: object | null;
  proof: { closes: boolean } | null;
}

const command = fileURLToPath(new URL('../../bin/monroney.mjs', import.meta.url));

/** Reads the folder with the command, so that the comparison shows what users get. */
function readFolder(folder: string): Line[] {
  const { stdout, stderr } = spawnSync(process.execPath, [command, 'read', folder], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (!stdout && stderr) throw new Error(stderr);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));
}

function snapshotOf(folder: string, lines: Line[]): Snapshot {
  return Object.fromEntries(
    lines.map(({ file, ...reading }) => [relative(folder, file), Object.fromEntries(factsOf(reading))]),
  );
}

/** One line for each fact that differs and for each file added or removed. */
function differences(before: Snapshot, after: Snapshot): string[] {
  const lines: string[] = [];
  for (const file of Object.keys({ ...before, ...after }).toSorted()) {
    const [previous, current] = [before[file], after[file]];
    if (!previous || !current) {
      lines.push(`${file}: ${previous ? 'removed' : 'added'}`);
      continue;
    }
    for (const path of Object.keys({ ...previous, ...current })) {
      if (previous[path] === current[path]) continue;
      const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
      lines.push(`${file}: ${path}: ${show(previous[path])} -> ${show(current[path])}`);
    }
  }
  return lines;
}

function summary(lines: Line[]): string {
  const count = (test: (line: Line) => boolean): number => lines.filter(test).length;
  return (
    `${lines.length} labels: ${count(({ readable }) => readable)} readable, ${count(({ paint }) => paint !== null)} with a ` +
    `color, ${count(({ proof }) => proof?.closes === true)} whose prices add up.\n`
  );
}

/** Returns the exit code. */
function run(): number {
  const options = { accept: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [folder = ''] = positionals;
  if (positionals.length !== 1 || !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`No such folder: ${positionals.join(' ')}`);
  const lines = readFolder(folder);
  if (lines.length === 0) throw new Error(`${folder} contains no .pdf or .txt files.`);
  const file = join(folder, 'readings.json');
  const after = snapshotOf(folder, lines);
  const isFirst = !existsSync(file);
  const changes = isFirst ? [] : differences(JSON.parse(readFileSync(file, 'utf8')), after);
  process.stdout.write(summary(lines));
  for (const line of changes) process.stdout.write(`${line}\n`);
  if (isFirst || (values.accept && changes.length > 0)) {
    writeFileSync(file, `${JSON.stringify(after, null, 1)}\n`);
    process.stdout.write(`${isFirst ? 'First run: wrote' : 'Wrote'} the readings to ${file}.\n`);
    return 0;
  }
  if (changes.length === 0) {
    process.stdout.write('Nothing changed.\n');
    return 0;
  }
  const accept = `npm run labels -- ${folder} --accept`;
  process.stdout.write(`${changes.length} facts changed. If they are right: ${accept}\n`);
  return 1;
}

try {
  process.exitCode = run();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\nUsage: npm run labels -- DIR [--accept]\n`);
  process.exitCode = 2;
}
