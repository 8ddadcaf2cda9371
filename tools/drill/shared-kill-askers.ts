/** Clients of several instances behind a balancer of the simplest kind, who check everything they are told. */
import { hash } from 'node:crypto';
import { Problem, VinResponse } from '../../src/lookup/schemas.ts';
import { sources } from '../../src/makers/index.ts';
import type { Source } from '../../src/makers/maker.ts';
import { vinOf } from '../bench/stock.ts';
import { get, type Answered } from './drill.ts';
import type { Instance } from './shared-kill-instances.ts';
import type { StampingSources } from './shared-kill-sources.ts';

interface Car {
  vin: string;
  source: Source;
  /** Whether its source has a label. */
  labelled: boolean;
}

export interface AskersParts {
  instances: readonly Instance[];
  stamping: StampingSources;
  roll: () => number;
  holds: (condition: boolean, otherwise: string) => void;
}

export function createAskers({ instances, stamping, roll, holds }: AskersParts) {
  const { copies, simulator } = stamping;
  const cars: Car[] = [];
  /** The one copy of its label that everybody must be given from then on. */
  const given = new Map<string, string>();
  const counts = {
    requests: 0,
    lookups: 0,
    labels: 0,
    ranges: 0,
    nones: 0,
    bodiesChecked: 0,
    lostToKills: 0,
    problemsFromLive: 0,
    slowestMs: 0,
  };
  let serial = 100_000;

  /** A car nobody has asked for yet; one in ten has no label. */
  function newCar(): Car {
    const source = sources[serial % sources.length]!;
    let vin = vinOf(serial++, source.example);
    // Such serial numbers ask the simulator for a misbehaviour.
    while (/900\d\d$/.test(vin)) vin = vinOf(serial++, source.example);
    const car = { vin, source, labelled: roll() >= 0.1 };
    if (!car.labelled) simulator.set(vin, 'none');
    cars.push(car);
    return car;
  }

  /** Recent cars are asked for most, so that several ask for one that is just being fetched. */
  function chooseCar(): Car {
    const dice = roll();
    if (cars.length === 0 || dice < 0.04) return newCar();
    const from = dice < 0.4 ? Math.max(0, cars.length - 12) : 0;
    return cars[from + Math.floor(roll() * (cars.length - from))]!;
  }

  /** Asks instances until one answers: what is killed meanwhile is no answer, anything else must be one. */
  async function ask(path: string, headers: Record<string, string> = {}): Promise<Answered | null> {
    for (let tries = 0; tries < 20; tries++) {
      const up = instances.filter(({ service }) => service);
      const instance = up[Math.floor(roll() * up.length)]!;
      const from = performance.now();
      counts.requests++;
      const answer = await get(instance.service!.port, path, headers, 60_000).catch((error: Error) => error);
      if (!(answer instanceof Error)) {
        counts.slowestMs = Math.max(counts.slowestMs, Math.round(answer.ms));
        if (answer.status < 500) return answer;
        counts.problemsFromLive++;
        holds(instance.killedAt >= from, `${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
        return null;
      }
      counts.lostToKills++;
      holds(instance.killedAt >= from, `${path}: ${answer.message} from ${instance.name}, which was up`);
    }
    holds(false, `${path}: nobody answered`);
    return null;
  }

  /** The copy with this digest, which must be the one that everybody else was given. */
  function copyOf(vin: string, sha256: string) {
    const copy = copies.get(vin)?.find((each) => each.sha256 === sha256);
    holds(copy !== undefined, `${vin}: ${sha256} is no label its source ever sent`);
    holds((given.get(vin) ?? sha256) === sha256, `${vin}: another label than somebody was given before`);
    given.set(vin, sha256);
    counts.bodiesChecked++;
    return copy;
  }

  function noSticker({ vin, labelled }: Car, answer: Answered): void {
    // An older version, which may run beside this one during an upgrade, sends no request id.
    const said = Problem.partial({ requestId: true }).safeParse(JSON.parse(answer.body.toString()));
    holds(said.success, `${vin}: a problem of another shape: ${answer.body.toString().slice(0, 200)}`);
    holds(!labelled && answer.status === 404, `${vin}: ${answer.status} for a car with a label`);
    counts.nones++;
  }

  async function lookup({ vin, source, labelled }: Car): Promise<void> {
    const answer = await ask(`/api/v1/vin/${vin}`);
    if (!answer) return;
    counts.lookups++;
    const said = VinResponse.safeParse(JSON.parse(answer.body.toString()));
    if (!said.success) return holds(false, `${vin}: ${answer.status} ${said.error.message.slice(0, 200)}`);
    const { vehicle, warning, windowSticker } = said.data;
    holds(said.data.vin === vin, `${vin}: the answer is about ${said.data.vin}`);
    holds(source.makes.includes(vehicle?.make ?? ''), `${vin}: decoded as ${vehicle?.make}`);
    holds(windowSticker.available === labelled, `${vin}: available ${windowSticker.available}, ${warning}`);
    if (!windowSticker.available) return void counts.nones++;
    const sizes = copies.get(vin)?.filter(({ sha256 }) => (given.get(vin) ?? sha256) === sha256) ?? [];
    holds(
      sizes.some(({ bytes }) => bytes.length === windowSticker.bytes),
      `${vin}: ${windowSticker.bytes} bytes`,
    );
  }

  async function whole(car: Car): Promise<void> {
    const answer = await ask(`/api/sticker/${car.vin}`);
    if (!answer) return;
    if (answer.status !== 200) return noSticker(car, answer);
    counts.labels++;
    copyOf(car.vin, hash('sha256', answer.body, 'hex'));
  }

  async function range(car: Car): Promise<void> {
    const start = Math.floor(roll() * 12_000);
    const end = start + 1 + Math.floor(roll() * 4000);
    const suffix = roll() < 0.2;
    const answer = await ask(`/api/sticker/${car.vin}`, {
      range: suffix ? `bytes=-${end}` : `bytes=${start}-${end}`,
    });
    if (!answer) return;
    if (answer.status === 404) return noSticker(car, answer);
    holds(answer.status === 206, `${car.vin}: ${answer.status} to a range`);
    counts.ranges++;
    const copy = copyOf(car.vin, answer.headers.etag?.slice(1, -1) ?? '');
    if (!copy) return;
    const size = copy.bytes.length;
    const [from, to] = suffix ? [Math.max(0, size - end), size - 1] : [start, Math.min(end, size - 1)];
    holds(
      answer.headers['content-range'] === `bytes ${from}-${to}/${size}`,
      `${car.vin}: ${answer.headers['content-range']} instead of ${from}-${to}/${size}`,
    );
    holds(answer.body.equals(copy.bytes.subarray(from, to + 1)), `${car.vin}: the range is not that slice`);
  }

  return {
    counts,
    cars,
    given,
    one(): Promise<void> {
      const car = chooseCar();
      const dice = roll();
      if (dice < 0.4) return lookup(car);
      return dice < 0.75 ? whole(car) : range(car);
    },
    /** Everything that was ever given is asked for once more. */
    async everythingAgain(): Promise<void> {
      for (const car of cars) if (given.has(car.vin)) await whole(car);
    },
  };
}
