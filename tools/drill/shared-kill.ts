/** `kill -9` of instances on the shared store, at random and under load: no label lost, none half, nobody told what is not so. */
import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { startServers, withoutServers } from '../../test/shared/servers.ts';
import { verdict, type DrillResult } from './drill.ts';
import { dice } from './mutants.ts';
import { createAskers } from './shared-kill-askers.ts';
import { startInstances } from './shared-kill-instances.ts';
import { startStampingSources, type StampingSources } from './shared-kill-sources.ts';

const INSTANCES = 4;
const ASKERS = 24;
/** Between two requests of one asker, so that two cores have time to start what was killed. */
const PAUSE_MS = 60;

type Holds = (condition: boolean, otherwise: string) => void;

export async function run({ minutes = 5, seed = 1 } = {}): Promise<DrillResult> {
  const { holds, result } = verdict('shared-kill');
  const missing = withoutServers();
  if (missing) return result({ skipped: missing });
  const roll = dice(seed);
  const servers = await startServers();
  const stamping = await startStampingSources(() => roll() * 600);
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
  let complaints: string[] = [];
  const askers = createAskers({ instances: instances.all, stamping, roll, holds });
  try {
    const end = Date.now() + minutes * 60_000;
    const asker = async () => {
      while (Date.now() < end) {
        await askers.one();
        await wait(roll() * 2 * PAUSE_MS);
      }
    };
    const killer = async () => {
      while (Date.now() < end) {
        await wait(300 + roll() * 2400);
        instances.killOne(roll);
      }
    };
    await Promise.all([killer(), ...Array.from({ length: ASKERS }, asker)]);
    await instances.whole();
    await askers.everythingAgain();
  } finally {
    complaints = instances.complaints();
    await instances.stop();
  }
  const { given, cars, counts } = askers;
  try {
    const askedTwice = countAskedTwice(stamping, instances.kills, holds);
    const inStore = await inspect(urls, given, stamping, holds);
    holds(given.size > 0 && instances.kills.length > 0, 'nothing was given, or nobody was killed');
    return result({
      minutes,
      instances: INSTANCES,
      kills: instances.kills.length,
      ...counts,
      cars: cars.length,
      labelsGiven: given.size,
      askedTwice,
      ...inStore,
      slowestStartMs: Math.round(Math.max(...instances.startsMs)),
      complaints: complaints.join('; '),
    });
  } finally {
    await stamping.close();
    await servers.stop();
  }
}

/** A source is asked a second time for one car only when somebody was killed in between. */
function countAskedTwice({ copies }: StampingSources, kills: readonly number[], holds: Holds): number {
  let twice = 0;
  for (const [vin, all] of copies) {
    for (const [n, copy] of all.slice(1).entries()) {
      twice++;
      const before = all[n]!.at;
      holds(
        kills.some((at) => at > before && at < copy.at),
        `${vin} was asked for again although nobody was killed`,
      );
    }
  }
  return twice;
}

/** Rows, bytes and what clients were given, held against each other when all is over. */
async function inspect(
  urls: { databaseUrl: string; redisUrl: string; s3Url: string },
  given: ReadonlyMap<string, string>,
  { copies }: StampingSources,
  holds: Holds,
): Promise<Record<string, number>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-shared-kill-'));
  const store = await openStore({ ...urls, dataDir, log: silentLog });
  try {
    const rows = await store.labels(null, 1_000_000);
    const held = new Map(rows.map((row) => [row.vin, row]));
    for (const [vin, sha256] of given)
      holds(held.get(vin)?.sha256 === sha256, `${vin} was given and is not held`);
    for (const { vin, sha256, bytes } of rows) {
      const pdf = await store.pdf(sha256);
      holds(pdf.length === bytes && hash('sha256', pdf, 'hex') === sha256, `${vin} is not whole`);
      holds(
        copies.get(vin)?.some((copy) => copy.sha256 === sha256) ?? false,
        `${vin} is held, but its source never sent it`,
      );
      holds((await store.miss(vin)) === null, `${vin} is held and said to be missing`);
    }
    // Old enough for the sweep is everything now: nobody is keeping any more.
    const { orphans, removed, copiesWrong } = await store.coordination!.sweep({
      repair: true,
      olderThanMs: -60_000,
    });
    const objects = new Set<string>();
    for await (const page of openBucket(urls.s3Url).list('labels/'))
      for (const { key } of page) objects.add(key);
    // A whole label whose row was never written stays: only bytes proven wrong are removed.
    holds(
      objects.size === rows.length + orphans - removed,
      `${objects.size} objects for ${rows.length} rows`,
    );
    for (const { vin, sha256 } of rows)
      holds(objects.has(`labels/${sha256}.pdf`), `the bytes of ${vin} are gone after the sweep`);
    return { rows: rows.length, orphansSwept: removed, copiesMissing: copiesWrong };
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
