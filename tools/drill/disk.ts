/**
 * A full disk, a read-only disk or missing permissions: stored labels are served, and the service recovers. More
 * connections than file descriptors: nothing fails.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { vinOf } from '../bench/filled-store.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { get, serve, collectFailures, type DrillResult, type Expect, type RunningService } from './drill.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const HELD = vinOf(410_000);

/** Faults that can be switched on and off. */
interface Fault {
  /** New labels can still be stored. */
  isHarmless?: true;
  begin(dataDir: string, service: RunningService): void | Promise<void>;
  end(dataDir: string): void;
}

const fillerFile = (dataDir: string) => join(dataDir, '..', 'ballast');
const mount = (...args: string[]) => spawnSync('mount', args).status === 0;
const idle: net.Socket[] = [];

const faults: Record<string, Fault> = {
  full: {
    begin(dataDir) {
      try {
        writeFileSync(fillerFile(dataDir), Buffer.alloc(64 << 20));
      } catch {
        // Fill the disk.
      }
    },
    end: (dataDir) => rmSync(fillerFile(dataDir)),
  },
  permission: {
    begin: (dataDir) => ['tmp', 'labels'].forEach((name) => chmodSync(join(dataDir, name), 0o500)),
    end: (dataDir) => ['tmp', 'labels'].forEach((name) => chmodSync(join(dataDir, name), 0o700)),
  },
  handles: {
    // More than the process may open. The service refuses those that would leave it none for files.
    isHarmless: true,
    async begin(_, service) {
      for (let n = 0; n < 400; n++) idle.push(net.connect(service.port, '127.0.0.1').on('error', () => {}));
      await wait(500);
    },
    end: () => idle.splice(0).forEach((socket) => socket.destroy()),
  },
};

const faultNames = [...Object.keys(faults), 'read-only'];

export async function run({ only = faultNames } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('disk');
  if (!isRoot)
    return result({ skipped: 'mounting a small disk and running as another user need root on Linux' });
  const simulator = await startSimulator();
  const figures: Record<string, string> = {};
  try {
    for (const name of only) {
      const fault = faults[name];
      figures[name] = await (fault
        ? runFault(name, fault, simulator.origin, expect)
        : startReadOnly(simulator.origin, expect));
    }
  } finally {
    await simulator.close();
  }
  return result(figures);
}

async function runFault(name: string, fault: Fault, origin: string, expect: Expect): Promise<string> {
  const disk = mkdtempSync(join(tmpdir(), 'drill-disk-'));
  const mounted = mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk);
  chownSync(disk, NOBODY, NOBODY);
  const dataDir = join(disk, 'data');
  const before = name === 'handles' ? ['prlimit', '--nofile=300'] : [];
  // Root may write anywhere, so the service runs as another user.
  const env = {
    DATA_DIR: dataDir,
    SOURCE_ORIGIN: origin,
    LOG_LEVEL: 'error',
  };
  const service = await serve(env, { before, uid: NOBODY });
  try {
    const first = await get(service.port, `/api/sticker/${HELD}`);
    expect(first.status === 200, `${name}: the first label got ${first.status}`);
    await fault.begin(dataDir, service);
    // A successful write is cached for a second; labels fetched in that time are served from memory.
    await wait(1100);
    const during = await get(service.port, `/api/sticker/${HELD}`);
    expect(during.body.equals(first.body), `${name}: the stored label changed, status ${during.status}`);
    const fresh = await get(service.port, `/api/v1/vin/${vinOf(410_001)}`);
    expect(fresh.status === 200, `${name}: a lookup got ${fresh.status}`);
    const available = JSON.parse(fresh.body.toString()).windowSticker?.available;
    const sticker = await get(service.port, `/api/sticker/${vinOf(410_002)}`);
    const status = fault.isHarmless ? 200 : 503;
    expect(available === (fault.isHarmless ?? null), `${name}: a lookup returned available=${available}`);
    expect(sticker.status === status, `${name}: a new label got ${sticker.status}`);
    if (!fault.isHarmless)
      expect(Number(sticker.headers['retry-after']) > 0, `${name}: a 503 without Retry-After`);
    const ready = await get(service.port, '/readyz');
    expect(ready.status === status, `${name}: /readyz returned ${ready.status}`);
    fault.end(dataDir);
    // A failure is cached for ten seconds at most.
    let recovered = 0;
    const from = performance.now();
    for (; recovered !== 200 && performance.now() - from < 45_000; await wait(250)) {
      recovered = (await get(service.port, `/api/sticker/${vinOf(410_003)}`)).status;
    }
    expect(recovered === 200, `${name}: did not recover by itself, last status ${recovered}`);
    const recoveredMs = Math.round(performance.now() - from);
    await wait(1100);
    const readiness = await get(service.port, '/readyz');
    expect(readiness.status === 200, `${name}: /readyz returned ${readiness.status} afterwards`);
    return `stored label 200; new lookup available=${available}, sticker ${sticker.status}; readyz ${ready.status}; recovered after ${recoveredMs} ms`;
  } finally {
    await service.kill('SIGTERM');
    if (mounted) spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

/** A disk in use can't be made read-only. If it is read-only at startup, the service exits with a clear error. */
async function startReadOnly(origin: string, expect: Expect): Promise<string> {
  const disk = mkdtempSync(join(tmpdir(), 'drill-disk-'));
  if (!mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk))
    return 'skipped: no small disk could be mounted';
  const env = { DATA_DIR: join(disk, 'data'), SOURCE_ORIGIN: origin, LOG_LEVEL: 'error' };
  try {
    const first = await serve(env);
    const label = await get(first.port, `/api/sticker/${HELD}`);
    await first.kill('SIGTERM');
    mount('-o', 'remount,ro', disk);
    const message = await serve(env).then(
      async (service) => (await service.kill('SIGKILL'), 'started'),
      (error: Error) => error.message,
    );
    expect(/can't start/.test(message), `read-only: ${message.slice(0, 200)}`);
    mount('-o', 'remount,rw', disk);
    const restarted = await serve(env);
    const after = await get(restarted.port, `/api/sticker/${HELD}`);
    expect(after.body.equals(label.body), `read-only: afterwards the label got ${after.status}`);
    await restarted.kill('SIGTERM');
    return `startup fails: ${/can't start.*/.exec(message)?.[0].slice(0, 90)}; afterwards all data is there`;
  } finally {
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}
