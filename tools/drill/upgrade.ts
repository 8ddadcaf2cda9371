/**
 * Three instances of an older version behind our HAProxy configuration, on PostgreSQL, Redis and S3, under load: each is
 * killed and restarted, then each is replaced by this version, one by one. Clients may lose a response to a kill, but
 * must notice nothing else.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServers, startVersitygw, withoutServers, withoutVersitygw } from '../../test/shared/servers.ts';
import { get, serve, collectFailures, type DrillResult, type RunningService } from './drill.ts';
import { randomFrom } from '../../packages/vin/src/random.ts';
import { createClients } from './shared-kill-clients.ts';
import type { Instance } from './shared-kill-instances.ts';
import { startStampingSources } from './shared-kill-sources.ts';
import { freePort } from '../free-port.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const HAPROXY = '/usr/sbin/haproxy';
const NAMES = ['one', 'two', 'three'];
const CLIENTS = 8;
const PAUSE_MS = 60;
/** The oldest version whose data this one reads. Formats before 1.0 are refused, so there is none yet. */
const OLD_VERSION = 'HEAD';

export async function run({ seconds = 10, seed = 1, from = OLD_VERSION } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('upgrade');
  const missing = withoutServers() || (existsSync(HAPROXY) ? false : 'skipped: install haproxy first');
  if (missing) return result({ skipped: missing });
  const root = mkdtempSync(join(tmpdir(), 'drill-upgrade-'));
  const old = checkOut(from, join(root, 'old'));
  if (!old) {
    rmSync(root, { recursive: true, force: true });
    return result({ skipped: `skipped: this clone has no commit ${from}` });
  }
  const random = randomFrom(seed);
  const servers = await startServers();
  const s3 = withoutVersitygw() ? null : await startVersitygw(root);
  const stamping = await startStampingSources(() => random() * 300);
  const env = {
    SOURCE_ORIGIN: stamping.origin,
    DATABASE_URL: await servers.database('drill'),
    REDIS_URL: servers.redisUrl(),
    S3_URL: s3?.url() ?? servers.s3Url(),
    LOG_LEVEL: 'error',
  };
  const ports = new Map<string, number>();
  for (const name of NAMES) ports.set(name, await freePort());
  const running = new Map<string, RunningService>();
  const start = async (name: string, project: string) => {
    const ownEnv = { DATA_DIR: join(root, name), PORT: String(ports.get(name)) };
    running.set(name, await serve({ ...env, ...ownEnv }, { project }));
  };
  const balancerPort = await freePort();
  let stopBalancer = () => {};
  try {
    await Promise.all(NAMES.map((name) => start(name, old)));
    stopBalancer = await startBalancer(root, balancerPort, ports);
    // Clients see one instance, the load balancer. A kill may break responses in progress; a stop may not.
    const balancer: Instance = {
      name: 'the balancer',
      service: { port: balancerPort } as RunningService,
      killedAt: -Infinity,
      dataDir: '',
    };
    const clients = createClients({ instances: [balancer], stamping, random, expect });
    const stopping = new AbortController();
    const requests = Array.from({ length: CLIENTS }, async () => {
      while (!stopping.signal.aborted) {
        await clients.requestAny();
        await wait(random() * 2 * PAUSE_MS);
      }
    });
    for (const name of NAMES) {
      await wait(seconds * 1000);
      balancer.killedAt = performance.now();
      await running.get(name)!.kill('SIGKILL');
      await wait(500);
      await start(name, old);
    }
    // Responses in progress at the last kill have ended by now.
    await wait(3000);
    const lostToKills = clients.counts.lostToKills;
    for (const name of NAMES) {
      await wait(seconds * 1000);
      await running.get(name)!.kill('SIGTERM');
      await start(name, PROJECT);
    }
    await wait(seconds * 1000);
    stopping.abort();
    await Promise.all(requests);
    expect(clients.counts.lostToKills === lostToKills, 'a connection was lost during the upgrade');
    await clients.requestAllAgain();
    expect(clients.served.size > 0, 'no label was served');
    return result({
      from,
      s3: s3 ? 'versitygw' : 's3rver',
      kills: NAMES.length,
      upgrades: NAMES.length,
      ...clients.counts,
      cars: clients.cars.length,
      labelsServed: clients.served.size,
    });
  } finally {
    stopBalancer();
    await Promise.all([...running.values()].map((service) => service.kill('SIGTERM')));
    await stamping.close();
    await servers.stop();
    await s3?.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** The files of an older version with its own dependencies, or null if the clone doesn't have it. */
function checkOut(ref: string, folder: string): string | null {
  mkdirSync(folder, { recursive: true });
  const files = [
    'bin',
    'src',
    'packages',
    'docs',
    'package.json',
    'package-lock.json',
    '.npmrc',
    'CHANGELOG.md',
  ];
  try {
    const tar = execFileSync('git', ['archive', ref, ...files], {
      cwd: PROJECT,
      maxBuffer: 256 * 2 ** 20,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: tar });
  } catch {
    return null;
  }
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  return folder;
}

/** HAProxy with our configuration; only names and ports are changed, and each client sends its own IP address. */
async function startBalancer(
  root: string,
  port: number,
  ports: ReadonlyMap<string, number>,
): Promise<() => void> {
  const file = join(root, 'haproxy.cfg');
  const config = readFileSync(join(PROJECT, 'deploy/haproxy.cfg'), 'utf8')
    .replace('bind *:8080', `bind 127.0.0.1:${port}`)
    .replace(/server (\w+) \w+:8080/g, (_, name: string) => `server ${name} 127.0.0.1:${ports.get(name)}`)
    .replace(/^.*(del-header X-Forwarded-For|option forwardfor).*\n/gm, '');
  writeFileSync(file, config);
  const child = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' });
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await get(port, '/healthz').catch(() => null);
    if (response?.status === 200) break;
    await wait(100);
  }
  return () => void child.kill('SIGKILL');
}
