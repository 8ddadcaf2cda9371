/** Follows `docs/changing.md` literally in a copy of this checkout, and checks the result. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linkModules } from '../linked-modules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'monroney-changing-'));
/** The guide's sections by title, such as `A tool`. */
const sections = new Map(
  readFileSync(join(root, 'docs/changing.md'), 'utf8')
    .split(/^##+ (?=\S)/m)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

// With this variable, Node's test runner would notice that it runs inside another one and run nothing.
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

before(() => {
  // Tests that run as root start commands as another user.
  chmodSync(copy, 0o755);
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean))
    if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file), { recursive: true });
  linkModules(root, copy);
});

after(() => rmSync(copy, { recursive: true, force: true }));

/** Does what a section says: writes its files, applies its diffs, runs its commands. Returns how many steps it has. */
function follow(title: string): number {
  const section = sections.get(title);
  assert.ok(section, `There is no section "${title}".`);
  const blocks = [...section.matchAll(/^```(\w+) (file|run)(?:=(\S+))?\n([^]*?)^```$/gm)];
  for (const [, language, , path = '', text = ''] of blocks) {
    if (language === 'sh') for (const command of text.trim().split('\n')) run('sh', '-c', command);
    else if (language === 'diff') change(path, text);
    else writeNew(path, text);
  }
  return blocks.length;
}

/** Runs a command in the copy. A failed assertion shows its output. */
function run(command: string, ...args: string[]): string {
  const result = spawnSync(command, args, { cwd: copy, encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 });
  const output = `${result.stdout}\n${result.stderr}`;
  // Failed tests are listed at the end.
  assert.equal(result.status, 0, `${command} ${args.join(' ')}\n${output.slice(-8000)}`);
  return result.stdout;
}

function writeNew(path: string, text: string): void {
  assert.ok(!existsSync(join(copy, path)), `${path} exists already.`);
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

/** Applies a diff, whose old lines must be in the file once. */
function change(path: string, diff: string): void {
  const lines = diff.trimEnd().split('\n');
  const linesWith = (marks: string) =>
    lines.map((line) => (marks.includes(line[0]!) ? `${line.slice(1)}\n` : '')).join('');
  const before = linesWith(' -');
  const text = readFileSync(join(copy, path), 'utf8');
  assert.equal(text.split(before).length, 2, `${path} must contain once:\n${before}`);
  assert.ok(lines.every((line) => /^[ +-]/.test(line)));
  writeFileSync(
    join(copy, path),
    text.replace(before, () => linesWith(' +')),
  );
}

test('adding a maker takes a source, its replies, a test, a line in the index, and one less where it had no source', () => {
  follow('A maker');
  assert.equal(follow('The source') + follow('The line in the index') + follow('The test'), 4);
  follow('The simulator');
  follow('Run it');
  assert.equal(run(process.execPath, 'test/adding/check-maker.ts', 'mazda', 'Mazda').trim(), 'ok');
});

test('a reader needs no drawing, and each other change has a few steps', () => {
  assert.equal(follow('A reader'), 6);
  assert.equal(follow('A field of the label'), 5);
  assert.equal(follow('A route'), 4);
  assert.equal(follow('A tool'), 3);
  assert.equal(follow('A page'), 2);
  assert.equal(follow('A document'), 2);
});

test('every test passes after all of these changes', () => {
  follow('Before you finish');
});

test('every interface has what was added', () => {
  assert.equal(run(process.execPath, 'test/adding/check-changes.ts').trim(), 'ok');
});
