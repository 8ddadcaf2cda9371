/** `kill -9` during fetches and writes: no partial label, no row without its file. */
import { hash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { percentile } from '../bench/figures.ts';
import { vinOf } from '../bench/filled-store.ts';
import { startSimulator } from '../simulator/simulator.ts';
import {
  get,
  serve,
  collectFailures,
  cpuNs,
  type DrillResult,
  type Expect,
  type RunningService,
} from './drill.ts';

const CLIENTS = 12;

interface State {
  dataDir: string;
  expect: Expect;
  /** VINs whose label a client has received, with its SHA-256. */
  served: Map<string, string>;
  /** Rows found after the previous kill, by VIN. None may disappear or change. */
  rows: Map<string, string>;
  /** PDFs that kills left without a row. A lookup finds them if the file beside them was written. */
  withoutRow: number;
  serial: number;
}

export async function run({ kills = 1000 } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('kill');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-kill-'));
  const simulator = await startSimulator();
  const state: State = { dataDir, expect, served: new Map(), rows: new Map(), withoutRow: 0, serial: 0 };
  const start = async (): Promise<{ service: RunningService; readyMs: number }> => {
    const from = performance.now();
    const service = await serve({ DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin, LOG_LEVEL: 'error' });
    const ready = await get(service.port, '/readyz');
    expect(ready.status === 200, `/readyz returned ${ready.status} after a start`);
    return { service, readyMs: performance.now() - from };
  };
  const starts: number[] = [];
  /** CPU time of each start. If it's far below the elapsed time, the machine was busy. */
  const startsCpuMs: number[] = [];
  let firstStartMs = 0;
  try {
    const { service, readyMs } = await start();
    firstStartMs = readyMs;
    await service.kill('SIGKILL');
    for (let kill = 0; kill < kills; kill++) {
      const restarted = await start();
      starts.push(restarted.readyMs);
      startsCpuMs.push(cpuNs(restarted.service.pid) / 1e6);
      await checkLeftovers(state);
      await checkServed(restarted.service, state);
      await killUnderLoad(restarted.service, state, kill % 2 === 0);
      await checkRows(state, kill === kills - 1);
    }
  } finally {
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  expect(state.served.size > 0, 'no label was served before the kills');
  const rounded = (list: readonly number[], percent: number) => Math.round(percentile(list, percent));
  return result({
    kills,
    labelsServed: state.served.size,
    labelsStored: state.rows.size,
    filesWithoutRow: state.withoutRow,
    firstStartMs: Math.round(firstStartMs),
    startP50Ms: rounded(starts, 50),
    startP99Ms: rounded(starts, 99),
    startMaxMs: rounded(starts, 100),
    startCpuP50Ms: rounded(startsCpuMs, 50),
    startCpuMaxMs: rounded(startsCpuMs, 100),
  });
}

/** Half of the kills happen while the first labels are fetched and written, half later under load. */
async function killUnderLoad(service: RunningService, state: State, early: boolean): Promise<void> {
  const { served } = state;
  const before = served.size;
  const stop = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!stop.signal.aborted) {
      const vin = vinOf(300_000 + state.serial++);
      const response = await get(service.port, `/api/sticker/${vin}`).catch(() => null);
      if (response?.status === 200) served.set(vin, hash('sha256', response.body, 'hex'));
    }
  });
  if (early) await wait(50 + Math.random() * 450);
  else {
    const { child } = service;
    while (served.size === before && child.exitCode === null && child.signalCode === null) await wait(5);
    await wait(Math.random() * 300);
  }
  stop.abort();
  await service.kill('SIGKILL');
  await Promise.all(clients);
}

const filesOf = async (dataDir: string) =>
  (await readdir(join(dataDir, 'labels'), { recursive: true })).filter((name) => name.endsWith('.pdf'));

/** The state after the kill, before a start repairs it: every row has its complete file. */
async function checkRows(state: State, all: boolean): Promise<void> {
  const { dataDir, expect, served, rows } = state;
  const store = await openStore({ dataDir, log: silentLog, exclusive: false });
  const stored = new Map<string, string>();
  for (const row of await store.labels(null, 1_000_000)) {
    stored.set(row.vin, row.sha256);
    if (!all && rows.has(row.vin)) continue;
    const pdf = await store.pdf(row).catch(() => Buffer.alloc(0));
    expect(pdf.length === row.bytes && hash('sha256', pdf, 'hex') === row.sha256, `${row.vin} is damaged`);
  }
  await store.close();
  for (const [vin, sha256] of [...rows, ...served])
    expect(stored.get(vin) === sha256, `${vin} was stored or served and is gone`);
  state.rows = stored;
  state.withoutRow = (await filesOf(dataDir)).length - stored.size;
}

/** After a start: a file for every row (a complete file may still lack its row), no leftovers. Every label is different. */
async function checkLeftovers({ dataDir, expect, rows }: State): Promise<void> {
  const files = await filesOf(dataDir);
  expect(files.length >= rows.size, `after a start: ${rows.size} rows, ${files.length} files`);
  const leftovers = (await readdir(join(dataDir, 'tmp'))).filter((name) => !name.endsWith('.probe'));
  expect(leftovers.length === 0, `after a start: ${leftovers.length} leftovers in tmp`);
}

/** The newest label that a client received is served again, byte for byte. */
async function checkServed(service: RunningService, { served, expect }: State): Promise<void> {
  const [vin, sha256] = [...served].at(-1) ?? [];
  if (!vin) return;
  const restarted = await get(service.port, `/api/sticker/${vin}`);
  expect(
    hash('sha256', restarted.body, 'hex') === sha256,
    `${vin} was served again with ${restarted.status}, different bytes`,
  );
}
