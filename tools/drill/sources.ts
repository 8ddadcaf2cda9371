/** Every misbehaviour at every source under load from many clients: each gets the truth, none waits past its budget. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/lib/log.ts';
import { sources } from '../../src/makers/index.ts';
import { hostsOf, type Source } from '../../src/makers/maker.ts';
import { openStore } from '../../src/store/index.ts';
import { vinOf } from '../bench/stock.ts';
import { otherCar } from '../simulator/answers.ts';
import { behaviourNames, type Behaviour } from '../simulator/behaviours.ts';
import { labelOf } from '../simulator/labels.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { get, serve, verdict, type DrillResult } from './drill.ts';
import { isTrue, truthOf } from './truth.ts';

/** The whole budget of a lookup, and a little for a busy machine. */
const BUDGET_MS = 20_000 + 3_000;

/** The simulator is one host to the service: those who wait here would take the connections of all the others. */
const SILENT = new Set<Behaviour>(['hang', 'drip']);

/** Twenty megabytes and more for every car: how much that is in all is no part of what is to be shown. */
const HEAVY = new Set<Behaviour>(['huge', 'gzip-bomb']);

interface Car {
  vin: string;
  source: Source;
  behaviour: Behaviour;
  truth: string;
}

interface Tally {
  asks: number;
  slowestMs: number;
  slowest: string;
  /** Cars whose truth was told, by kind. */
  label: number;
  none: number;
  refused: number;
  failed: number;
  /** Cars about which nothing was learnt for a reason beside them. */
  beside: number;
}

export async function run({
  clients = 200,
  behaviours = behaviourNames,
  carsEach = 6,
  alone = true,
  together = true,
} = {}): Promise<DrillResult> {
  const { holds, result } = verdict('sources');
  const simulator = await startSimulator();
  const folder = await mkdtemp(join(tmpdir(), 'drill-sources-'));
  const tally: Tally = {
    asks: 0,
    slowestMs: 0,
    slowest: '',
    label: 0,
    none: 0,
    refused: 0,
    failed: 0,
    beside: 0,
  };
  let serial = 500_000;
  const carsOf = (behaviour: Behaviour, each: number): Car[] =>
    sources.flatMap((source) =>
      Array.from({ length: each }, () => {
        const vin = vinOf(serial++, source.example);
        simulator.set(vin, behaviour);
        return { vin, source, behaviour, truth: truthOf(source, behaviour) };
      }),
    );
  try {
    // One misbehaviour at a time, so that exactly one answer is true for each car.
    for (const behaviour of alone ? behaviours : []) {
      const cars = carsOf(behaviour, HEAVY.has(behaviour) ? 1 : carsEach);
      await ask({ simulator, folder, name: behaviour, cars, clients, alone: true, tally, holds });
    }
    // And all of them at once, among labels, since a host that does nothing but misbehave is soon left alone.
    if (together) {
      const cars = behaviours
        .filter((behaviour) => !SILENT.has(behaviour))
        .flatMap((behaviour) => [carsOf('label', 1), carsOf(behaviour, 1), carsOf('label', 1)])
        .flat();
      await ask({ simulator, folder, name: 'together', cars, clients, alone: false, tally, holds });
    }
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
  return result({ sources: sources.length, behaviours: behaviours.length, clients, ...tally });
}

interface Asking {
  simulator: Simulator;
  folder: string;
  name: string;
  cars: readonly Car[];
  clients: number;
  alone: boolean;
  tally: Tally;
  holds(condition: boolean, otherwise: string): void;
}

/** A service of its own, and all clients at once; several of them ask for each car. */
async function ask(asking: Asking): Promise<void> {
  const { simulator, folder, name, cars, clients, alone, tally, holds } = asking;
  const env = {
    DATA_DIR: join(folder, name),
    SOURCE_ORIGIN: simulator.origin,
    LOG_LEVEL: 'error',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };
  const service = await serve(env);
  const told = new Map<string, Set<string>>();
  const queue = Array.from({ length: Math.max(clients, cars.length * 3) }, (_, n) => cars[n % cars.length]!);
  const client = async (): Promise<void> => {
    for (let car = queue.pop(); car; car = queue.pop()) {
      tally.asks++;
      const lookup = await get(service.port, `/api/v1/vin/${car.vin}`, {}, 60_000).catch((error: Error) => {
        holds(false, `${name} at ${car.source.id}: no answer, ${error.message}`);
        return null;
      });
      const says = lookup?.status === 200 ? saying(lookup.body.toString()) : `status ${lookup?.status}`;
      told.set(car.vin, (told.get(car.vin) ?? new Set()).add(says));
      const ms = lookup?.ms ?? 60_000;
      if (ms > tally.slowestMs)
        Object.assign(tally, { slowestMs: Math.round(ms), slowest: `${name} at ${car.source.id}` });
      holds(ms < BUDGET_MS, `${name}: somebody waited for ${car.source.id} longer than the budget`);
      if (says !== 'label') continue;
      const sticker = await get(service.port, `/api/sticker/${car.vin}`);
      holds(wasSent(car, sticker.body), `${name} at ${car.source.id}: not the bytes that the source sent`);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
    holds((await get(service.port, '/healthz')).status === 200, `${name}: not alive afterwards`);
  } finally {
    await service.kill('SIGTERM');
  }
  const store = await openStore({ dataDir: env.DATA_DIR, log: silentLog, exclusive: false });
  for (const { vin, source, behaviour, truth } of cars) {
    const miss = await store.miss(vin);
    const known = (await store.label(vin)) ? 'label' : miss ? `${miss.kind}:${miss.why}` : 'nothing';
    const where = `${name === behaviour ? '' : `${name}, `}${behaviour} at ${source.id}`;
    // What is not known is believed for half a minute, and then swept away.
    const forgotten = known === 'nothing' && !alone;
    holds(forgotten || isTrue(known, truth, alone), `${where}: ${known}, and the truth is ${truth}`);
    const said = [...told.get(vin)!];
    // Who asked half a minute earlier may rightly have been told that we do not know.
    const mayBe = alone ? [known.split(':')[0]] : [truth.split(':')[0], 'failed', 'refused'];
    holds(
      said.every((each) => mayBe.includes(each)),
      `${where}: ${known}, and clients were told ${said.join(' and ')}`,
    );
    if (known === truth) tally[truth.split(':')[0] as 'label' | 'none' | 'refused' | 'failed']++;
    else tally.beside++;
  }
  await store.close();
}

/** Any of a source's hosts may have been the one that was well. */
function wasSent({ source, vin, behaviour }: Car, body: Buffer): boolean {
  return hostsOf(source).some((host) => {
    const drawn =
      behaviour === 'other-car'
        ? Buffer.from(otherCar({ source, host, vin, before: 0 }).body)
        : labelOf(source, host, vin);
    return body.equals(behaviour === 'frayed' ? drawn.subarray(0, -20) : drawn);
  });
}

/** What a client was told, in the words of the truth. */
function saying(body: string): string {
  const { windowSticker, warning } = JSON.parse(body) as {
    windowSticker: { available: boolean | null };
    warning: string | null;
  };
  if (windowSticker.available !== null) return windowSticker.available ? 'label' : 'none';
  if (!/Try again in /.test(warning ?? '')) return 'unknown without advice';
  if (/refused our request/.test(warning!)) return 'refused';
  return /couldn't get a response/.test(warning!) ? 'failed' : 'unknown';
}
