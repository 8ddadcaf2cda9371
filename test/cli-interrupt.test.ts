import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { childEnv, MONRONEY } from './command.ts';

test('commands end on Ctrl-C while they wait for VINs on standard input', async () => {
  for (const command of ['lookup', 'get', 'read', 'decode']) {
    const child = spawn(process.execPath, [MONRONEY, command], { env: childEnv });
    child.stdout.resume();
    child.stderr.resume();
    // More than fits into a pipe: when it is written, the command has begun to read.
    await new Promise((resolve) => child.stdin.write('\n'.repeat(1_000_000), resolve));
    child.kill('SIGINT');
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    assert.deepEqual([command, code, signal], [command, 130, null]);
  }
});
