// lane: drill
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { permissionFlags } from '../bin/permissions.mjs';
import { vinOf } from '../tools/bench/filled-store.ts';
import { get, serve, type RunningService } from '../tools/drill/drill.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';

/** The service must work fully when only `DATA_DIR` is writable. */

/** Everything that belongs in `DATA_DIR`: databases, files and their folders. None of it is code. */
const DATA = /^(labels|withdrawn|tmp|quarantine|service\.lock|(labels|cache)\.sqlite(-wal|-shm)?)$/;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Makes everything except `DATA_DIR` read-only for this process and its children. */
const READ_ONLY = `mount --bind "$DATA_DIR" "$DATA_DIR" && mount -o remount,bind,ro / && exec "$@"`;
const readOnlyRoot = ['unshare', '-m', 'sh', '-c', READ_ONLY, 'sh'];
const canMountReadOnly =
  isRoot && spawnSync('unshare', ['-m', 'mount', '-o', 'remount,bind,ro', '/']).status === 0;

async function setUp(
  t: TestContext,
): Promise<{ DATA_DIR: string; SOURCE_ORIGIN: string; LOG_LEVEL: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'only-data-'));
  const simulator = await startSimulator();
  t.after(async () => {
    await simulator.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin, LOG_LEVEL: 'warn' };
}

/** Fetches, stores, reads and renders a label, and checks that nothing was denied access. */
async function assertEverythingWorks(
  t: TestContext,
  service: RunningService,
  dataDir: string,
): Promise<void> {
  t.after(() => service.child.kill('SIGKILL'));
  let stderr = '';
  service.child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const vin = vinOf(430_000);
  const lookup = await get(service.port, `/api/v1/vin/${vin}`);
  assert.match(lookup.body.toString(), /"available":true/);
  const labelPaths = [`/api/sticker/${vin}`, `/api/sticker/${vin}/preview`, `/api/v1/vin/${vin}/label`];
  for (const path of [
    ...labelPaths,
    `/window-sticker/${vin}`,
    '/status',
    '/docs/api',
    '/openapi.json',
    '/readyz',
  ]) {
    const response = await get(service.port, path);
    assert.equal(response.status, 200, `${path}: ${response.body.toString().slice(0, 300)}`);
  }
  await service.kill('SIGTERM');
  assert.equal(service.child.exitCode, 0);
  assert.doesNotMatch(stderr, /EROFS|EACCES|ERR_ACCESS_DENIED/);
  // Whoever can write to this folder must not be able to run code in the service.
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => !DATA.test(name)),
    [],
  );
}

test(
  'with Node permissions and a read-only root, only DATA_DIR is writable and everything works',
  { skip: process.platform === 'linux' ? false : 'skipped: needs /proc' },
  async (t) => {
    const env = await setUp(t);
    const service = await serve(env, {
      useCache: false,
      ...(canMountReadOnly ? { before: readOnlyRoot } : {}),
    });
    const cmdline = readFileSync(`/proc/${service.pid}/cmdline`, 'utf8').split('\0');
    for (const flag of permissionFlags(env.DATA_DIR)) assert.ok(cmdline.includes(flag), `${flag} is missing`);
    const environment = readFileSync(`/proc/${service.pid}/environ`, 'utf8').split('\0');
    // Without it, glibc keeps the memory of large bodies.
    assert.ok(environment.includes('MALLOC_MMAP_THRESHOLD_=1048576'));
    if (canMountReadOnly) {
      const outside = spawnSync('nsenter', ['-t', String(service.pid), '-m', 'touch', '/tmp/outside']);
      assert.notEqual(outside.status, 0, 'the root is writable, so the test would prove nothing');
    } else t.diagnostic('the root was writable: making it read-only needs root on Linux');
    await assertEverythingWorks(t, service, env.DATA_DIR);
  },
);

test('the Node permissions prevent writing outside DATA_DIR', async (t) => {
  const { DATA_DIR } = await setUp(t);
  const errorsWriting = (path: string) =>
    spawnSync(
      process.execPath,
      [...permissionFlags(DATA_DIR), '-e', `fs.writeFileSync(${JSON.stringify(path)}, '')`],
      {
        encoding: 'utf8',
      },
    ).stderr;
  assert.equal(errorsWriting(join(DATA_DIR, 'inside')), '');
  assert.match(errorsWriting(`${DATA_DIR}-outside`), /ERR_ACCESS_DENIED/);
});

test(
  'everything works as a user who owns only DATA_DIR',
  { skip: isRoot ? false : 'skipped: switching to another user needs root' },
  async (t) => {
    const env = await setUp(t);
    chownSync(env.DATA_DIR, NOBODY, NOBODY);
    await assertEverythingWorks(t, await serve(env, { useCache: false, uid: NOBODY }), env.DATA_DIR);
  },
);
