/** Adds a maker to a copy of this checkout exactly as `docs/adding-a-source.md` says, and checks the result. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { linkModules } from '../linked-modules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/adding-a-source.md'), 'utf8');
const copy = mkdtempSync(join(tmpdir(), 'monroney-maker-'));

/** The guide's code blocks of one kind, with the path after the language. */
const blocks = (kind: string) =>
  [...guide.matchAll(new RegExp('^```(?:ts|sh) ' + kind + '(?:=(\\S+))?\\n([^]*?)^```$', 'gm'))].map(
    ([, path = '', text = '']) => ({ path, text }),
  );

// With this variable, Node's test runner would notice that it runs inside another one and run nothing.
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

/** Runs a command in the copy. A failed assertion shows its output. */
function run(command: string, ...args: string[]): string {
  const result = spawnSync(command, args, { cwd: copy, encoding: 'utf8', env });
  const output = `${result.stdout}\n${result.stderr}`.slice(-8000);
  assert.equal(result.status, 0, `${command} ${args.join(' ')}\n${output}`);
  return result.stdout;
}

before(() => {
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean))
    cpSync(join(root, file), join(copy, file), { recursive: true });
  linkModules(root, copy);
});

after(() => rmSync(copy, { recursive: true, force: true }));

test('adding a maker takes a source, its replies, a test and one line', () => {
  const files = blocks('file');
  assert.ok(files.length >= 3);
  for (const { path, text } of files) {
    assert.match(path, /^(?:src\/makers\/mazda\/|tools\/simulator\/makers\/mazda\.ts$)/);
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  const [line, ...more] = blocks('line');
  assert.equal(more.length, 0);
  assert.equal(line!.text.trim().split('\n').length, 1);
  const index = join(copy, line!.path);
  const list = readFileSync(index, 'utf8');
  const last = list.lastIndexOf("  import('./");
  assert.ok(last > 0);
  writeFileSync(index, list.slice(0, last) + line!.text + list.slice(last));
});

test('the commands of the guide succeed', () => {
  const commands = blocks('run').flatMap(({ text }) => text.trim().split('\n'));
  assert.ok(commands.length >= 3);
  for (const command of commands) {
    const [program, ...args] = command.split(' ');
    const output = run(program!, ...args);
    if (args[0] === 'test') assert.match(output, /Mazda’s sentence about a missing label means none/);
  }
});

test('every interface supports the new maker', () => {
  assert.equal(run(process.execPath, 'test/adding/check-maker.ts', 'mazda', 'Mazda').trim(), 'ok');
});

/** Inserts a line before the first line that starts with `before`. */
function addLine(file: string, before: string, line: string): void {
  const text = readFileSync(join(copy, file), 'utf8');
  const index = text.indexOf(before);
  assert.ok(index > 0, `${file}: ${before}`);
  writeFileSync(join(copy, file), `${text.slice(0, index)}${line}\n${text.slice(index)}`);
}

test('adding a page or a tool takes a file and one line', () => {
  writeFileSync(
    join(copy, 'src/pages/glovebox.ts'),
    `import type { PageHandler } from './page-context.ts';
export const glovebox = (): PageHandler => async () => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: 'what is in the glovebox',
});
`,
  );
  addLine(
    'src/pages/index.ts',
    "  { template: '/find'",
    "  { template: '/glovebox', open: (await import('./glovebox.ts')).glovebox, inSitemap: true },",
  );
  writeFileSync(
    join(copy, 'src/mcp/open-glovebox.ts'),
    `import { z } from 'zod';
import { toolResult, type Tool } from './tool.ts';
export const openGlovebox: Tool = {
  name: 'open_glovebox',
  title: 'Open the glovebox',
  description: 'Opens the glovebox. Not for what the car is (decode_vin).',
  selection: {
    use: 'What is in the glovebox',
    question: 'Which gloves are these?',
    decidingWords: 'Opens the glovebox.',
  },
  example: () => ({}),
  input: z.strictObject({}),
  output: z.object({ ok: z.literal(true), gloves: z.int().describe('How many') }),
  openWorld: false,
  run: async () => toolResult({ ok: true, gloves: 2 }, 'Two gloves.'),
};
`,
  );
  addLine(
    'src/mcp/tools.ts',
    "  (await import('./decode-vin.ts'))",
    "  (await import('./open-glovebox.ts')).openGlovebox,",
  );
  run('npx', 'tsc', '--noEmit');
  assert.equal(run(process.execPath, 'test/adding/check-page-and-tool.ts').trim(), 'ok');
  run('npm', 'test', '--', 'test/mcp-', 'src/mcp');
});
