// lane: service, alone
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isLong } from '../../test/size.ts';
import { bomb, damaged, printed } from '../../tools/drill/hostile-pdfs.ts';
import { silentLog } from '../lib/log.ts';
import { MEMORY_LIMIT_BYTES, reasonToKill } from './child-process.ts';
import { startChild } from './child-start.ts';
import { openPool, type PoolOptions } from './pool.ts';

/** Real child processes. `pool.test.ts` tests what the pool does with them. */

const good = printed(['EXTERIOR: RED MIST METALLIC']);
const onLinux = process.platform === 'linux' ? false : 'skipped: only Linux has these limits';
const onLinuxIfLong = onLinux || (isLong ? false : 'runs with npm run test:slow');

function pool(t: TestContext, options: Partial<PoolOptions> = {}) {
  const limits = { deadlineMs: 60_000, maxQueued: 8, maxWaitMs: 60_000 };
  const opened = openPool({ kind: 'text', children: 1, warm: true, ...limits, log: silentLog, ...options });
  t.after(() => opened.close());
  return {
    ...opened,
    read: async (pdf: Buffer) => {
      const result = await opened.open({ job: { width: 320 }, body: pdf });
      return result.ok ? 'read' : result.reason;
    },
  };
}

test('only CPU time counts against the deadline of a file, and memory against the limit', () => {
  assert.equal(reasonToKill({ bytes: 1, cpuMs: 1_000 }, 1_000), null);
  assert.equal(reasonToKill({ bytes: 1, cpuMs: 1_001 }, 1_000), 'timeout');
  assert.equal(reasonToKill({ bytes: MEMORY_LIMIT_BYTES + 1, cpuMs: 0 }, 1_000), 'memory');
  assert.equal(reasonToKill({ bytes: null, cpuMs: null }, 1_000), null);
});

/** A child that a file took over: it does this on the first request. */
async function hostileChild(t: TestContext, then: string) {
  const folder = mkdtempSync(join(tmpdir(), 'child-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'hostile.mjs');
  writeFileSync(
    program,
    `import { Socket } from 'node:net';
     import { sendMessage } from ${JSON.stringify(new URL('./channel.ts', import.meta.url).href)};
     const channel = new Socket({ fd: 3, readable: true, writable: true });
     channel.once('data', () => { ${then} });
     sendMessage(channel, 'ready');`,
  );
  const child = await startChild('text', new AbortController().signal, program);
  t.after(() => child!.kill());
  return child!;
}

test('when memory runs out, the kernel kills children before the service', { skip: onLinux }, async (t) => {
  for (const kind of ['text', 'preview', 'picture'] as const) {
    const child = await startChild(kind, new AbortController().signal);
    t.after(() => child!.kill());
    assert.equal(readFileSync(`/proc/${child!.pid}/oom_score_adj`, 'utf8'), '1000\n', kind);
  }
});

const JOB = { job: null };

test('a child that never replies is killed at its deadline', async (t) => {
  const child = await hostileChild(t, 'for (;;);');
  assert.deepEqual(await child.open(JOB, 200), { death: 'timeout' });
  assert.ok(child.exited.aborted);
});

test('a reply that would fill the memory, or is none, is not read, and its child is replaced', async (t) => {
  const lengths = (json: number, body: number) => `Buffer.from(new Uint32Array([${json}, ${body}]).buffer)`;
  for (const reply of [
    `channel.write(Buffer.concat([${lengths(2 ** 31, 0)}, Buffer.alloc(1e6)]))`,
    `channel.write(${lengths(2, 2 ** 31)})`,
    `channel.write(${lengths(0, 0)})`,
    `sendMessage(channel, Array.from({ length: 200_000 }, () => []))`,
    `channel.write(Buffer.concat([${lengths(2, 0)}, Buffer.from('{]')]))`,
    `sendMessage(channel, null)`,
  ]) {
    const child = await hostileChild(t, reply);
    const opened = await child.open(JOB, 60_000);
    assert.deepEqual(opened, { reply: { ok: false, reason: 'broken', spent: true } }, reply);
  }
});

test('a child that sends what nobody asked for is killed', async (t) => {
  const child = await hostileChild(
    t,
    `for (let n = 0; n < 2; n++) sendMessage(channel, { ok: true, result: n, spent: false })`,
  );
  const exited = once(child.exited, 'abort');
  assert.ok('reply' in (await child.open(JOB, 60_000)));
  await exited;
});

test('a child that takes too much memory dies of it', { skip: onLinux }, async (t) => {
  const child = await hostileChild(t, `const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1));`);
  assert.deepEqual(await child.open(JOB, 60_000), { death: 'memory' });
});

for (const kind of ['text', 'preview'] as const)
  test(
    `a decompression bomb runs out of memory in a ${kind} child, and the next file is read`,
    { skip: onLinuxIfLong },
    async (t) => {
      const { read } = pool(t, { kind, warm: false });
      const file = bomb(320);
      assert.ok(file.length < 2_000);
      assert.equal(await read(file), 'memory');
      assert.equal(await read(good), 'read');
    },
  );

test('children exit when their parent is killed, busy or idle', { skip: onLinuxIfLong }, async (t) => {
  const program = `
    import { startChild } from ${JSON.stringify(new URL('./child-start.ts', import.meta.url).href)};
    import { slow } from ${JSON.stringify(new URL('../../tools/drill/hostile-pdfs.ts', import.meta.url).href)};
    const start = () => startChild('text', new AbortController().signal);
    const [busy, idle] = [await start(), await start()];
    void busy.open({ job: null, body: slow(0.5) }, 60_000);
    console.log(busy.pid, idle.pid);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => parent.kill('SIGKILL'));
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const children = String(output).trim().split(' ').map(Number);
  assert.ok(children.length === 2 && children.every(isAlive));
  parent.kill('SIGKILL');
  // oxlint-disable-next-line tests/no-clock -- No event tells when a process of another one exits.
  while (children.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 20));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('damaged labels do not break the workers', async (t) => {
  const specimens = globSync(fileURLToPath(new URL('../lookup/specimens/*.pdf', import.meta.url)));
  const labels = specimens.map((file) => readFileSync(file));
  const count = isLong ? 150 : 12;
  for (const kind of ['text', 'preview'] as const) {
    const { read } = pool(t, { kind, deadlineMs: 8_000 });
    const outcomes: string[] = [];
    for (let n = 0; n < count; n++) outcomes.push(await read(damaged(labels[n % labels.length]!, n)));
    const readable = outcomes.filter((outcome) => outcome === 'read').length;
    assert.ok(readable > count / 8, 'most damage leaves something to read');
    assert.equal(await read(good), 'read');
  }
});
