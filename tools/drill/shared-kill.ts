/** Kills instances on the shared store at random under load: no label is lost or partial, and no response is wrong. */
import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { pdfName, rowName } from '../../src/store/label-bytes.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { startServers, withoutServers } from '../../test/shared/servers.ts';
import { collectFailures, type DrillResult, type Expect } from './drill.ts';
import { randomFrom } from '../../packages/vin/src/random.ts';
import { createClients } from './shared-kill-clients.ts';
import { startInstances } from './shared-kill-instances.ts';
import { startStampingSources, type StampingSources } from './shared-kill-sources.ts';

const INSTANCES = 4;
const CLIENTS = 24;
/** Between two requests of a client, so that two cores have time to restart instances. */
const PAUSE_MS = 60;

export async function run({ minutes = 5, seed = 1 } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('shared-kill');
  const missing = withoutServers();
  if (missing) return result({ skipped: missing });
  const random = randomFrom(seed);
  const servers = await startServers();
  const stamping = await startStampingSources(() => random() * 600);
  const urls = {
    databaseUrl: await servers.database('drill'),
    redisUrl: servers.redisUrl(),
    s3Url: servers.s3Url(),
  };
  const instances = await startInstances(INSTANCES, {
    SOURCE_ORIGIN: stamping.origin,
    DATABASE_URL: urls.databaseUrl,
    REDIS_URL: urls.redisUrl,
    S3_URL: urls.s3Url,
  });
  let problems: string[] = [];
  const clients = createClients({ instances: instances.all, stamping, random, expect });
  try {
    const end = Date.now() + minutes * 60_000;
    const client = async () => {
      while (Date.now() < end) {
        await clients.requestAny();
        await wait(random() * 2 * PAUSE_MS);
      }
    };
    const killer = async () => {
      while (Date.now() < end) {
        await wait(300 + random() * 2400);
        instances.killOne(random);
      }
    };
    await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]);
    await instances.allRunning();
    await clients.requestAllAgain();
  } finally {
    problems = instances.problems();
    await instances.stop();
  }
  const { served, cars, counts } = clients;
  try {
    const requestedTwice = countRepeatedRequests(stamping, instances.kills, expect);
    const inStore = await inspect(urls, served, stamping, expect);
    expect(served.size > 0 && instances.kills.length > 0, 'no label was served, or no instance was killed');
    return result({
      minutes,
      instances: INSTANCES,
      kills: instances.kills.length,
      ...counts,
      cars: cars.length,
      labelsServed: served.size,
      requestedTwice,
      ...inStore,
      slowestStartMs: Math.round(Math.max(...instances.startsMs)),
      problems: problems.join('; '),
    });
  } finally {
    await stamping.close();
    await servers.stop();
  }
}

/** A source gets a second request for a car only if an instance was killed in between. */
function countRepeatedRequests(
  { copies }: StampingSources,
  kills: readonly number[],
  expect: Expect,
): number {
  let twice = 0;
  for (const [vin, vinCopies] of copies) {
    for (const [n, copy] of vinCopies.slice(1).entries()) {
      twice++;
      const before = vinCopies[n]!.sentAt;
      expect(
        kills.some((killedAt) => killedAt > before && killedAt < copy.sentAt),
        `${vin} was requested again although no instance was killed`,
      );
    }
  }
  return twice;
}

/** Compares rows, bytes and what clients received at the end. */
async function inspect(
  urls: { databaseUrl: string; redisUrl: string; s3Url: string },
  served: ReadonlyMap<string, string>,
  { copies }: StampingSources,
  expect: Expect,
): Promise<Record<string, number>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-shared-kill-'));
  const store = await openStore({ ...urls, dataDir, log: silentLog });
  try {
    const rows = await store.labels(null, 1_000_000);
    const stored = new Map(rows.map((row) => [row.vin, row]));
    for (const [vin, sha256] of served)
      expect(stored.get(vin)?.sha256 === sha256, `${vin} was served and is not stored`);
    for (const label of rows) {
      const { vin, sha256, bytes } = label;
      const pdf = await store.pdf(label);
      expect(pdf.length === bytes && hash('sha256', pdf, 'hex') === sha256, `${vin} is damaged`);
      expect(
        copies.get(vin)?.some((copy) => copy.sha256 === sha256) ?? false,
        `${vin} is stored, but its source never sent it`,
      );
      expect((await store.find(vin)).miss === null, `${vin} is stored and has a miss`);
    }
    const { added, missing, unknown, written } = await store.rebuild(() => {});
    expect(added === 0 && missing === 0, `a rebuild added ${added} rows and misses the bytes of ${missing}`);
    const objects = new Set<string>();
    for await (const page of openBucket(urls.s3Url).list('labels/')) for (const key of page) objects.add(key);
    for (const label of rows)
      for (const key of [pdfName(label), rowName(label.vin)])
        expect(objects.has(key), `${key} is missing in the bucket`);
    return { rows: rows.length, withoutRow: unknown, filesMissing: written };
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
