import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { permissionFlags } from '../bin/permissions.mjs';
import { vinOf } from '../tools/bench/filled-store.ts';
import { get, serve, type RunningService } from '../tools/drill/drill.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { eventually } from './operator.ts';

/** The service, started as a process where `DATA_DIR` can't be written. `disk.test.ts` tests the store alone. */

const isLinux = process.platform === 'linux';
const onLinux = isLinux ? false : 'skipped: needs /proc';
const MOUNT = 'mount --bind "$DATA_DIR" "$DATA_DIR" && mount -o remount,bind,ro "$DATA_DIR" && exec "$@"';
/** Makes `DATA_DIR` read-only for this process and its children. */
const readOnlyDataDir = ['unshare', '-m', 'sh', '-c', MOUNT, 'sh'];
const canMount =
  isLinux &&
  spawnSync(readOnlyDataDir[0]!, [...readOnlyDataDir.slice(1), 'true'], {
    env: { ...process.env, DATA_DIR: tmpdir() },
  }).status === 0;

async function setUp(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'unwritable-'));
  const simulator = await startSimulator();
  t.after(async () => {
    await simulator.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const requestsFor = (vin: string) => simulator.requests.filter((request) => request.vin === vin).length;
  const env = { DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin };
  /** Starts the service, and returns what it says about a path. */
  async function start(more: Record<string, string> = {}, before: string[] = []) {
    const service = await serve({ ...env, ...more }, { useCache: false, before });
    t.after(() => service.kill('SIGKILL'));
    const status = async (path: string) => (await get(service.port, path)).status;
    return { service, status };
  }
  return { dataDir, requestsFor, start };
}

/** Whether it runs with the flags of a usual start. */
function assertPermissions({ pid }: RunningService, dataDir: string): void {
  const cmdline = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  for (const flag of permissionFlags(dataDir)) assert.ok(cmdline.includes(flag), `${flag} is missing`);
}

async function available({ port }: RunningService, vin: string): Promise<boolean | null> {
  const { body } = await get(port, `/api/v1/vin/${vin}`);
  const { vehicle, windowSticker } = JSON.parse(body.toString()) as {
    vehicle: { make: string };
    windowSticker: { available: boolean | null };
  };
  assert.equal(vehicle.make, 'FORD', 'VINs are decoded');
  return windowSticker.available;
}

test(
  'a service that starts on a read-only disk serves what is stored, and new labels when the disk is writable',
  { skip: canMount ? false : 'skipped: making a folder read-only needs root on Linux' },
  async (t) => {
    const { dataDir, requestsFor, start } = await setUp(t);
    const [stored, unknown] = [vinOf(440_000), vinOf(440_001)];
    const first = await start();
    assert.equal(await available(first.service, stored), true);
    await first.service.kill('SIGTERM');

    const { service, status } = await start({}, readOnlyDataDir);
    assertPermissions(service, dataDir);
    assert.equal(await status('/readyz'), 503);
    assert.equal(await status('/healthz'), 200);
    assert.equal(await available(service, stored), true);
    for (const path of ['', '/preview']) assert.equal(await status(`/api/sticker/${stored}${path}`), 200);
    assert.equal(await status(`/window-sticker/${stored}`), 200);
    assert.equal(await available(service, unknown), null);
    assert.equal(await status(`/api/sticker/${unknown}`), 503);
    assert.equal(requestsFor(unknown), 0);

    const writable = ['-t', String(service.pid), '-m', 'mount', '-o', 'remount,bind,rw', dataDir];
    assert.equal(spawnSync('nsenter', writable).status, 0);
    await eventually(
      () => status('/readyz'),
      (value) => value === 200,
    );
    assert.equal(await available(service, unknown), true);
    await service.kill('SIGTERM');
    assert.equal(service.child.exitCode, 0);
  },
);

test(
  'a service whose DATA_DIR cannot be created decodes, and asks no source',
  { skip: onLinux },
  async (t) => {
    const { requestsFor, start } = await setUp(t);
    // Nobody can create a folder there, not even root.
    const DATA_DIR = '/proc/monroney/data';
    const { service, status } = await start({ DATA_DIR });
    assertPermissions(service, DATA_DIR);
    assert.equal(await status('/readyz'), 503);
    assert.equal(await status('/healthz'), 200);
    const vin = vinOf(440_002);
    assert.equal(await available(service, vin), null);
    assert.equal(await status(`/api/sticker/${vin}`), 503);
    assert.equal(requestsFor(vin), 0);
  },
);
