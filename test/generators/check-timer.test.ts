import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { impossibleVin } from '../../src/lookup/check.ts';
import { sources } from '../../src/makers/index.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { childEnv } from '../command.ts';
import { folderWithStore, temporaryFolder } from '../operator.ts';

/** Runs the command lines of the cron job and the systemd units that run by a timer and mail the operator. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** A folder with `node`, a fake `mail` that records its input and a fake `journalctl`. */
function programs(t: TestContext): string {
  const dir = temporaryFolder(t);
  symlinkSync(process.execPath, path.join(dir, 'node'));
  writeFileSync(path.join(dir, 'mail'), `#!/bin/sh\n{ echo "$@"; cat; } > ${dir}/mailed\n`);
  writeFileSync(path.join(dir, 'journalctl'), '#!/bin/sh\necho "gm CHANGED"\n');
  for (const name of ['mail', 'journalctl']) chmodSync(path.join(dir, name), 0o755);
  return dir;
}

function sh(command: string, env: NodeJS.ProcessEnv): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', command], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout + stderr }),
    );
  });
}

test('the cron job prints nothing while no source has changed, and prints the table when one has', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const line = read('deploy/monroney-check.cron')
    .split('\n')
    .find((entry) => /^\d/.test(entry))!;
  const [, command] = /^(?:\S+ +){5}monroney +(.*)$/.exec(line)!;
  assert.doesNotMatch(command!, /%/, 'cron treats a percent sign as a newline');
  const env = {
    ...childEnv,
    PATH: `${programs(t)}:/usr/bin:/bin`,
    DATA_DIR: await folderWithStore(t),
    SOURCE_ORIGIN: simulator.origin,
    SOURCE_PACE_MS: '0',
  };
  const localCommand = command!.replace('/opt/monroney', root);
  assert.deepEqual(await sh(localCommand, env), { code: 0, out: '' });
  simulator.set(impossibleVin(sources.find(({ id }) => id === 'gm')!), 'web-page');
  const { out } = await sh(localCommand, env);
  assert.match(out, /^gm +impossible VIN +CHANGED .* failed \(page\), .*: an unknown web page {2}https:/m);
});

const COMMANDS = {
  check: 'admin check',
  backup: 'admin backup /var/lib/monroney-backup',
  vpic: 'admin vpic update',
};

test('the units of timers use the same settings as the service unit, and mail their output on failure', async (t) => {
  const service = read('deploy/monroney.service');
  const value = (unit: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
  for (const [name, command] of Object.entries(COMMANDS)) {
    const unit = read(`deploy/monroney-${name}.service`);
    for (const setting of ['WorkingDirectory', 'Environment', 'EnvironmentFile', 'DynamicUser'])
      assert.equal(value(unit, setting), value(service, setting), `${name}: ${setting}`);
    // The folder of a backup is one more.
    assert.equal(value(unit, 'StateDirectory')!.split(' ')[0], value(service, 'StateDirectory'));
    // Running as another user would change the owner of the running service's state directory.
    assert.equal(value(unit, 'User'), 'monroney');
    assert.equal(value(unit, 'OnFailure'), 'monroney-mail@%n.service');
    assert.equal(value(unit, 'ExecStart'), value(service, 'ExecStart')!.replace(/ serve$/, ` ${command}`));
  }
  const mail = value(read('deploy/monroney-mail@.service'), 'ExecStart')!;
  const [, command] = /^\/bin\/sh -c '(.*)'$/.exec(mail)!;
  const bin = programs(t);
  const env = { PATH: `${bin}:/usr/bin:/bin`, OPERATOR: 'operator@example.org' };
  await sh(command!.replaceAll('%i', 'monroney-check.service'), env);
  assert.equal(
    readFileSync(path.join(bin, 'mailed'), 'utf8'),
    '-s Monroney: monroney-check.service found a problem, or failed operator@example.org\ngm CHANGED\n',
  );
});

test('systemd accepts the units', (t) => {
  if (!existsSync('/usr/bin/systemd-analyze')) return t.skip('skipped: systemd-analyze is missing');
  const dir = temporaryFolder(t);
  const names = readdirSync(path.join(root, 'deploy')).filter((name) => /\.(?:service|timer)$/.test(name));
  assert.equal(names.length, 8);
  for (const name of names)
    writeFileSync(path.join(dir, name), read(`deploy/${name}`).replaceAll('/opt/monroney', root));
  const files = names.map((name) => path.join(dir, name));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${dir}:` },
  });
  // systemd only warns about unknown settings, so check stderr as well.
  const warnings = stderr.split('\n').filter((line) => line.includes('monroney'));
  assert.deepEqual([status, warnings], [0, []], stderr);
  for (const name of Object.keys(COMMANDS)) {
    const [, when] = /^OnCalendar=(.*)$/m.exec(read(`deploy/monroney-${name}.timer`))!;
    const calendar = spawnSync('systemd-analyze', ['calendar', when!], { encoding: 'utf8' });
    assert.equal(calendar.status, 0, calendar.stderr);
  }
});
