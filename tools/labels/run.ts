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

const USAGE = 'Usage: npm run labels -- DIR [--accept]\n';

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

function run(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    options: { accept: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (!folder || positionals.length > 1 || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    process.stderr.write(folder && positionals.length === 1 ? `No such folder: ${folder}\n${USAGE}` : USAGE);
    return 2;
  }
  const lines = readFolder(folder);
  if (lines.length === 0) {
    process.stderr.write(`${folder} contains no .pdf or .txt files.\n`);
    return 2;
  }
  process.stdout.write(summary(lines));
  const file = join(folder, 'readings.json');
  const after = snapshotOf(folder, lines);
  const writeSnapshot = (): void => writeFileSync(file, `${JSON.stringify(after, null, 1)}\n`);
  if (!existsSync(file)) {
    writeSnapshot();
    process.stdout.write(`First run: wrote the readings to ${file}.\n`);
    return 0;
  }
  const before: Snapshot = JSON.parse(readFileSync(file, 'utf8'));
  const changes = differences(before, after);
  if (changes.length === 0) {
    process.stdout.write('Nothing changed.\n');
    return 0;
  }
  process.stdout.write(`${changes.join('\n')}\n`);
  if (values.accept) {
    writeSnapshot();
    process.stdout.write(`Wrote the new readings to ${file}.\n`);
    return 0;
  }
  process.stdout.write(
    `${changes.length} facts changed. If they are right: npm run labels -- ${folder} --accept\n`,
  );
  return 1;
}

if (import.meta.main) {
  try {
    process.exitCode = run(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exitCode = 2;
  }
}
