/** The wall clock jumps while the service runs: limits still apply, stored labels stay, misses expire. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { vinOf } from '../bench/filled-store.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { get, serve, collectFailures, type DrillResult } from './drill.ts';

const HOUR = 3_600_000;
const started = Date.now();
const to = (iso: string) => Date.parse(iso) - started;

/** Offsets of the wall clock. New York skips an hour in March and repeats one in November. */
const JUMPS: readonly { name: string; offset: number }[] = [
  { name: 'an hour ahead', offset: HOUR },
  { name: 'an hour back', offset: -HOUR },
  { name: 'before the hour that is left out', offset: to('2027-03-14T06:59:58Z') },
  { name: 'after the hour that is left out', offset: to('2027-03-14T07:00:01Z') },
  { name: 'in the hour that comes twice', offset: to('2026-11-01T05:59:58Z') },
  { name: 'in the same hour once more', offset: to('2026-11-01T06:00:01Z') },
  { name: 'a leap day', offset: to('2028-02-29T23:59:58Z') },
  { name: 'a year ahead', offset: 365 * 24 * HOUR },
  { name: 'a month back', offset: -30 * 24 * HOUR },
  { name: 'to 1970', offset: to('1970-01-02T00:00:00Z') },
  { name: 'home', offset: 0 },
];

export async function run({ jumps = JUMPS } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('clock');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-clock-'));
  const simulator = await startSimulator();
  const jump = fileURLToPath(new URL('clock-jump.ts', import.meta.url));
  const service = await serve(
    {
      DATA_DIR: dataDir,
      SOURCE_ORIGIN: simulator.origin,
      LOG_LEVEL: 'error',
      CLOCK_OFFSETS: jumps.map(({ offset }) => offset).join(),
      TZ: 'America/New_York',
    },
    { nodeFlags: ['--import', jump] },
  );
  const available = async (vin: string) =>
    /"available":(\w+)/.exec((await get(service.port, `/api/v1/vin/${vin}`)).body.toString())?.[1];
  const cars: string[] = [];
  try {
    const held = vinOf(420_000);
    const first = await get(service.port, `/api/sticker/${held}`);
    expect(first.status === 200, `the label came with ${first.status}`);
    const none = vinOf(420_001);
    simulator.set(none, 'none');
    await get(service.port, `/api/v1/vin/${none}`);
    for (const [n, { name, offset }] of jumps.entries()) {
      service.child.kill('SIGUSR2');
      await wait(300);
      const again = await get(service.port, `/api/sticker/${held}`);
      expect(again.body.equals(first.body), `${name}: the stored label got ${again.status}`);
      const off = Date.parse(again.headers.date ?? '') - Date.now() - offset;
      expect(Math.abs(off) < 60_000, `${name}: the service did not see the jump, ${off} ms off`);
      expect((await available(vinOf(420_010 + n))) === 'true', `${name}: a new label was not fetched`);
      const from = { 'X-Forwarded-For': `10.77.0.${n + 1}` };
      const statuses: number[] = [];
      for (let ask = 0; ask < 11; ask++)
        statuses.push((await get(service.port, `/api/v1/vin/${held}`, from)).status);
      expect(
        statuses.slice(0, 10).every((status) => status === 200) && statuses[10] === 429,
        `${name}: the limiter returned ${statuses.join()}`,
      );
      expect((await available(none)) === 'false', `${name}: "none" became ${await available(none)}`);
      // A car without a label while this clock is set.
      const late = vinOf(420_100 + n);
      simulator.set(late, 'none');
      cars.push(late);
      expect((await available(late)) === 'false', `${name}: the response was not "none"`);
      for (const path of ['/readyz', '/status', '/status.json', `/window-sticker/${held}`]) {
        const { status } = await get(service.port, path);
        expect(status === 200, `${name}: ${path} got ${status}`);
      }
    }
    // Back at the right time: a "none" from a clock ahead must not last as long as the clock was ahead.
    for (const [n, late] of cars.entries()) {
      const { name = '', offset = 0 } = jumps[n] ?? {};
      simulator.set(late, 'label');
      if (offset <= HOUR) continue;
      const now = await available(late);
      expect(now === 'true', `${name}: "none" is still believed at home, available is ${now}`);
    }
  } finally {
    await service.kill('SIGTERM');
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return result({
    jumps: jumps.length,
    zone: 'America/New_York',
    asksOfNone: simulator.requests.filter(({ behavior }) => behavior === 'none').length,
  });
}
