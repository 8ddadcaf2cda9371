/** Clients that choose a random instance for each request and check every response. */
import { hash } from 'node:crypto';
import { Problem } from '../../src/http/problems.ts';
import { VinResponse } from '../../src/lookup/schemas.ts';
import { sources } from '../../src/makers/index.ts';
import type { Source } from '../../src/makers/maker.ts';
import { vinOf } from '../bench/filled-store.ts';
import { get, type Expect, type HttpResponse } from './drill.ts';
import type { Instance } from './shared-kill-instances.ts';
import type { StampingSources } from './shared-kill-sources.ts';

interface Car {
  vin: string;
  source: Source;
  /** Whether its source has a label. */
  hasLabel: boolean;
}

export interface ClientOptions {
  instances: readonly Instance[];
  stamping: StampingSources;
  random: () => number;
  expect: Expect;
}

export function createClients({ instances, stamping, random, expect }: ClientOptions) {
  const { copies, simulator } = stamping;
  const cars: Car[] = [];
  /** SHA-256 of the first copy served, by VIN. All later responses must have the same. */
  const served = new Map<string, string>();
  const counts = {
    requests: 0,
    lookups: 0,
    labels: 0,
    ranges: 0,
    nones: 0,
    bodiesChecked: 0,
    lostToKills: 0,
    serverErrors: 0,
    slowestMs: 0,
  };
  let serial = 100_000;

  /** A new car; one in ten has no label. */
  function newCar(): Car {
    const source = sources[serial % sources.length]!;
    let vin = vinOf(serial++, source.example);
    // With these serial numbers the simulator misbehaves.
    while (/900\d\d$/.test(vin)) vin = vinOf(serial++, source.example);
    const car = { vin, source, hasLabel: random() >= 0.1 };
    if (!car.hasLabel) simulator.set(vin, 'none');
    cars.push(car);
    return car;
  }

  /** Prefers recent cars, so that several clients request one that is being fetched. */
  function chooseCar(): Car {
    const share = random();
    if (cars.length === 0 || share < 0.04) return newCar();
    const from = share < 0.4 ? Math.max(0, cars.length - 12) : 0;
    return cars[from + Math.floor(random() * (cars.length - from))]!;
  }

  /** Tries instances until one responds. Only an instance that was killed may fail to. */
  async function request(path: string, headers: Record<string, string> = {}): Promise<HttpResponse | null> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const up = instances.filter(({ service }) => service);
      const instance = up[Math.floor(random() * up.length)]!;
      const from = performance.now();
      counts.requests++;
      const response = await get(instance.service!.port, path, headers, 60_000).catch(
        (error: Error) => error,
      );
      if (!(response instanceof Error)) {
        counts.slowestMs = Math.max(counts.slowestMs, Math.round(response.ms));
        if (response.status < 500) return response;
        counts.serverErrors++;
        expect(
          instance.killedAt >= from,
          `${path}: ${response.status} ${response.body.toString().slice(0, 300)}`,
        );
        return null;
      }
      counts.lostToKills++;
      expect(instance.killedAt >= from, `${path}: ${response.message} from ${instance.name}, which was up`);
    }
    expect(false, `${path}: no response`);
    return null;
  }

  /** The copy with this SHA-256, which must be the one served before. */
  function checkCopy(vin: string, sha256: string) {
    const copy = copies.get(vin)?.find((candidate) => candidate.sha256 === sha256);
    expect(copy !== undefined, `${vin}: ${sha256} was never sent by its source`);
    expect((served.get(vin) ?? sha256) === sha256, `${vin}: a different label was served before`);
    served.set(vin, sha256);
    counts.bodiesChecked++;
    return copy;
  }

  function checkNoLabel({ vin, hasLabel }: Car, response: HttpResponse): void {
    // An older version, which may run during an upgrade, sends no request id.
    const parsed = Problem.partial({ requestId: true }).safeParse(JSON.parse(response.body.toString()));
    expect(parsed.success, `${vin}: not a valid problem document: ${response.body.toString().slice(0, 200)}`);
    expect(!hasLabel && response.status === 404, `${vin}: ${response.status} for a car with a label`);
    counts.nones++;
  }

  async function checkLookup({ vin, source, hasLabel }: Car): Promise<void> {
    const response = await request(`/api/v1/vin/${vin}`);
    if (!response) return;
    counts.lookups++;
    const parsed = VinResponse.safeParse(JSON.parse(response.body.toString()));
    if (!parsed.success)
      return expect(false, `${vin}: ${response.status} ${parsed.error.message.slice(0, 200)}`);
    const { vehicle, warning, windowSticker } = parsed.data;
    expect(parsed.data.vin === vin, `${vin}: the response is about ${parsed.data.vin}`);
    expect(source.makes.includes(vehicle?.make ?? ''), `${vin}: decoded as ${vehicle?.make}`);
    expect(windowSticker.available === hasLabel, `${vin}: available ${windowSticker.available}, ${warning}`);
    if (!windowSticker.available) return void counts.nones++;
    const sizes = copies.get(vin)?.filter(({ sha256 }) => (served.get(vin) ?? sha256) === sha256) ?? [];
    expect(
      sizes.some(({ bytes }) => bytes.length === windowSticker.bytes),
      `${vin}: ${windowSticker.bytes} bytes`,
    );
  }

  async function checkLabel(car: Car): Promise<void> {
    const response = await request(`/api/sticker/${car.vin}`);
    if (!response) return;
    if (response.status !== 200) return checkNoLabel(car, response);
    counts.labels++;
    checkCopy(car.vin, hash('sha256', response.body, 'hex'));
  }

  async function checkRange(car: Car): Promise<void> {
    const start = Math.floor(random() * 12_000);
    const end = start + 1 + Math.floor(random() * 4000);
    const suffix = random() < 0.2;
    const response = await request(`/api/sticker/${car.vin}`, {
      range: suffix ? `bytes=-${end}` : `bytes=${start}-${end}`,
    });
    if (!response) return;
    if (response.status === 404) return checkNoLabel(car, response);
    expect(response.status === 206, `${car.vin}: ${response.status} to a range`);
    counts.ranges++;
    const copy = checkCopy(car.vin, response.headers.etag?.slice(1, -1) ?? '');
    if (!copy) return;
    const size = copy.bytes.length;
    const [from, to] = suffix ? [Math.max(0, size - end), size - 1] : [start, Math.min(end, size - 1)];
    expect(
      response.headers['content-range'] === `bytes ${from}-${to}/${size}`,
      `${car.vin}: ${response.headers['content-range']} instead of ${from}-${to}/${size}`,
    );
    expect(response.body.equals(copy.bytes.subarray(from, to + 1)), `${car.vin}: the range has wrong bytes`);
  }

  return {
    counts,
    cars,
    served,
    requestAny(): Promise<void> {
      const car = chooseCar();
      const share = random();
      if (share < 0.4) return checkLookup(car);
      return share < 0.75 ? checkLabel(car) : checkRange(car);
    },
    /** Requests every label that was ever served once more. */
    async requestAllAgain(): Promise<void> {
      for (const car of cars) if (served.has(car.vin)) await checkLabel(car);
    },
  };
}
