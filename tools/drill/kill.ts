/** `kill -9` during fetches and writes: no partial label, no row without its file, a quick start every time. */
import { hash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { vinOf } from '../bench/filled-store.ts';
import { startSimulator } from '../simulator/simulator.ts';
import {
  get,
  serve,
  collectFailures,
  vitals,
  type DrillResult,
  type Expect,
  type RunningService,
} from './drill.ts';

const CLIENTS = 12;
/** After this long a service has cached its compiled code. */
const COMPILED_MS = 6000;

interface Killing {
  dataDir: string;
  expect: Expect;
  /** VINs whose label a client has received, with its SHA-256. */
  served: Map<string, string>;
  /** Rows found after the previous kill, by VIN. None may disappear or change. */
  rows: Map<string, string>;
  /** Files that a kill left without a row. The next start removes them. */
  removed: number;
  serial: number;
}

export async function run({ kills = 1000, slowestStartMs = 2000 } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('kill');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-kill-'));
  const simulator = await startSimulator();
  const killing: Killing = { dataDir, expect, served: new Map(), rows: new Map(), removed: 0, serial: 0 };
  const start = async (): Promise<{ service: RunningService; readyMs: number }> => {
    const from = performance.now();
    const service = await serve({ DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin, LOG_LEVEL: 'error' });
    const ready = await get(service.port, '/readyz');
    expect(ready.status === 200, `/readyz returned ${ready.status} after a start`);
    return { service, readyMs: performance.now() - from };
  };
  const starts: number[] = [];
  /** CPU time of each start. If it's far below the elapsed time, the machine was busy. */
  const work: number[] = [];
  let first = 0;
  try {
    const { service, readyMs } = await start();
    first = readyMs;
    expect(first < slowestStartMs, `the first start took ${Math.round(first)} ms`);
    if (kills > 50) await wait(COMPILED_MS);
    await service.kill('SIGKILL');
    for (let kill = 0; kill < kills; kill++) {
      const again = await start();
      starts.push(again.readyMs);
      work.push(vitals(again.service.pid).cpuMs);
      await checkLeftovers(killing);
      await checkServed(again.service, killing);
      await killUnderLoad(again.service, killing, kill % 2 === 0);
      await checkRows(killing, kill === kills - 1);
    }
  } finally {
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  expect(killing.served.size > 0, 'no label was served before the kills');
  const late = starts.filter((ms) => ms >= slowestStartMs).length;
  expect(late === 0, `${late} of ${kills} starts took longer than ${slowestStartMs} ms`);
  const at = (list: readonly number[], share: number) =>
    Math.round(list.toSorted((a, b) => a - b)[Math.min(list.length - 1, list.length * share) | 0]!);
  return result({
    kills,
    labelsServed: killing.served.size,
    labelsStored: killing.rows.size,
    filesRemoved: killing.removed,
    firstStartMs: Math.round(first),
    startP50Ms: at(starts, 0.5),
    startP99Ms: at(starts, 0.99),
    startMaxMs: at(starts, 1),
    startsLate: late,
    startCpuP50Ms: at(work, 0.5),
    startCpuMaxMs: at(work, 1),
  });
}

/** Half of the kills happen while the first labels are fetched and written, half later under load. */
async function killUnderLoad(service: RunningService, killing: Killing, early: boolean): Promise<void> {
  const { served } = killing;
  const before = served.size;
  const stop = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!stop.signal.aborted) {
      const vin = vinOf(300_000 + killing.serial++);
      const response = await get(service.port, `/api/sticker/${vin}`).catch(() => null);
      if (response?.status === 200) served.set(vin, hash('sha256', response.body, 'hex'));
    }
  });
  if (early) await wait(50 + Math.random() * 450);
  else {
    for (let n = 0; n < 1000 && served.size === before; n++) await wait(5);
    await wait(Math.random() * 300);
  }
  stop.abort();
  await service.kill('SIGKILL');
  await Promise.all(clients);
}

const filesOf = async (dataDir: string) =>
  (await readdir(join(dataDir, 'labels'), { recursive: true })).filter((name) => name.endsWith('.pdf'));

/** The state after the kill, before a start repairs it: every row has its complete file. */
async function checkRows(killing: Killing, all: boolean): Promise<void> {
  const { dataDir, expect, served, rows } = killing;
  const store = await openStore({ dataDir, log: silentLog, exclusive: false });
  const stored = new Map<string, string>();
  for (const row of await store.labels(null, 1_000_000)) {
    stored.set(row.vin, row.sha256);
    if (!all && rows.has(row.vin)) continue;
    const pdf = await store.pdf(row.sha256).catch(() => Buffer.alloc(0));
    expect(pdf.length === row.bytes && hash('sha256', pdf, 'hex') === row.sha256, `${row.vin} is damaged`);
  }
  await store.close();
  for (const [vin, sha256] of [...rows, ...served])
    expect(stored.get(vin) === sha256, `${vin} was stored or served and is gone`);
  killing.rows = stored;
  killing.removed += Math.max(0, (await filesOf(dataDir)).length - stored.size);
}

/** After a start: a file for every row (a complete file may still lack its row), no leftovers. Every label is different. */
async function checkLeftovers({ dataDir, expect, rows }: Killing): Promise<void> {
  const files = await filesOf(dataDir);
  expect(files.length >= rows.size, `after a start: ${rows.size} rows, ${files.length} files`);
  const left = (await readdir(join(dataDir, 'tmp'))).filter((name) => !name.endsWith('.probe'));
  expect(left.length === 0, `after a start: ${left.length} leftovers in tmp`);
}

/** The newest label that a client received is served again, byte for byte. */
async function checkServed(service: RunningService, { served, expect }: Killing): Promise<void> {
  const [vin, sha256] = [...served].at(-1) ?? [];
  if (!vin) return;
  const again = await get(service.port, `/api/sticker/${vin}`);
  expect(
    hash('sha256', again.body, 'hex') === sha256,
    `${vin} was served again with ${again.status}, other bytes`,
  );
}
