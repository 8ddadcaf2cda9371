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
  { name: 'before the skipped hour', offset: to('2027-03-14T06:59:58Z') },
  { name: 'after the skipped hour', offset: to('2027-03-14T07:00:01Z') },
  { name: 'in the repeated hour, first time', offset: to('2026-11-01T05:59:58Z') },
  { name: 'in the repeated hour, second time', offset: to('2026-11-01T06:00:01Z') },
  { name: 'a leap day', offset: to('2028-02-29T23:59:58Z') },
  { name: 'a year ahead', offset: 365 * 24 * HOUR },
  { name: 'a month back', offset: -30 * 24 * HOUR },
  { name: 'to 1970', offset: to('1970-01-02T00:00:00Z') },
  { name: 'back to the real time', offset: 0 },
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
  const newCars: string[] = [];
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
      const second = await get(service.port, `/api/sticker/${held}`);
      expect(second.body.equals(first.body), `${name}: the stored label got ${second.status}`);
      const offByMs = Date.parse(second.headers.date ?? '') - Date.now() - offset;
      expect(Math.abs(offByMs) < 60_000, `${name}: the service's clock is ${offByMs} ms off`);
      expect((await available(vinOf(420_010 + n))) === 'true', `${name}: a new label was not fetched`);
      const from = { 'X-Forwarded-For': `10.77.0.${n + 1}` };
      const statuses: number[] = [];
      for (let i = 0; i < 11; i++)
        statuses.push((await get(service.port, `/api/v1/vin/${held}`, from)).status);
      expect(
        statuses.slice(0, 10).every((status) => status === 200) && statuses[10] === 429,
        `${name}: the limiter returned ${statuses.join()}`,
      );
      expect((await available(none)) === 'false', `${name}: "none" became ${await available(none)}`);
      // This car has no label while this clock is set.
      const newCar = vinOf(420_100 + n);
      simulator.set(newCar, 'none');
      newCars.push(newCar);
      expect((await available(newCar)) === 'false', `${name}: the response was not "none"`);
      for (const path of ['/readyz', '/status', '/status.json', `/window-sticker/${held}`]) {
        const { status } = await get(service.port, path);
        expect(status === 200, `${name}: ${path} got ${status}`);
      }
    }
    // Back at the real time: a "none" stored with a future date must not last until that date.
    for (const [n, newCar] of newCars.entries()) {
      const { name = '', offset = 0 } = jumps[n] ?? {};
      simulator.set(newCar, 'label');
      if (offset <= HOUR) continue;
      const now = await available(newCar);
      expect(now === 'true', `${name}: "none" hasn't expired at the real time, available is ${now}`);
    }
  } finally {
    await service.kill('SIGTERM');
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return result({
    jumps: jumps.length,
    zone: 'America/New_York',
    requestsWithNone: simulator.requests.filter(({ behavior }) => behavior === 'none').length,
  });
}
