/**
 * Three instances on PostgreSQL, Redis and S3, each behind its own proxies that fail at random, and clients that look up
 * and download, while instances repair the store. Every copy that a manufacturer sends is different. The recorded history
 * must show that no label a client received is lost or reported as "none", that no two fetches of one VIN overlap while
 * every instance has Redis, and that a stored label is never fetched again.
 */
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { StoreUnavailable } from '../../src/store/store.ts';
import { FAULTS, proxiesFor } from '../../test/shared/fault-proxy.ts';
import { startServers, withoutServers } from '../../test/shared/servers.ts';
import { stampedUpstream } from '../../test/shared/stamped-upstream.ts';
import { startService, type Service } from '../../test/service.ts';
import { randomFrom } from '../../packages/vin/src/random.ts';
import { vinOf } from '../bench/filled-store.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { type DrillResult, type Expect, collectFailures } from './drill.ts';

const INSTANCES = 3;
const CLIENTS = 8;
const DELAY_MS = 300;
/** This long after a label was first served, its manufacturer says "none". */
const WITHDRAWN_MS = 8000;
const CUT_MS = 2500;
/** The position of Redis among an instance's servers, and how long after an outage its leases may be missing. */
const REDIS = 1;
const RECONNECTED_MS = 7000;

interface Event {
  at: number;
  vin: string;
  instance: number;
  outcome: 'label' | 'none' | 'unknown' | 'error';
  sha256: string | null;
}

/** On a busy machine Redis may be late by itself, and a label is fetched twice: only the drill judges fetches. */
export async function run({ seconds = 300, seed = 1, judgesFetches = true } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures();
  const skipped = withoutServers();
  if (skipped) return result({ skipped });
  const random = randomFrom(seed);
  const servers = await startServers();
  const simulator = await startSimulator();
  const upstream = await stampedUpstream(simulator.origin, () => random() * DELAY_MS);
  await servers.database('history');
  const deployments = await Promise.all(
    Array.from({ length: INSTANCES }, async () => {
      const { postgres, redis, s3, env } = await proxiesFor(servers, 'history');
      const service = await startService({ SOURCE_ORIGIN: upstream.origin, ...env });
      return { service, proxies: [postgres, redis, s3] };
    }),
  );
  const instances = deployments.map(({ service }) => service);
  const events: Event[] = [];
  const firstServed = new Map<string, number>();
  /** When an instance was without Redis. */
  const withoutRedis: [number, number][] = [];
  let cuts = 0;
  let repairs = 0;
  const stopping = new AbortController();

  /** Cuts one server off from one instance at a time. Several instances may be affected at once. */
  async function cutter(index: number): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(500 + random() * 1500);
      const server = Math.floor(random() * 3);
      const proxy = deployments[index]!.proxies[server]!;
      const from = performance.now();
      await proxy.set(FAULTS[Math.floor(random() * FAULTS.length)]!);
      cuts++;
      await pause(300 + random() * CUT_MS);
      await proxy.set('pass');
      if (server === REDIS) withoutRedis.push([from, performance.now() + RECONNECTED_MS]);
    }
  }

  /** What `admin rebuild` does to the bucket and the database. */
  async function repairer(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(1000 + random() * 3000);
      const { store } = instances[Math.floor(random() * INSTANCES)]!.runtime;
      await store
        .rebuild(() => {})
        .then(
          () => repairs++,
          (error: unknown) =>
            expect(error instanceof StoreUnavailable, `a repair failed: ${String((error as Error).stack)}`),
        );
    }
  }

  async function client(): Promise<void> {
    while (!stopping.signal.aborted) {
      const vin = vinOf(10_000 + (Math.floor(random() * (20 + events.length / 10)) % 2000));
      const instance = Math.floor(random() * INSTANCES);
      const event = await request(instances[instance]!, vin, random() < 0.5);
      events.push({ ...event, at: performance.now(), vin, instance });
      if (event.outcome === 'label' && !firstServed.has(vin)) firstServed.set(vin, performance.now());
      const since = firstServed.get(vin);
      if (since !== undefined && performance.now() - since > WITHDRAWN_MS) simulator.set(vin, 'none');
      await pause(random() * 60);
    }
  }

  try {
    const tasks = [
      ...deployments.map((_, index) => cutter(index)),
      repairer(),
      ...Array.from({ length: CLIENTS }, client),
    ];
    await pause(seconds * 1000);
    stopping.abort();
    await Promise.all(tasks);
    await Promise.all(instances.map(waitUntilReady));
    for (const vin of firstServed.keys()) {
      const shas = new Set<string | null>();
      for (const service of instances) {
        const last = await lastResponse(service, vin);
        expect(last.outcome === 'label', `${vin} was served and is ${last.outcome} in the end`);
        if (last.sha256) shas.add(last.sha256);
      }
      expect(shas.size <= 1, `${vin}: instances serve ${shas.size} different copies in the end`);
    }
    check(events, upstream.copies, expect);
    for (const { vin, from } of judgesFetches ? fetchesOfStored(events, upstream.fetches) : [])
      expect(
        false,
        `${vin} was fetched again ${Math.round(from)} ms after two instances had served one copy`,
      );
    const overlaps = upstream.overlaps();
    for (const [from, to, vin] of judgesFetches ? overlaps : []) {
      const isExcused = withoutRedis.some(([start, end]) => from < end && to > start);
      expect(isExcused, `${vin} was fetched twice at once, for ${Math.round(to - from)} ms, with Redis up`);
    }
    const countOf = (outcome: Event['outcome']) => events.filter((event) => event.outcome === outcome).length;
    return result({
      requests: events.length,
      cuts,
      repairs,
      cars: firstServed.size,
      fetches: upstream.fetches.length,
      overlaps: overlaps.length,
      labels: countOf('label'),
      unknown: countOf('unknown'),
      errors: countOf('error'),
      none: countOf('none'),
    });
  } finally {
    stopping.abort();
    for (const { proxies } of deployments) for (const proxy of proxies) await proxy.set('pass');
    await Promise.all(instances.map((service) => service.close()));
    for (const { proxies } of deployments) await Promise.all(proxies.map((proxy) => proxy.stop()));
    await upstream.stop();
    await simulator.close();
    await servers.stop();
  }
}

function check(events: Event[], copies: ReadonlyMap<string, ReadonlySet<string>>, expect: Expect): void {
  const everServed = new Set<string>();
  for (const { vin, outcome, sha256 } of events) {
    if (outcome === 'label') everServed.add(vin);
    expect(outcome !== 'none' || !everServed.has(vin), `${vin} was served and then reported as none`);
    expect(sha256 === null || !!copies.get(vin)?.has(sha256), `${vin}: bytes that no manufacturer sent`);
  }
}

/**
 * Fetches of a VIN after two instances had served the same copy: it was stored, not only in the memory of one of them.
 * `from` is the time since then.
 */
function fetchesOfStored(
  events: Event[],
  fetches: readonly { vin: string; from: number }[],
): { vin: string; from: number }[] {
  const servedBy = new Map<string, number>();
  const storedAt = new Map<string, number>();
  for (const { vin, sha256, instance, at } of events) {
    if (sha256 === null || storedAt.has(vin)) continue;
    const first = servedBy.get(sha256) ?? instance;
    servedBy.set(sha256, first);
    if (first !== instance) storedAt.set(vin, at);
  }
  return fetches.flatMap(({ vin, from }) => {
    const stored = storedAt.get(vin);
    return stored !== undefined && from > stored ? [{ vin, from: from - stored }] : [];
  });
}

async function request(
  service: Service,
  vin: string,
  lookup: boolean,
): Promise<Pick<Event, 'outcome' | 'sha256'>> {
  if (lookup) {
    const { windowSticker } = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
    const outcome = windowSticker.available === null ? 'unknown' : windowSticker.available ? 'label' : 'none';
    return { outcome, sha256: null };
  }
  const response = await service.get(`/api/sticker/${vin}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.ok) return { outcome: 'label', sha256: hash('sha256', bytes, 'hex') };
  return { outcome: response.status === 404 ? 'none' : 'error', sha256: null };
}

const MAX_TRIES = 3000;

/** Waits until the instance can write again, and so has written what it had in memory. */
async function waitUntilReady(service: Service): Promise<void> {
  for (let tries = 0; (await service.get('/readyz')).status !== 200; tries++) {
    if (tries === MAX_TRIES) throw new Error('an instance is not ready ten minutes after the last cut');
    await pause(200);
  }
}

/** The first that isn't a temporary failure. */
async function lastResponse(service: Service, vin: string): ReturnType<typeof request> {
  for (let tries = 0; ; tries++) {
    const response = await request(service, vin, false);
    if (response.outcome !== 'error' || tries === MAX_TRIES) return response;
    await pause(200);
  }
}
