/** The wall clock jumps back and forth under a running service: limits count on, held labels stay, misses end. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { vinOf } from '../bench/stock.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { get, serve, verdict, type DrillResult } from './drill.ts';

const HOUR = 3_600_000;
/** Daylight saving both ways, a year ahead, a month back, and home. */
const JUMPS = [HOUR, -HOUR, 365 * 24 * HOUR, -30 * 24 * HOUR, 0];

export async function run(): Promise<DrillResult> {
  const { holds, result } = verdict('clock');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-clock-'));
  const simulator = await startSimulator();
  const jump = fileURLToPath(new URL('clock-jump.ts', import.meta.url));
  const service = await serve(
    {
      DATA_DIR: dataDir,
      SOURCE_ORIGIN: simulator.origin,
      LOG_LEVEL: 'error',
      CLOCK_OFFSETS: JUMPS.join(),
      TZ: 'America/New_York',
    },
    { nodeFlags: ['--import', jump] },
  );
  try {
    const held = vinOf(420_000);
    const first = await get(service.port, `/api/sticker/${held}`);
    holds(first.status === 200, `the label came with ${first.status}`);
    const none = vinOf(420_001);
    simulator.set(none, 'none');
    await get(service.port, `/api/v1/vin/${none}`);
    for (const [n, offset] of JUMPS.entries()) {
      service.child.kill('SIGUSR2');
      await wait(300);
      const name = `jump of ${offset / HOUR} hours`;
      const again = await get(service.port, `/api/sticker/${held}`);
      holds(again.body.equals(first.body), `${name}: the held label got ${again.status}`);
      const fresh = await get(service.port, `/api/v1/vin/${vinOf(420_010 + n)}`);
      holds(
        /"available":true/.test(fresh.body.toString()),
        `${name}: a new label was not fetched: ${fresh.body.toString().slice(0, 300)}`,
      );
      const from = { 'X-Forwarded-For': `10.77.0.${n + 1}` };
      const statuses: number[] = [];
      for (let ask = 0; ask < 11; ask++)
        statuses.push((await get(service.port, `/api/v1/vin/${held}`, from)).status);
      holds(
        statuses.slice(0, 10).every((status) => status === 200) && statuses[10] === 429,
        `${name}: the limit said ${statuses.join()}`,
      );
      const miss = await get(service.port, `/api/v1/vin/${none}`);
      holds(
        /"available":false/.test(miss.body.toString()),
        `${name}: "none" became ${miss.body.toString().slice(-200)}`,
      );
      holds((await get(service.port, '/readyz')).status === 200, `${name}: not ready`);
    }
  } finally {
    await service.kill('SIGTERM');
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return result({
    jumps: JUMPS.length,
    asksOfNone: simulator.requests.filter(({ behaviour }) => behaviour === 'none').length,
  });
}
