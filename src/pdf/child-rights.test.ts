// lane: service, alone
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startChild } from './child-start.ts';
import type { ChildKind } from './channel.ts';
import { confinements, programFiles } from './confinement.ts';
import { attempts, type Target } from './hostile-child.ts';

// Workers may write the compile cache of a test run, see child-process.ts.
delete process.env['NODE_COMPILE_CACHE'];

const HOSTILE = fileURLToPath(new URL('./hostile-child.ts', import.meta.url));
/** What the service starts. */
const LABEL_CHILD = fileURLToPath(new URL('../lookup/label-child.ts', import.meta.url));
const hostile = await startChild('text', new AbortController().signal, HOSTILE);
after(() => hostile!.kill());
const { gap } = hostile!;
const needsKernel = gap === null ? false : `skipped: here, the kernel doesn't keep children from ${gap}`;

async function targetOf(t: TestContext): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'child-rights-'));
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'a secret');
  const socket = join(folder, 'socket');
  const servers = [createServer().listen(0, '127.0.0.1'), createServer().listen(socket)];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  t.after(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { port } = servers[0]!.address() as AddressInfo;
  return { secret, written: join(folder, 'written'), port, socket, pid: process.pid };
}

async function outcomesIn(kind: ChildKind, target: Target): Promise<Record<string, string>> {
  const child = kind === 'text' ? hostile : await startChild(kind, new AbortController().signal, HOSTILE);
  const opened = await child!.open({ job: target }, 60_000);
  if (child !== hostile) await child!.kill();
  assert.ok('reply' in opened && 'result' in opened.reply);
  return opened.reply.result as Record<string, string>;
}

const succeeded = (outcomes: Record<string, string>) =>
  Object.keys(attempts).filter((name) => outcomes[name] === 'succeeded');

test('hostile code outside a child can do all of it, so the tests below prove something', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    HOSTILE,
    JSON.stringify(await targetOf(t)),
  ]);
  const impossible =
    process.platform === 'linux' ? [] : ['read the environment of the service', 'list the processes'];
  assert.deepEqual(
    Object.keys(attempts).filter((name) => !impossible.includes(name)),
    succeeded(JSON.parse(stdout) as Record<string, string>),
  );
});

/** Why the kernel can't confine children here, found out without the code that confines them; false if it can. */
function whyUnconfinable(): string | false {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    return 'not Linux on x64 or arm64';
  if (!existsSync('/proc/sys/kernel/seccomp/actions_avail')) return 'no seccomp';
  // landlock_create_ruleset returns the version of Landlock.
  const { status } = spawnSync('/usr/bin/perl', ['-e', 'exit(syscall(444, 0, 0, 1) > 0 ? 0 : 1)']);
  return status === null ? 'no Perl' : status !== 0 && 'no Landlock';
}

test('where the kernel has Landlock and seccomp, it leaves no gap', { skip: whyUnconfinable() }, async () => {
  for (const kind of ['text', 'preview', 'picture'] as const) {
    const child = await startChild(kind, new AbortController().signal, LABEL_CHILD);
    await child!.kill();
    assert.equal(child!.gap, null, kind);
  }
  assert.equal(gap, null);
});

/** Only the kernel prevents these. */
const BY_KERNEL = ['connect to a port', 'connect to a local socket', 'signal the service'];

for (const kind of ['text', 'preview', 'picture'] as const) {
  test(`hostile code in a ${kind} child reaches no file, program, environment, network or process`, async (t) => {
    const target = await targetOf(t);
    const outcomes = await outcomesIn(kind, target);
    assert.deepEqual(
      succeeded(outcomes).filter((name) => gap === null || !BY_KERNEL.includes(name)),
      kind === 'picture' ? ['load native code'] : [],
    );
    assert.equal(outcomes['environment'], 'MALLOC_ARENA_MAX UV_THREADPOOL_SIZE');
    assert.ok(!existsSync(target.written));
  });
}

test('the kernel keeps hostile code in, even if it gets around Node', { skip: needsKernel }, async (t) => {
  const [command, ...args] = confinements()[0]!.prefix;
  const node = [process.execPath, '--openssl-config=/dev/null', HOSTILE, JSON.stringify(await targetOf(t))];
  const { stdout } = await promisify(execFile)(command!, [...args, ...node], { env: {} });
  // Harmless without files and network.
  assert.deepEqual(succeeded(JSON.parse(stdout) as Record<string, string>), [
    'load native code',
    'start a thread',
  ]);
});

test('a child may read the code of the program, but not the default data folder in a checkout', () => {
  const files = programFiles();
  assert.ok(files.some((path) => HOSTILE.startsWith(path)));
  const dataDir = fileURLToPath(new URL('../../var', import.meta.url));
  assert.ok(!files.some((path) => `${dataDir}/`.startsWith(`${path}/`)));
});
