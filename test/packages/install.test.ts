import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../src/lib/testing.ts';

const LIMIT_MB = 250;
const root = fileURLToPath(new URL('../..', import.meta.url));

test('npm ci prints no warnings, and a production install is within its size limit', (t) => {
  const folder = temporaryFolder(t);
  const { stdout: files } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\0').filter(Boolean)) cpSync(join(root, file), join(folder, file));
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], options);
  assert.equal(status, 0, stderr);
  // Warnings about this machine's own npm settings are not ours.
  const warnings = stderr
    .split('\n')
    .filter((line) => /warn|deprecated/i.test(line) && !/ config /.test(line));
  assert.deepEqual(warnings, []);
  const all = globSync('**', { cwd: folder }).map((path) => lstatSync(join(folder, path)));
  const size = all.reduce((bytes, each) => bytes + (each.isFile() ? each.size : 0), 0) / 1e6;
  t.diagnostic(`${size.toFixed(0)} MB`);
  assert.ok(size <= LIMIT_MB, `${size} MB`);
});
