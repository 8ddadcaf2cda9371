/** A full disk, a read-only one, permission taken away, no file handles left: held labels go on, and it recovers by itself. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { vinOf } from '../bench/stock.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { get, serve, verdict, type DrillResult, type Served } from './drill.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const HELD = vinOf(410_000);

/** Trouble that comes and goes. */
interface Trouble {
  begin(dataDir: string, service: Served): void | Promise<void>;
  end(dataDir: string): void;
}

const ballast = (dataDir: string) => join(dataDir, '..', 'ballast');
const mount = (...args: string[]) => spawnSync('mount', args).status === 0;
const idle: net.Socket[] = [];

const troubles: Record<string, Trouble> = {
  full: {
    begin(dataDir) {
      try {
        writeFileSync(ballast(dataDir), Buffer.alloc(64 << 20));
      } catch {
        // Writing until nothing more fits is the point.
      }
    },
    end: (dataDir) => rmSync(ballast(dataDir)),
  },
  permission: {
    begin: (dataDir) => ['tmp', 'labels'].forEach((name) => chmodSync(join(dataDir, name), 0o500)),
    end: (dataDir) => ['tmp', 'labels'].forEach((name) => chmodSync(join(dataDir, name), 0o700)),
  },
  handles: {
    // Nobody new is let in then; those who ask below have a connection from before.
    async begin(_, service) {
      for (let n = 0; n < 400; n++) idle.push(net.connect(service.port, '127.0.0.1').on('error', () => {}));
      await wait(500);
    },
    end: () => idle.splice(0).forEach((socket) => socket.destroy()),
  },
};

export const kinds = [...Object.keys(troubles), 'read-only'];

export async function run({ only = kinds } = {}): Promise<DrillResult> {
  const { holds, result } = verdict('disk');
  if (!isRoot)
    return result({ skipped: 'mounting a small disk and being somebody else needs root on Linux' });
  const simulator = await startSimulator();
  const figures: Record<string, string> = {};
  try {
    for (const kind of only) {
      const trouble = troubles[kind];
      figures[kind] = await (trouble
        ? one(kind, trouble, simulator.origin, holds)
        : startReadOnly(simulator.origin, holds));
    }
  } finally {
    await simulator.close();
  }
  return result(figures);
}

async function one(
  kind: string,
  trouble: Trouble,
  origin: string,
  holds: (condition: boolean, otherwise: string) => void,
): Promise<string> {
  const disk = mkdtempSync(join(tmpdir(), 'drill-disk-'));
  const mounted = mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk);
  chownSync(disk, NOBODY, NOBODY);
  const dataDir = join(disk, 'data');
  const before = kind === 'handles' ? ['prlimit', '--nofile=300'] : [];
  // Root may write anywhere, so the service is somebody else.
  const env = {
    DATA_DIR: dataDir,
    SOURCE_ORIGIN: origin,
    LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: join(disk, 'compiled'),
  };
  const service = await serve(env, { before, uid: NOBODY });
  try {
    const first = await get(service.port, `/api/sticker/${HELD}`);
    holds(first.status === 200, `${kind}: the label to hold came with ${first.status}`);
    await trouble.begin(dataDir, service);
    // A write that worked is believed for a second; what is fetched within it is served from memory.
    await wait(1100);
    const during = await get(service.port, `/api/sticker/${HELD}`);
    holds(during.body.equals(first.body), `${kind}: the held label changed, status ${during.status}`);
    const fresh = await get(service.port, `/api/v1/vin/${vinOf(410_001)}`);
    holds(fresh.status === 200, `${kind}: a lookup got ${fresh.status}`);
    const said = JSON.parse(fresh.body.toString()).windowSticker?.available;
    const sticker = await get(service.port, `/api/sticker/${vinOf(410_002)}`);
    holds(said === null, `${kind}: a lookup was told available=${said}`);
    holds(sticker.status === 503, `${kind}: a new label got ${sticker.status}`);
    holds(Number(sticker.headers['retry-after']) > 0, `${kind}: a 503 without Retry-After`);
    const ready = await get(service.port, '/readyz');
    holds(ready.status === 503, `${kind}: /readyz said ${ready.status}`);
    trouble.end(dataDir);
    // What failed is believed for ten seconds at most.
    let recovered = 0;
    const from = performance.now();
    for (; recovered !== 200 && performance.now() - from < 45_000; await wait(250)) {
      recovered = (await get(service.port, `/api/sticker/${vinOf(410_003)}`)).status;
    }
    holds(recovered === 200, `${kind}: did not recover by itself, last status ${recovered}`);
    const well = Math.round(performance.now() - from);
    await wait(1100);
    const again = await get(service.port, '/readyz');
    holds(again.status === 200, `${kind}: /readyz says ${again.status} afterwards`);
    return `held 200; new lookup available=${said}, sticker ${sticker.status}; readyz ${ready.status}; well again after ${well} ms`;
  } finally {
    await service.kill('SIGTERM');
    if (mounted) spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}

/** A disk in use cannot be made read-only by hand; one that is when the service starts is refused in plain words. */
async function startReadOnly(
  origin: string,
  holds: (condition: boolean, otherwise: string) => void,
): Promise<string> {
  const disk = mkdtempSync(join(tmpdir(), 'drill-disk-'));
  if (!mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk))
    return 'skipped: no small disk could be mounted';
  const env = { DATA_DIR: join(disk, 'data'), SOURCE_ORIGIN: origin, LOG_LEVEL: 'error' };
  try {
    const first = await serve(env);
    const given = await get(first.port, `/api/sticker/${HELD}`);
    await first.kill('SIGTERM');
    mount('-o', 'remount,ro', disk);
    const said = await serve(env).then(
      async (service) => (await service.kill('SIGKILL'), 'started'),
      (error: Error) => error.message,
    );
    holds(/can't start/.test(said), `read-only: ${said.slice(0, 200)}`);
    mount('-o', 'remount,rw', disk);
    const again = await serve(env);
    const after = await get(again.port, `/api/sticker/${HELD}`);
    holds(after.body.equals(given.body), `read-only: afterwards the label got ${after.status}`);
    await again.kill('SIGTERM');
    return `a start is refused: ${/can't start.*/.exec(said)?.[0].slice(0, 90)}; afterwards all is there`;
  } finally {
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
}
