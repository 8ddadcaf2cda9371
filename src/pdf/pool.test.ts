import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../../test/size.ts';
import { bomb, compressed, printed, slow } from '../../tools/drill/hostile-pdfs.ts';
import { runMutants, seeds } from '../../tools/drill/pdf-mutants.ts';
import { silentLog } from '../lib/log.ts';
import { MEMORY_LIMIT_BYTES, residentBytes } from './child-process.ts';
import { openPool, type Opened, type PoolOptions } from './pool.ts';

const good = printed(['EXTERIOR: RED MIST METALLIC']);
const onLinux = process.platform === 'linux' ? false : 'skipped: only Linux enforces the memory limit';

function pool(t: TestContext, options: Partial<PoolOptions> = {}) {
  const opened = openPool({
    kind: 'text',
    children: 1,
    warm: true,
    // Long enough for a busy machine. Tests of the deadline have their own.
    deadlineMs: 60_000,
    maxQueued: 8,
    maxWaitMs: 30_000,
    log: silentLog,
    ...options,
  });
  t.after(() => opened.close());
  return { ...opened, read: async (pdf: Buffer) => outcome(await opened.open({ pdf, width: 320 })) };
}

const outcome = (opened: Opened): string => (opened.ok ? 'read' : opened.reason);

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await condition()) return;
    await sleep(25);
  }
  assert.fail('the condition was never met');
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a file that takes longer than its deadline gives `timeout`, and the next is read', async (t) => {
  const { read } = pool(t, { deadlineMs: 600 });
  assert.equal(await read(good), 'read');
  assert.equal(await read(slow(400)), 'timeout');
  assert.equal(await read(good), 'read');
});

test('a child that gets no core for a while still reads its file', { skip: onLinux }, async (t) => {
  const { read, pids } = pool(t, { deadlineMs: 1000 });
  assert.equal(await read(good), 'read');
  const reading = read(good);
  const [child] = pids();
  process.kill(child!, 'SIGSTOP');
  await sleep(1500);
  process.kill(child!, 'SIGCONT');
  assert.equal(await reading, 'read');
  assert.deepEqual(pids(), [child]);
});

test(
  'a decompression bomb kills its child and stays within the memory limit',
  { skip: onLinux },
  async (t) => {
    const { read, pids } = pool(t);
    await read(good);
    let peak = 0;
    const watch = setInterval(() => {
      for (const pid of pids()) void residentBytes(pid).then((bytes) => (peak = Math.max(peak, bytes ?? 0)));
    }, 5);
    const file = bomb(320);
    assert.ok(file.length < 2_000);
    assert.equal(await read(file), 'memory');
    clearInterval(watch);
    assert.ok(peak > 0 && peak <= MEMORY_LIMIT_BYTES, `${peak} bytes`);
    assert.equal(await read(good), 'read');
  },
);

test('a decompression bomb is not drawn, and the next preview is', { skip: onLinux }, async (t) => {
  const { read } = pool(t, { kind: 'preview', warm: false });
  assert.match(await read(bomb(320)), /^(memory|broken)$/);
  assert.equal(await read(good), 'read');
});

test('a source with many files waiting delays the others by one file, and gets half of the queue', async (t) => {
  const { open } = pool(t, { maxQueued: 8 });
  const finished: string[] = [];
  const send = async (owner: string, name: string) => {
    const opened = await open({ job: name, bytes: 1, owner });
    finished.push(`${name} ${outcome(opened)}`);
  };
  const hostile = ['1', '2', '3', '4', '5'].map((number) => send('gm', number));
  await Promise.all([...hostile, send('ford', 'other')]);
  // Children of this pool know no jobs, so they call them broken.
  assert.deepEqual(finished, ['5 busy', '1 broken', 'other broken', '2 broken', '3 broken', '4 broken']);
});

test('a file whose child is killed from outside is retried', async (t) => {
  const { read, pids } = pool(t);
  await until(() => pids().length === 1);
  const [first] = pids();
  const reading = read(slow(20));
  await sleep(50);
  process.kill(first!, 'SIGKILL');
  assert.equal(await reading, 'read');
  assert.notEqual(pids()[0], first);
});

test('a file whose child is killed twice is not retried again', async (t) => {
  const { read, pids } = pool(t);
  const killed = new Set<number>();
  const reading = read(slow(400));
  while (killed.size < 2) {
    await until(() => pids().some((pid) => !killed.has(pid)));
    await sleep(100);
    for (const pid of pids()) {
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
    }
  }
  assert.equal(await reading, 'memory');
  assert.equal(await read(good), 'read');
});

test('a child that dies while idle is replaced', async (t) => {
  const { read, pids } = pool(t);
  await until(() => pids().length === 1);
  const [first] = pids();
  process.kill(first!, 'SIGKILL');
  await until(() => pids().length === 1 && pids()[0] !== first);
  assert.equal(await read(good), 'read');
});

test('a file that does not fit into the queue gets `busy` at once', async (t) => {
  const { read } = pool(t, { maxQueued: 2 });
  await read(good);
  const reading = [slow(5), good, good].map(read);
  assert.equal(await read(good), 'busy');
  assert.deepEqual(await Promise.all(reading), ['read', 'read', 'read']);
});

test('a file that waits too long gets `busy`', async (t) => {
  const { read, pids } = pool(t, { maxWaitMs: 100 });
  await until(() => pids().length === 1);
  const first = read(slow(30));
  assert.equal(await read(good), 'busy');
  assert.equal(await first, 'read');
});

test('closing settles all jobs and leaves no child behind', async (t) => {
  const { read, pids, close } = pool(t, { children: 2 });
  await until(() => pids().length === 2);
  const children = pids();
  const reading = Promise.all([slow(400), slow(400), good].map(read));
  await close();
  assert.deepEqual(await reading, ['busy', 'busy', 'busy']);
  assert.ok(!children.some(alive));
  assert.equal(await read(good), 'busy');
});

test('children do not get the environment of the service', { skip: onLinux }, async (t) => {
  process.env['S3_URL'] = 's3+https://key:secret@example.com/labels';
  t.after(() => delete process.env['S3_URL']);
  const { pids } = pool(t);
  await until(() => pids().length === 1);
  assert.doesNotMatch(readFileSync(`/proc/${pids()[0]}/environ`, 'utf8'), /secret/);
});

test('children exit when their parent is killed, busy or idle', { skip: onLinux }, async (t) => {
  const program = `
    import { openPool } from ${JSON.stringify(new URL('./pool.ts', import.meta.url).href)};
    import { silentLog } from ${JSON.stringify(new URL('../lib/log.ts', import.meta.url).href)};
    import { slow } from ${JSON.stringify(new URL('../../tools/drill/hostile-pdfs.ts', import.meta.url).href)};
    const pool = openPool({ kind: 'text', children: 2, warm: true, deadlineMs: 60000, maxQueued: 8, maxWaitMs: 9000, log: silentLog });
    while (pool.pids().length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    void pool.open({ pdf: slow(100), width: 0 });
    setTimeout(() => console.log(pool.pids().join(' ')), 100);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => parent.kill('SIGKILL'));
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const children = String(output).trim().split(' ').map(Number);
  assert.equal(children.length, 2);
  assert.ok(children.every(alive));
  parent.kill('SIGKILL');
  await until(() => !children.some(alive));
});

test('damaged labels do not break the workers', { timeout: 120_000 }, async () => {
  const labels = seeds().slice(0, 8);
  const count = isLong ? 150 : 12;
  for (const kind of ['text', 'preview'] as const) {
    const run = await runMutants(labels, { count, seed: 3, kind });
    assert.equal(
      Object.values(run.outcomes).reduce((sum, count) => sum + count),
      count,
    );
    assert.ok(run.outcomes['read']! > count / 8, 'most damage leaves something to read');
    assert.ok(run.peakBytes === null || run.peakBytes <= MEMORY_LIMIT_BYTES, `${run.peakBytes} bytes`);
    assert.ok(run.worksAfterwards);
  }
});

test('a child started for one preview is used for the next', async (t) => {
  const { read, pids } = pool(t, { kind: 'preview', warm: false });
  assert.deepEqual(pids(), []);
  assert.equal(await read(good), 'read');
  const [first] = pids();
  assert.equal(await read(compressed(['TWO'])), 'read');
  assert.deepEqual(pids(), [first]);
});

test('a file whose child is still starting when the pool closes gets `busy` at once', async (t) => {
  const { read, close, load } = pool(t, { warm: false });
  const reading = read(good);
  await until(() => load().waiting === 0);
  await close();
  assert.equal(await Promise.race([reading, sleep(5000, 'nothing', { ref: false })]), 'busy');
});

test("a child that can't be started, such as without free file descriptors, is started later", async (t) => {
  const { execPath } = process;
  t.after(() => (process.execPath = execPath));
  const { read } = pool(t, { warm: false });
  // Node throws for this path at once, as it does if there is no memory for a process.
  process.execPath = 'no\0path';
  const reading = read(good);
  await sleep(100);
  process.execPath = execPath;
  assert.equal(await reading, 'read');
});
