/**
 * Three instances behind the shipped HAProxy configuration, on PostgreSQL, Redis and S3, under load: each is killed with
 * `kill -9` and started again, then each is replaced by this version, one by one. Whoever asks may notice a kill that
 * hits a response under way, and nothing else.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  startServers,
  startVersitygw,
  withoutServers,
  withoutVersitygw,
} from '../../test/shared/servers.ts';
import { get, serve, verdict, type DrillResult, type Served } from './drill.ts';
import { dice } from './mutants.ts';
import { createAskers } from './shared-kill-askers.ts';
import type { Instance } from './shared-kill-instances.ts';
import { startStampingSources } from './shared-kill-sources.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const HAPROXY = '/usr/sbin/haproxy';
const NAMES = ['one', 'two', 'three'];
const ASKERS = 8;
const PAUSE_MS = 60;
/** The last version whose stored data and cluster behaviour the current one must get along with. */
const OLD_VERSION = '5abe3dd';

export async function run({ seconds = 10, seed = 1, from = OLD_VERSION } = {}): Promise<DrillResult> {
  const { holds, result } = verdict('upgrade');
  const missing = withoutServers() || (existsSync(HAPROXY) ? false : 'skipped: install haproxy first');
  if (missing) return result({ skipped: missing });
  const root = mkdtempSync(join(tmpdir(), 'drill-upgrade-'));
  const old = checkOut(from, join(root, 'old'));
  if (!old) {
    rmSync(root, { recursive: true, force: true });
    return result({ skipped: `skipped: this clone has no commit ${from}` });
  }
  const roll = dice(seed);
  const servers = await startServers();
  const s3 = withoutVersitygw() ? null : await startVersitygw(root);
  const stamping = await startStampingSources(() => roll() * 300);
  const env = {
    SOURCE_ORIGIN: stamping.origin,
    DATABASE_URL: await servers.database('drill'),
    REDIS_URL: servers.redisUrl(),
    S3_URL: s3?.url() ?? servers.s3Url(),
    LOG_LEVEL: 'error',
  };
  const ports = new Map<string, number>();
  for (const name of NAMES) ports.set(name, await freePort());
  const running = new Map<string, Served>();
  const start = async (name: string, project: string) => {
    const place = { DATA_DIR: join(root, name), PORT: String(ports.get(name)) };
    running.set(name, await serve({ ...env, ...place }, { project }));
  };
  const balancerPort = await freePort();
  let stopBalancer = () => {};
  try {
    await Promise.all(NAMES.map((name) => start(name, old)));
    stopBalancer = await startBalancer(root, balancerPort, ports);
    // To the askers the balancer is the one instance there is. A kill excuses what was under way; a stop excuses nothing.
    const balancer: Instance = {
      name: 'the balancer',
      service: { port: balancerPort } as Served,
      killedAt: -Infinity,
      dataDir: '',
    };
    const askers = createAskers({ instances: [balancer], stamping, roll, holds });
    const enough = new AbortController();
    const asking = Array.from({ length: ASKERS }, async () => {
      while (!enough.signal.aborted) {
        await askers.one();
        await wait(roll() * 2 * PAUSE_MS);
      }
    });
    for (const name of NAMES) {
      await wait(seconds * 1000);
      balancer.killedAt = performance.now();
      await running.get(name)!.kill('SIGKILL');
      await wait(500);
      await start(name, old);
    }
    // What was under way at the last kill has been answered by now.
    await wait(3000);
    const lostToKills = askers.counts.lostToKills;
    for (const name of NAMES) {
      await wait(seconds * 1000);
      await running.get(name)!.kill('SIGTERM');
      await start(name, PROJECT);
    }
    await wait(seconds * 1000);
    enough.abort();
    await Promise.all(asking);
    holds(askers.counts.lostToKills === lostToKills, 'a connection was lost during the upgrade');
    await askers.everythingAgain();
    holds(askers.given.size > 0, 'nothing was given');
    return result({
      from,
      s3: s3 ? 'versitygw' : 's3rver',
      kills: NAMES.length,
      upgrades: NAMES.length,
      ...askers.counts,
      cars: askers.cars.length,
      labelsGiven: askers.given.size,
    });
  } finally {
    stopBalancer();
    await Promise.all([...running.values()].map((each) => each.kill('SIGTERM')));
    await stamping.close();
    await servers.stop();
    await s3?.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** The files of an older version, with our installed libraries; null when the clone does not have it. */
function checkOut(ref: string, folder: string): string | null {
  mkdirSync(join(folder, 'node_modules/@monroney'), { recursive: true });
  try {
    const tar = execFileSync(
      'git',
      ['archive', ref, 'bin', 'src', 'packages', 'docs', 'package.json', 'CHANGELOG.md'],
      {
        cwd: PROJECT,
        maxBuffer: 256 * 2 ** 20,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    execFileSync('tar', ['-x', '-C', folder], { input: tar });
  } catch {
    return null;
  }
  for (const name of readdirSync(join(PROJECT, 'node_modules')))
    if (name !== '@monroney' && name !== '@hono')
      symlinkSync(join(PROJECT, 'node_modules', name), join(folder, 'node_modules', name));
  // The older version took `z` from @hono/zod-openapi, which passes zod on and is no longer installed.
  const hono = join(folder, 'node_modules/@hono');
  mkdirSync(join(hono, 'zod-openapi'), { recursive: true });
  for (const name of readdirSync(join(PROJECT, 'node_modules/@hono')))
    if (name !== 'zod-openapi') symlinkSync(join(PROJECT, 'node_modules/@hono', name), join(hono, name));
  writeFileSync(join(hono, 'zod-openapi/package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(hono, 'zod-openapi/index.js'), "export { z } from 'zod';\n");
  for (const name of ['vin', 'client'])
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@monroney', name));
  return folder;
}

/** HAProxy with our configuration; only names and ports are others, and each asker names an address of its own. */
async function startBalancer(
  root: string,
  port: number,
  ports: ReadonlyMap<string, number>,
): Promise<() => void> {
  const file = join(root, 'haproxy.cfg');
  const here = readFileSync(join(PROJECT, 'deploy/haproxy.cfg'), 'utf8')
    .replace('bind *:8080', `bind 127.0.0.1:${port}`)
    .replace(/server (\w+) \w+:8080/g, (_, name: string) => `server ${name} 127.0.0.1:${ports.get(name)}`)
    .replace(/^.*(del-header X-Forwarded-For|option forwardfor).*\n/gm, '');
  writeFileSync(file, here);
  const child = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' });
  for (let tries = 0; tries < 100; tries++) {
    const answer = await get(port, '/healthz').catch(() => null);
    if (answer?.status === 200) break;
    await wait(100);
  }
  return () => void child.kill('SIGKILL');
}
