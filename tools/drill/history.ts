/**
 * Three instances on PostgreSQL, Redis and S3, each behind proxies of its own that cut it off at random, and clients
 * that look up and download. Every copy that a manufacturer sends is different. The recorded history must show: no label
 * that a client was given is lost, nobody is told "none" of it, and no two fetches of one VIN overlap.
 */
import { hash } from 'node:crypto';
import { checkDigit } from '@monroney/vin';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { sources } from '../../src/makers/index.ts';
import { FAULTS, proxiesFor } from '../../test/shared/fault-proxy.ts';
import { startServers, withoutServers } from '../../test/shared/servers.ts';
import { stampedUpstream } from '../../test/shared/stamped-upstream.ts';
import { startService, type Service } from '../../test/service.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { type DrillResult, verdict } from './drill.ts';

const INSTANCES = 3;
const CLIENTS = 8;
const DELAY_MS = 300;
/** After a label was given for this long, its manufacturer says "none". */
const WITHDRAWN_MS = 8000;
const CUT_MS = 2500;

interface Event {
  at: number;
  vin: string;
  instance: number;
  said: 'label' | 'none' | 'unknown' | 'trouble';
  sha256: string | null;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function run({ seconds = 300, seed = 1 } = {}): Promise<DrillResult> {
  const { holds, result } = verdict('history');
  const skipped = withoutServers();
  if (skipped) return result({ skipped });
  const random = numbers(seed);
  const servers = await startServers();
  const simulator = await startSimulator();
  const upstream = await stampedUpstream(simulator.origin, () => random() * DELAY_MS);
  await servers.database('history');
  const sides = await Promise.all(
    Array.from({ length: INSTANCES }, async () => {
      const { postgres, redis, s3, env } = await proxiesFor(servers, 'history');
      const service = await startService({ SOURCE_ORIGIN: upstream.origin, ...env });
      return { service, proxies: [postgres, redis, s3] };
    }),
  );
  const instances = sides.map(({ service }) => service);
  const events: Event[] = [];
  const given = new Map<string, number>();
  let cuts = 0;
  const stopping = new AbortController();

  /** One server is cut off from one instance at a time; several instances may be cut off at once. */
  async function cutter(index: number): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(500 + random() * 1500);
      const proxy = sides[index]!.proxies[Math.floor(random() * 3)]!;
      await proxy.set(FAULTS[Math.floor(random() * FAULTS.length)]!);
      cuts++;
      await pause(300 + random() * CUT_MS);
      await proxy.set('pass');
    }
  }

  async function client(): Promise<void> {
    while (!stopping.signal.aborted) {
      const vin = carOf(Math.floor(random() * (20 + events.length / 10)) % 2000);
      const instance = Math.floor(random() * INSTANCES);
      const event = await ask(instances[instance]!, vin, random() < 0.5);
      events.push({ ...event, at: performance.now(), vin, instance });
      if (event.said === 'label' && !given.has(vin)) given.set(vin, performance.now());
      const since = given.get(vin);
      if (since !== undefined && performance.now() - since > WITHDRAWN_MS) simulator.set(vin, 'none');
      await pause(random() * 60);
    }
  }

  try {
    const all = [...sides.map((_, index) => cutter(index)), ...Array.from({ length: CLIENTS }, client)];
    await pause(seconds * 1000);
    stopping.abort();
    await Promise.all(all);
    await Promise.all(instances.map(settled));
    for (const vin of given.keys()) {
      const shas = new Set<string | null>();
      for (const service of instances) {
        const last = await ask(service, vin, false);
        holds(last.said === 'label', `${vin} was given and is told as ${last.said} in the end`);
        if (last.sha256) shas.add(last.sha256);
      }
      holds(shas.size <= 1, `${vin}: instances serve ${shas.size} different copies in the end`);
    }
    check(events, upstream.copies, holds);
    for (const [from, to, vin] of upstream.overlaps())
      holds(false, `${vin} was fetched twice at once, for ${Math.round(to - from)} ms`);
    const told = (said: Event['said']) => events.filter((event) => event.said === said).length;
    return result({
      requests: events.length,
      cuts,
      cars: given.size,
      fetches: upstream.fetches.length,
      labels: told('label'),
      unknown: told('unknown'),
      trouble: told('trouble'),
      none: told('none'),
    });
  } finally {
    stopping.abort();
    for (const { proxies } of sides) for (const proxy of proxies) await proxy.set('pass');
    await Promise.all(instances.map((service) => service.close()));
    for (const { proxies } of sides) await Promise.all(proxies.map((proxy) => proxy.stop()));
    await upstream.stop();
    await simulator.close();
    await servers.stop();
  }
}

function check(
  events: Event[],
  copies: ReadonlyMap<string, ReadonlySet<string>>,
  holds: (condition: boolean, otherwise: string) => void,
): void {
  const held = new Set<string>();
  for (const { vin, said, sha256 } of events) {
    if (said === 'label') held.add(vin);
    holds(said !== 'none' || !held.has(vin), `${vin} was given and is then told as none`);
    holds(sha256 === null || !!copies.get(vin)?.has(sha256), `${vin}: bytes that no manufacturer sent`);
  }
}

async function ask(service: Service, vin: string, lookup: boolean): Promise<Pick<Event, 'said' | 'sha256'>> {
  if (lookup) {
    const { windowSticker } = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
    const said = windowSticker.available === null ? 'unknown' : windowSticker.available ? 'label' : 'none';
    return { said, sha256: null };
  }
  const response = await service.get(`/api/sticker/${vin}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.ok) return { said: 'label', sha256: hash('sha256', bytes, 'hex') };
  return { said: response.status === 404 ? 'none' : 'trouble', sha256: null };
}

/** Everything passes again: waits until the instance can write, and with that has written what it had in memory. */
async function settled(service: Service): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if ((await service.get('/readyz')).status === 200) return;
    await pause(200);
  }
}

function carOf(serial: number): string {
  const { example } = sources.find((source) => source.id === 'ford')!;
  const vin = example.slice(0, -5) + String(10_000 + serial);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

/** The same numbers for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
