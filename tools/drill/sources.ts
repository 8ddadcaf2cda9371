/** Every misbehavior at every source under load: each client gets the right outcome within its time limit. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/lib/log.ts';
import { sources } from '../../src/makers/index.ts';
import { hostsOf, type Source } from '../../src/makers/maker.ts';
import { openStore } from '../../src/store/index.ts';
import { vinOf } from '../bench/filled-store.ts';
import { otherCar } from '../simulator/replies.ts';
import { behaviorNames, type Behavior } from '../simulator/behaviors.ts';
import { labelOf } from '../simulator/labels.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { get, serve, collectFailures, type DrillResult } from './drill.ts';
import { isRight, expectedOutcome } from './expected-outcomes.ts';

/** The time limit of a lookup, and some slack for a busy machine. */
const BUDGET_MS = 20_000 + 3_000;

/** The simulator is one host to the service, so slow responses would block all others. */
const SILENT = new Set<Behavior>(['hang', 'drip']);

/** Responses of 20 MB and more. How many fit in memory at once isn't tested here. */
const HEAVY = new Set<Behavior>(['huge', 'gzip-bomb']);

interface Car {
  vin: string;
  source: Source;
  behavior: Behavior;
  expected: string;
}

interface Tally {
  lookups: number;
  slowestMs: number;
  slowest: string;
  /** Cars with the right outcome, by kind. */
  label: number;
  none: number;
  refused: number;
  failed: number;
  /** Cars whose outcome is unknown for a reason other than the car itself. */
  unrelated: number;
}

export async function run({
  clients = 200,
  behaviors = behaviorNames,
  carsEach = 6,
  alone = true,
  together = true,
} = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('sources');
  const simulator = await startSimulator();
  const folder = await mkdtemp(join(tmpdir(), 'drill-sources-'));
  const tally: Tally = {
    lookups: 0,
    slowestMs: 0,
    slowest: '',
    label: 0,
    none: 0,
    refused: 0,
    failed: 0,
    unrelated: 0,
  };
  let serial = 500_000;
  const carsOf = (behavior: Behavior, count: number): Car[] =>
    sources.flatMap((source) =>
      Array.from({ length: count }, () => {
        const vin = vinOf(serial++, source.example);
        simulator.set(vin, behavior);
        return { vin, source, behavior, expected: expectedOutcome(source, behavior) };
      }),
    );
  try {
    // One misbehavior at a time, so that exactly one outcome is right for each car.
    for (const behavior of alone ? behaviors : []) {
      const cars = carsOf(behavior, HEAVY.has(behavior) ? 1 : carsEach);
      await lookUpAll({ simulator, folder, name: behavior, cars, clients, alone: true, tally, expect });
    }
    // Then all at once, mixed with labels, because a host that only misbehaves soon rests.
    if (together) {
      const cars = behaviors
        .filter((behavior) => !SILENT.has(behavior))
        .flatMap((behavior) => [carsOf('label', 1), carsOf(behavior, 1), carsOf('label', 1)])
        .flat();
      await lookUpAll({ simulator, folder, name: 'together', cars, clients, alone: false, tally, expect });
    }
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
  return result({ sources: sources.length, behaviors: behaviors.length, clients, ...tally });
}

interface LookUpAllOptions {
  simulator: Simulator;
  folder: string;
  name: string;
  cars: readonly Car[];
  clients: number;
  alone: boolean;
  tally: Tally;
  expect(condition: boolean, failure: string): void;
}

/** Starts a service and runs all clients at once, several for each car. */
async function lookUpAll(options: LookUpAllOptions): Promise<void> {
  const { simulator, folder, name, cars, clients, alone, tally, expect } = options;
  const env = {
    DATA_DIR: join(folder, name),
    SOURCE_ORIGIN: simulator.origin,
    LOG_LEVEL: 'error',
  };
  const service = await serve(env);
  const outcomes = new Map<string, Set<string>>();
  const queue = Array.from({ length: Math.max(clients, cars.length * 3) }, (_, n) => cars[n % cars.length]!);
  const client = async (): Promise<void> => {
    for (let car = queue.pop(); car; car = queue.pop()) {
      tally.lookups++;
      const lookup = await get(service.port, `/api/v1/vin/${car.vin}`, {}, 60_000).catch((error: Error) => {
        expect(false, `${name} at ${car.source.id}: no response, ${error.message}`);
        return null;
      });
      const outcome = lookup?.status === 200 ? outcomeIn(lookup.body.toString()) : `status ${lookup?.status}`;
      outcomes.set(car.vin, (outcomes.get(car.vin) ?? new Set()).add(outcome));
      const ms = lookup?.ms ?? 60_000;
      if (ms > tally.slowestMs)
        Object.assign(tally, { slowestMs: Math.round(ms), slowest: `${name} at ${car.source.id}` });
      expect(ms < BUDGET_MS, `${name}: a client waited for ${car.source.id} longer than its time limit`);
      if (outcome !== 'label') continue;
      const sticker = await get(service.port, `/api/sticker/${car.vin}`);
      expect(wasSent(car, sticker.body), `${name} at ${car.source.id}: not the bytes that the source sent`);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
    expect((await get(service.port, '/healthz')).status === 200, `${name}: not alive afterwards`);
  } finally {
    await service.kill('SIGTERM');
  }
  const store = await openStore({ dataDir: env.DATA_DIR, log: silentLog, exclusive: false });
  for (const { vin, source, behavior, expected } of cars) {
    const miss = (await store.find(vin)).miss;
    const stored = (await store.find(vin)).label ? 'label' : miss ? `${miss.kind}:${miss.why}` : 'nothing';
    const where = `${name === behavior ? '' : `${name}, `}${behavior} at ${source.id}`;
    // An unknown outcome is cached for half a minute.
    const forgotten = stored === 'nothing' && !alone;
    expect(forgotten || isRight(stored, expected, alone), `${where}: ${stored} instead of ${expected}`);
    const received = [...outcomes.get(vin)!];
    // A client half a minute earlier may have got "unknown", which is right.
    const allowed = alone ? [stored.split(':')[0]] : [expected.split(':')[0], 'failed', 'refused'];
    expect(
      received.every((outcome) => allowed.includes(outcome)),
      `${where}: ${stored}, and clients got ${received.join(' and ')}`,
    );
    if (stored === expected) tally[expected.split(':')[0] as 'label' | 'none' | 'refused' | 'failed']++;
    else tally.unrelated++;
  }
  await store.close();
}

/** Any of a source's hosts may have sent the label. */
function wasSent({ source, vin, behavior }: Car, body: Buffer): boolean {
  return hostsOf(source).some((host) => {
    const drawn =
      behavior === 'other-car'
        ? Buffer.from(otherCar({ source, host, vin, before: 0 }).body)
        : labelOf(source, host, vin);
    return body.equals(behavior === 'missing-end' ? drawn.subarray(0, -20) : drawn);
  });
}

/** The outcome that a client got. */
function outcomeIn(body: string): string {
  const { windowSticker, warning } = JSON.parse(body) as {
    windowSticker: { available: boolean | null; reason?: string };
    warning: string | null;
  };
  const { available, reason } = windowSticker;
  if (available !== null) return available ? 'label' : 'none';
  if (!/Try again in /.test(warning ?? '')) return 'unknown without advice';
  if (reason === 'source-refused') return 'refused';
  return reason === 'source-failed' ? 'failed' : 'unknown';
}
