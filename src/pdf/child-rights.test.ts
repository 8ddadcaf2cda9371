import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { printed } from '../../tools/drill/hostile-pdfs.ts';
import { silentLog } from '../lib/log.ts';
import { openPool } from './pool.ts';

const onLinux = process.platform === 'linux' ? false : 'skipped: only Linux shows how a process was started';

// Workers may write the compile cache of a test run, see child-process.ts.
delete process.env['NODE_COMPILE_CACHE'];

for (const kind of ['text', 'preview'] as const) {
  test(`the ${kind} worker can neither write files nor start processes`, { skip: onLinux }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'child-rights-'));
    const shared = { children: 1, warm: true, deadlineMs: 60_000, maxQueued: 8, maxWaitMs: 30_000 };
    const pool = openPool({ kind, ...shared, log: silentLog });
    t.after(async () => {
      await pool.close();
      rmSync(folder, { recursive: true, force: true });
    });
    assert.ok((await pool.open({ pdf: printed(['RED MIST']), width: 320 })).ok);
    const [node = '', ...args] = readFileSync(`/proc/${pool.pids()[0]}/cmdline`, 'utf8').split('\0');
    // With the same rights, a program tries what a hostile PDF might make it do.
    const rights = args.slice(
      0,
      args.findIndex((arg) => arg.endsWith('child.ts')),
    );
    const attempt = (program: string) => spawnSync(node, [...rights, '-e', program], { encoding: 'utf8' });
    const file = join(folder, 'written');
    assert.equal(attempt('process.exit(7)').status, 7);
    assert.match(attempt(`fs.writeFileSync(${JSON.stringify(file)}, 'x')`).stderr, /ERR_ACCESS_DENIED/);
    assert.ok(!existsSync(file));
    assert.match(attempt(`child_process.execSync('true')`).stderr, /ERR_ACCESS_DENIED/);
    assert.match(attempt(`new worker_threads.Worker('0', { eval: true })`).stderr, /ERR_ACCESS_DENIED/);
  });
}
