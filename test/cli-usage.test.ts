import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../src/cli/monroney.ts';
import { childEnv, MONRONEY, monroney } from './command.ts';
import { runInProcess } from './in-process.ts';

test('every command is listed, and its help shows examples', async () => {
  const overview = await monroney(['help']);
  assert.equal(overview.code, 0);
  for (const name of Object.keys(commands)) assert.match(overview.out, new RegExp(`^  ${name} `, 'm'));
  await Promise.all(
    ['lookup', 'get', 'read', 'makes', 'decode', 'enrich'].map(async (name) => {
      const [help, same] = await Promise.all([
        runInProcess([name, '--help'], childEnv),
        runInProcess(['help', name], childEnv),
      ]);
      assert.equal(help.code, 0);
      assert.match(help.out, new RegExp(`^  monroney ${name} `, 'm'));
      assert.equal(same.out, help.out);
      assert.ok(
        help.out.split('\n').every((line) => line.length <= 120),
        name,
      );
      // The help lists every option, and so do completions.
      const { options = {} } = await commands[name]!.load();
      for (const option of Object.keys(options).filter((option) => option !== 'help'))
        assert.ok(help.out.includes(`--${option}`), option);
    }),
  );
});

test('wrong usage prints the usage and exits with 2', async () => {
  const asProcess = [['lookpu'], ['constructor']];
  const inProcess = [
    ['lookup'],
    ['serve', 'extra'],
    ['help', 'nothing'],
    ['lookup', '--color'],
    ['lookup', '--url', 'nowhere', '1FMUK8DH0TG000000'],
    ['lookup', '--url', 'http://localhost:1', '--local', '1FMUK8DH0TG000000'],
    ['get', '-o', 'a.pdf', '1FMUK8DH0TG000000', '1C4RJHBR7TC000000'],
    ['get', '-o', 'a.pdf', '--out', 'b', '1FMUK8DH0TG000000'],
    ['makes', 'Ford'],
    ['completion', 'tcsh'],
    ['completion'],
    ['completion', 'bash', 'zsh'],
    ['serve', '--port', '9000'],
  ];
  const errors = new Map<string, string>();
  await Promise.all(
    [...asProcess, ...inProcess].map(async (args) => {
      const { code, out, err } = await (asProcess.includes(args)
        ? monroney(args)
        : runInProcess(args, childEnv));
      assert.equal(code, 2, args.join(' '));
      assert.equal(out, '');
      assert.ok(err.length > 20, args.join(' '));
      errors.set(args.join(' '), err);
    }),
  );
  assert.match(errors.get('lookpu')!, /Did you mean lookup\?/);
  assert.match(
    errors.get('completion tcsh')!,
    /^There are no completions for "tcsh", only for bash, zsh, fish\./,
  );
  assert.match(errors.get('serve extra')!, /^Unexpected argument: "extra"\./);
});

test('version and --version print the package version', async () => {
  const { out } = await monroney(['--version']);
  assert.match(out, /^monroney \d+\.\d+\.\d+\n$/);
  assert.equal((await runInProcess(['version'], childEnv)).out, out);
});

test('bash completions offer commands, options and arguments; zsh and fish completions list every command', async () => {
  const { out } = await runInProcess(['completion', 'bash'], childEnv);
  const complete = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        `${out}
COMP_WORDS=(monroney ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _monroney; echo "\${COMPREPLY[@]}"`,
      ],
      {
        encoding: 'utf8',
      },
    ).trim();
  assert.equal(complete('loo'), 'lookup');
  assert.equal(complete('get', '--ou'), '--output --out');
  assert.equal(complete('completion', 'z'), 'zsh');
  for (const shell of ['zsh', 'fish']) {
    const result = await runInProcess(['completion', shell], childEnv);
    for (const name of Object.keys(commands)) assert.ok(result.out.includes(name), `${shell} ${name}`);
    if (existsSync(`/usr/bin/${shell}`)) {
      assert.equal(spawnSync(shell, ['-n'], { input: result.out }).status, 0);
    }
  }
});

const onTerminal = { skip: existsSync('/usr/bin/script') ? false : 'skipped: no script(1)' };
test('output to a terminal is colored unless NO_COLOR is set', onTerminal, (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'monroney-usage-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const outputWith = (env: Record<string, string>) =>
    execFileSync('script', ['-qec', `"${process.execPath}" "${MONRONEY}" makes --local`, '/dev/null'], {
      env: { ...childEnv, TERM: 'xterm', DATA_DIR: dataDir, ...env },
      encoding: 'utf8',
    });
  assert.ok(outputWith({}).includes('\x1b[1m'));
  assert.ok(!outputWith({ NO_COLOR: '1' }).includes('\x1b[1m'));
});
