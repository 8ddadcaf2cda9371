/** `kill -9` during fetches and writes: never half a label, never a row without its file, a quick start every time. */
import { hash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { vinOf } from '../bench/stock.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { get, serve, verdict, vitals, type DrillResult, type Served } from './drill.ts';

const ASKERS = 12;
/** A service that lived this long has written down what it compiled. */
const COMPILED_MS = 6000;

type Holds = (condition: boolean, otherwise: string) => void;

interface Killing {
  dataDir: string;
  holds: Holds;
  /** VINs whose label a client has been given, with the bytes' SHA-256. */
  given: Map<string, string>;
  /** Rows found after the kill before, by VIN: none may go away or change. */
  rows: Map<string, string>;
  /** Files that a kill left without their row: undone at the next start. */
  undone: number;
  serial: number;
}

export async function run({ kills = 1000, slowestStartMs = 2000 } = {}): Promise<DrillResult> {
  const { holds, result } = verdict('kill');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-kill-'));
  const simulator = await startSimulator();
  const killing: Killing = { dataDir, holds, given: new Map(), rows: new Map(), undone: 0, serial: 0 };
  const start = async (): Promise<{ service: Served; readyMs: number }> => {
    const from = performance.now();
    const service = await serve({ DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin, LOG_LEVEL: 'error' });
    const ready = await get(service.port, '/readyz');
    holds(ready.status === 200, `/readyz said ${ready.status} after a start`);
    return { service, readyMs: performance.now() - from };
  };
  const starts: number[] = [];
  /** Processor time of each start: where it is far below the start's own, the machine had other work. */
  const work: number[] = [];
  let first = 0;
  try {
    const { service, readyMs } = await start();
    first = readyMs;
    holds(first < slowestStartMs, `the very first start took ${Math.round(first)} ms`);
    if (kills > 50) await wait(COMPILED_MS);
    await service.kill('SIGKILL');
    for (let kill = 0; kill < kills; kill++) {
      const again = await start();
      starts.push(again.readyMs);
      work.push(vitals(again.service.pid).cpuMs);
      await tidied(killing);
      await stillServed(again.service, killing);
      await killUnderLoad(again.service, killing, kill % 2 === 0);
      await inspect(killing, kill === kills - 1);
    }
  } finally {
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  holds(killing.given.size > 0, 'no label was given before the kills');
  const late = starts.filter((ms) => ms >= slowestStartMs).length;
  holds(late === 0, `${late} of ${kills} starts took longer than ${slowestStartMs} ms`);
  const at = (list: readonly number[], share: number) =>
    Math.round(list.toSorted((a, b) => a - b)[Math.min(list.length - 1, list.length * share) | 0]!);
  return result({
    kills,
    labelsGiven: killing.given.size,
    labelsHeld: killing.rows.size,
    filesUndone: killing.undone,
    firstStartMs: Math.round(first),
    startP50Ms: at(starts, 0.5),
    startP99Ms: at(starts, 0.99),
    startMaxMs: at(starts, 1),
    startsLate: late,
    startCpuP50Ms: at(work, 0.5),
    startCpuMaxMs: at(work, 1),
  });
}

/** Half of the kills come while the first labels are fetched, judged and written, half while labels flow. */
async function killUnderLoad(service: Served, killing: Killing, early: boolean): Promise<void> {
  const { given } = killing;
  const before = given.size;
  const stop = new AbortController();
  const asking = Array.from({ length: ASKERS }, async () => {
    while (!stop.signal.aborted) {
      const vin = vinOf(300_000 + killing.serial++);
      const answer = await get(service.port, `/api/sticker/${vin}`).catch(() => null);
      if (answer?.status === 200) given.set(vin, hash('sha256', answer.body, 'hex'));
    }
  });
  if (early) await wait(50 + Math.random() * 450);
  else {
    for (let n = 0; n < 1000 && given.size === before; n++) await wait(5);
    await wait(Math.random() * 300);
  }
  stop.abort();
  await service.kill('SIGKILL');
  await Promise.all(asking);
}

const filesOf = async (dataDir: string) =>
  (await readdir(join(dataDir, 'labels'), { recursive: true })).filter((name) => name.endsWith('.pdf'));

/** What the kill left, before any start has mended it: a row always has its whole file. */
async function inspect(killing: Killing, all: boolean): Promise<void> {
  const { dataDir, holds, given, rows } = killing;
  const store = await openStore({ dataDir, log: silentLog, exclusive: false });
  const held = new Map<string, string>();
  for (const row of await store.labels(null, 1_000_000)) {
    held.set(row.vin, row.sha256);
    if (!all && rows.has(row.vin)) continue;
    const pdf = await store.pdf(row.sha256).catch(() => Buffer.alloc(0));
    holds(pdf.length === row.bytes && hash('sha256', pdf, 'hex') === row.sha256, `${row.vin} is not whole`);
  }
  await store.close();
  for (const [vin, sha256] of [...rows, ...given])
    holds(held.get(vin) === sha256, `${vin} was held or given and is not held`);
  killing.rows = held;
  killing.undone += Math.max(0, (await filesOf(dataDir)).length - held.size);
}

/** After a start: a file for every row (a whole one may wait for its row), no leftovers. Each car's label has bytes of its own. */
async function tidied({ dataDir, holds, rows }: Killing): Promise<void> {
  const files = await filesOf(dataDir);
  holds(files.length >= rows.size, `after a start: ${rows.size} rows, ${files.length} files`);
  const left = (await readdir(join(dataDir, 'tmp'))).filter((name) => !name.endsWith('.probe'));
  holds(left.length === 0, `after a start: ${left.length} leftovers in tmp`);
}

/** The newest label that somebody was given comes again, byte for byte. */
async function stillServed(service: Served, { given, holds }: Killing): Promise<void> {
  const [vin, sha256] = [...given].at(-1) ?? [];
  if (!vin) return;
  const again = await get(service.port, `/api/sticker/${vin}`);
  holds(hash('sha256', again.body, 'hex') === sha256, `${vin} came again with ${again.status}, other bytes`);
}
