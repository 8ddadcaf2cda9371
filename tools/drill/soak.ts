/** Mixed traffic with misbehaving sources for a long time: memory and handles stay flat, and every SHA-256 is right. */
import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sources } from '../../src/makers/index.ts';
import { hostsOf } from '../../src/makers/maker.ts';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { vinOf } from '../bench/filled-store.ts';
import { behaviorNames } from '../simulator/behaviors.ts';
import { labelOf } from '../simulator/labels.ts';
import { get, metricsOf, collectFailures, vitals, type DrillResult } from './drill.ts';
import { withSimulatedService, type SimulatedService } from './simulated-service.ts';
import { randomFrom } from '../../packages/vin/src/random.ts';

const CLIENTS = 16;
const MAX_MB = 450;
/** Misbehaviors that take seconds. */
const SLOW = new Set(['hang', 'drip', 'huge', 'gzip-bomb']);

/** Cumulative shares of lookups, stickers, readings, previews, pages and the status. */
const SHARES = [0.4, 0.75, 0.85, 0.88, 0.97, 1];

export async function run({ minutes = 20, seed = 1 } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures();
  const random = randomFrom(seed);
  const misbehaviors = behaviorNames.filter((name) => !SLOW.has(name));
  const digests = new Map<string, string>();
  const samples: { rssMb: number; handles: number; inUseMb: number }[] = [];
  const misbehaving = new Set<string>();
  const counts = { requests: 0, ok: 0, none: 0, unknown: 0, bodiesChecked: 0, slowest: 0 };
  // Serial number 0 belongs to specimens.
  let serial = 1;

  const sendRequest = async ({ service, simulator }: SimulatedService): Promise<void> => {
    const source = sources[Math.floor(random() * sources.length)]!;
    const fresh = random() < 0.05;
    const vin = fresh
      ? vinOf(serial++ % 1_000_000, source.example)
      : vinOf(1 + (Math.floor(random() * serial) % 999_999), source.example);
    if (fresh && random() < 0.5) {
      simulator.set(vin, misbehaviors[Math.floor(random() * misbehaviors.length)]!);
      misbehaving.add(vin);
    }
    const kind = random();
    const paths = [
      `/api/v1/vin/${vin}`,
      `/api/sticker/${vin}`,
      `/api/v1/vin/${vin}/label`,
      `/api/sticker/${vin}/preview?width=320`,
      `/window-sticker/${specimens[0]!.vin}`,
      '/status.json',
    ];
    const path = paths[SHARES.findIndex((share) => share > kind)]!;
    const response = await get(service.port, path, {}, { timeoutMs: 60_000 }).catch((error: Error) => error);
    counts.requests++;
    if (response instanceof Error) return expect(false, `${path.slice(0, 16)}: ${response.message}`);
    counts.slowest = Math.max(counts.slowest, response.ms);
    const { status } = response;
    counts[status === 200 ? 'ok' : status === 404 ? 'none' : 'unknown']++;
    expect([200, 404, 503].includes(status), `${path.slice(0, 16)}: status ${status}`);
    const etag = /^"([0-9a-f]{64})"$/.exec(response.headers.etag ?? '')?.[1];
    if (status !== 200 || !path.startsWith('/api/') || !etag) return;
    const digest = hash('sha256', response.body, 'hex');
    counts.bodiesChecked++;
    expect(digest === etag, `${path}: the body doesn't match its ETag`);
    if (!path.startsWith('/api/sticker/') || path.includes('preview')) return;
    // Stellantis has four hosts with different labels, and any of them may have responded.
    if (!digests.has(vin) && !misbehaving.has(vin) && source.id !== 'stellantis')
      expect(
        response.body.equals(labelOf(source, hostsOf(source)[0]!, vin)),
        `${vin}: not what the source sent`,
      );
    expect((digests.get(vin) ?? digest) === digest, `${vin}: a different label than before`);
    digests.set(vin, digest);
  };
  // A small cache fills early, so growth after that would be a leak.
  await withSimulatedService({ LOG_LEVEL: 'error', PDF_CACHE_MB: '16' }, async (target) => {
    const { service, adminPort } = target;
    const end = Date.now() + minutes * 60_000;
    const sampling = (async () => {
      while (Date.now() < end) {
        const metric = await metricsOf(adminPort);
        const inUse = metric('nodejs_heap_size_used_bytes') + metric('nodejs_external_memory_bytes');
        samples.push({ inUseMb: inUse / 1e6, ...vitals(service.pid) });
        await wait(Math.min(5000, minutes * 2000));
      }
    })();
    const client = async () => {
      while (Date.now() < end) await sendRequest(target);
    };
    await Promise.all([sampling, ...Array.from({ length: CLIENTS }, client)]);
  });
  // The first half fills caches, so growth after that would be a leak. Used memory varies with garbage collection, so the
  // minimum of each quarter counts. V8 doesn't return memory, so resident memory only has a limit.
  const growthPerMinute = (of: 'inUseMb' | 'handles'): number => {
    const [third = 0, last = 0] = [2, 3].map((quarter) => {
      const [from, to] = [quarter, quarter + 1].map((n) => Math.floor((samples.length * n) / 4));
      return Math.min(...samples.slice(from, to).map((sample) => sample[of]));
    });
    return Number(((last - third) / (minutes / 4)).toFixed(2));
  };
  const [inUseMbPerMinute, handlesPerMinute] = [growthPerMinute('inUseMb'), growthPerMinute('handles')];
  const maxMb = Math.round(Math.max(...samples.map(({ rssMb }) => rssMb)));
  const maxHandles = Math.max(...samples.map(({ handles }) => handles));
  expect(minutes < 10 || inUseMbPerMinute < 1, `memory in use grows by ${inUseMbPerMinute} MB per minute`);
  expect(minutes < 10 || handlesPerMinute < 1, `handles grow by ${handlesPerMinute} per minute`);
  expect(maxMb < MAX_MB, `${maxMb} MB resident`);
  expect(maxHandles < 300, `${maxHandles} handles`);
  const slowest = Math.round(counts.slowest);
  const labels = digests.size;
  return result({
    minutes,
    ...counts,
    slowest,
    labels,
    inUseMbPerMinute,
    maxMb,
    handlesPerMinute,
    maxHandles,
  });
}
