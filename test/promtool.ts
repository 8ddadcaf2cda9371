import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files in `deploy/`, and Prometheus's own checker for them. */

export const root = fileURLToPath(new URL('..', import.meta.url));
export const deployed = (name: string) => path.join(root, 'deploy', name);

export const withoutPromtool = spawnSync('promtool', ['--version']).status !== 0 && 'skipped: no promtool';

export function promtool(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}
