/** Simulates a power cut after every file operation of a store: no partial label, no acknowledged label lost. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/lib/log.ts';
import { DATABASE } from '../../src/store/embedded/open.ts';
import { openStore } from '../../src/store/index.ts';
import { sha256Of } from '../../src/store/testing.ts';
import { collectFailures, type DrillResult } from './drill.ts';
import { CRASH_STATES, type Op, parseTrace, recordedDisk, type CrashState } from './recorded-disk.ts';

const CALLS =
  'openat,write,pwrite64,pwritev,writev,rename,renameat,renameat2,link,linkat,fsync,fdatasync,unlink,unlinkat,mkdir,mkdirat,ftruncate';
const strace = ['/usr/bin/strace', '/usr/local/bin/strace'].find((path) => existsSync(path));

/** Why the drill is skipped; false if it can run. */
export const withoutTrace: string | false = strace
  ? false
  : 'skipped: install strace first (apt-get install strace)';

export async function run({ labels = 20, every = 1 } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures();
  if (withoutTrace) return result({ skipped: withoutTrace });
  const root = mkdtempSync(join(tmpdir(), 'drill-power-'));
  try {
    const dataDir = join(root, 'data');
    const trace = join(root, 'trace');
    const program = new URL('label-writer.ts', import.meta.url).pathname;
    const options = ['-f', '-y', '-xx', '-s', '10000000', '-e', `trace=${CALLS}`, '-o', trace];
    const command = [process.execPath, program, dataDir, String(labels)];
    const traced = spawnSync(strace!, [...options, ...command], { encoding: 'utf8' });
    if (traced.status !== 0) {
      // Some containers forbid tracing.
      if (/ptrace|Operation not permitted/i.test(traced.stderr))
        return result({ skipped: 'tracing is forbidden here' });
      throw new Error(traced.stderr);
    }
    const ops = parseTrace(trace, dataDir);
    const acknowledged = new Map<string, string>();
    const disk = recordedDisk();
    let states = 0;
    for (const [index, op] of ops.entries()) {
      disk.apply(op);
      if (op.kind === 'stdout') {
        for (const line of op.text.trim().split('\n')) {
          const [vin, sha256] = line.split(' ') as [string, string];
          acknowledged.set(vin, sha256);
        }
      }
      for (const state of CRASH_STATES) {
        if (!changesState(op, state) || (index + CRASH_STATES.indexOf(state)) % every !== 0) continue;
        states++;
        const folder = mkdtempSync(join(root, 'state-'));
        disk.writeState(state, folder);
        const failure =
          (await checkStore(folder, acknowledged)) ??
          // The files alone must be enough to restore every label.
          (op.kind === 'stdout' ? await checkWithoutDatabase(folder, acknowledged) : null);
        expect(
          failure === null,
          `after operation ${index} (${op.kind} ${'path' in op ? op.path : ''}), ${state}: ${failure}`,
        );
        rmSync(folder, { recursive: true });
      }
    }
    expect(acknowledged.size === labels, `only ${acknowledged.size} labels were acknowledged`);
    return result({ operations: ops.length, states, acknowledged: acknowledged.size });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Whether this operation changes what a power cut leaves on disk. */
function changesState({ kind }: Op, state: CrashState): boolean {
  if (kind === 'stdout') return true;
  if (state === 'torn') return kind === 'write';
  if (state === 'only synced') return kind === 'sync';
  if (state === 'names before data')
    return kind === 'sync' || kind === 'rename' || kind === 'link' || kind === 'create';
  return kind !== 'sync';
}

async function checkWithoutDatabase(
  dataDir: string,
  acknowledged: ReadonlyMap<string, string>,
): Promise<string | null> {
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, DATABASE + end), { force: true });
  const failure = await checkStore(dataDir, acknowledged);
  return failure && `without its database, ${failure}`;
}

/** Opens a store on the remaining files and returns what is wrong. */
async function checkStore(
  dataDir: string,
  acknowledged: ReadonlyMap<string, string>,
): Promise<string | null> {
  try {
    const store = await openStore({ dataDir, log: silentLog });
    try {
      for (const { vin } of await store.labels(null, 1000)) {
        const label = (await store.find(vin)).label;
        if (label?.damaged) continue;
        if (sha256Of(await store.pdf(label!)) !== label!.sha256) return `${vin} is incomplete`;
      }
      for (const [vin, sha256] of acknowledged) {
        const label = (await store.find(vin)).label;
        if (label?.sha256 !== sha256) return `${vin} was acknowledged and is lost`;
        if (label.damaged) return `${vin} was acknowledged and is damaged`;
      }
      return null;
    } finally {
      await store.close();
    }
  } catch (error) {
    return `the store can't be opened: ${String(error)}`;
  }
}
