/** `kill -9` during fetches and writes: never half a label, never a row without its file, a quick start every time. */
import { hash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '../../src/log.ts';
import { openStore } from '../../src/store/index.ts';
import { vinOf } from '../bench/stock.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { get, serve, verdict, type DrillResult } from './drill.ts';

const ASKERS = 12;
const SLOWEST_START_MS = 2000;

export async function run({ kills = 1000 } = {}): Promise<DrillResult> {
  const { holds, result } = verdict('kill');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-kill-'));
  const simulator = await startSimulator();
  /** VINs whose label a client has been given, with the bytes' SHA-256. */
  const given = new Map<string, string>();
  const starts: number[] = [];
  let serial = 0;
  try {
    for (let kill = 0; kill < kills; kill++) {
      const service = await serve({ DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin, LOG_LEVEL: 'error' });
      starts.push(service.startMs);
      const stop = new AbortController();
      const asking = Array.from({ length: ASKERS }, async () => {
        while (!stop.signal.aborted) {
          const vin = vinOf(300_000 + serial++);
          const answer = await get(service.port, `/api/sticker/${vin}`).catch(() => null);
          if (answer?.status === 200) given.set(vin, hash('sha256', answer.body, 'hex'));
        }
      });
      // From the first label on, any moment is as good as another.
      const before = given.size;
      for (let n = 0; n < 500 && given.size === before; n++) await wait(20);
      await wait(Math.random() * 400);
      stop.abort();
      await service.kill('SIGKILL');
      await Promise.all(asking);
      await inspect(dataDir, given, kill === kills - 1, holds);
    }
  } finally {
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  const slowest = Math.max(...starts);
  holds(given.size > 0, 'no label was given before the kills');
  return result({
    kills,
    labelsGiven: given.size,
    slowestStartMs: Math.round(slowest),
    startsOver2s: starts.filter((ms) => ms > SLOWEST_START_MS).length,
  });
}

/** Opens the folder as the next start does, and holds rows, files and what clients were given against each other. */
async function inspect(
  dataDir: string,
  given: ReadonlyMap<string, string>,
  all: boolean,
  holds: (condition: boolean, otherwise: string) => void,
): Promise<void> {
  const store = await openStore({ dataDir, log: silentLog });
  const rows = await store.labels(null, 1_000_000);
  const files = (await readdir(join(dataDir, 'labels'), { recursive: true })).filter((name) =>
    name.endsWith('.pdf'),
  );
  holds(files.length === rows.length, `${rows.length} rows, ${files.length} files`);
  holds((await readdir(join(dataDir, 'tmp'))).length === 0, 'leftovers in tmp');
  const held = new Map(rows.map((row) => [row.vin, row]));
  for (const [vin, sha256] of given)
    holds(held.get(vin)?.sha256 === sha256, `${vin} was given and is not held`);
  for (const row of all ? rows : rows.slice(-20)) {
    const pdf = await store.pdf(row.sha256);
    holds(pdf.length === row.bytes && hash('sha256', pdf, 'hex') === row.sha256, `${row.vin} is not whole`);
  }
  await store.close();
}
