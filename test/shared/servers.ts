/** Real servers on free ports for the tests of the shared store: PostgreSQL and Redis from the machine, S3 from npm. */
import { after, test } from 'node:test';
import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import type { Store } from '../../src/store/store.ts';
import { freePort } from '../../tools/free-port.ts';
import { eventually } from '../operator.ts';
import { PATIENT, startService, type Service, type ServiceOptions } from '../service.ts';

const postgresBin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? '/usr/local/bin';
/** `.ci/run` installs the same. */
const VERSITYGW = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
export const S3_KEY = 'monroney';
export const S3_SECRET = 'monroney-secret';
export const S3_REGION = 'eu-central-1';
const children = new Set<ChildProcess>();
// Stop the servers however the tests end.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

const redisServer = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) => existsSync(path));

/** Why tests that need the servers are skipped; false if they are installed. */
export function withoutServers(): string | false {
  const missing = [
    existsSync(join(postgresBin, 'postgres')) ? null : 'postgresql',
    redisServer ? null : 'redis-server',
  ].filter((setting) => setting !== null);
  return missing.length === 0 ? false : `skipped: install them first (apt-get install ${missing.join(' ')})`;
}

export interface Server {
  port: number;
  stop(): Promise<void>;
}

/** The variables that choose a shared store. */
export interface SharedEnv {
  DATABASE_URL: string;
  REDIS_URL: string;
  S3_URL: string;
}

export interface Servers {
  postgres: Server;
  redis: Server;
  s3: Server;
  /** Creates an empty database and returns its URL. */
  database(name: string): Promise<string>;
  databaseUrl(name: string, port?: number): string;
  redisUrl(port?: number): string;
  /** The bucket is `labels`, or `spare`, which stays empty. */
  s3Url(port?: number, bucket?: string): string;
  stop(): Promise<void>;
}

/** The servers of a test file. What it starts is closed after its tests, the last thing first. */
export interface Suite extends Servers {
  /** For a new, empty database. */
  env(database: string): Promise<SharedEnv>;
  open(env: SharedEnv): Promise<Store>;
  /** With patience by default. */
  service(env: SharedEnv & Record<string, string>, options?: ServiceOptions): Promise<Service>;
  defer(close: () => unknown): void;
}

/** Null, with a skipped test, if the servers aren't installed. */
export async function startSuite(name: string, missing: string | false = false): Promise<Suite | null> {
  const skip = withoutServers() || missing;
  if (skip) {
    void test(name, { skip });
    return null;
  }
  const servers = await startServers();
  const closers: (() => unknown)[] = [() => servers.stop()];
  after(async () => {
    for (const close of closers.reverse()) await close();
  });
  const defer = (close: () => unknown) => void closers.push(close);
  return {
    ...servers,
    defer,
    env: async (database) => ({
      DATABASE_URL: await servers.database(database),
      REDIS_URL: servers.redisUrl(),
      S3_URL: servers.s3Url(),
    }),
    async open(env) {
      const store = await openStore({ ...storeOptions(env), log: silentLog });
      defer(() => store.close());
      return store;
    },
    async service(env, options = PATIENT) {
      const service = await startService(env, options);
      defer(() => service.close());
      return service;
    },
  };
}

export const storeOptions = ({ DATABASE_URL, REDIS_URL, S3_URL }: SharedEnv) => ({
  ...PATIENT,
  dataDir: '',
  databaseUrl: DATABASE_URL,
  redisUrl: REDIS_URL,
  s3Url: S3_URL,
});

export async function query(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export async function startServers(): Promise<Servers> {
  const root = mkdtempSync(join(tmpdir(), 'monroney-servers-'));
  const [postgres, redis, s3] = await Promise.all([startPostgres(root), startRedis(root), startS3(root)]);
  const databaseUrl = (name: string, port = postgres.port) => `postgres://monroney@127.0.0.1:${port}/${name}`;
  return {
    postgres,
    redis,
    s3,
    databaseUrl,
    async database(name) {
      await query(databaseUrl('postgres'), `CREATE DATABASE ${name}`);
      return databaseUrl(name);
    },
    redisUrl: (port = redis.port) => `redis://127.0.0.1:${port}`,
    s3Url: (port = s3.port, bucket = 'labels') => `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}`,
    async stop() {
      await Promise.all([postgres.stop(), redis.stop(), s3.stop()]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export async function startPostgres(root: string, extra: string[] = []): Promise<Server> {
  const folder = join(root, 'postgres');
  mkdirSync(folder, { mode: 0o700 });
  const user = postgresUser();
  if (user.uid !== undefined) {
    chownSync(root, user.uid, user.gid!);
    chownSync(folder, user.uid, user.gid!);
  }
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'monroney', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(join(postgresBin, 'initdb'), initdb, { ...user, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'fsync=off',
    'max_connections=200',
    'shared_buffers=32MB',
    ...extra,
  ];
  const child = spawn(
    join(postgresBin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  await waitUntilReady(() => query(`postgres://monroney@127.0.0.1:${port}/postgres`, 'SELECT 1'), child);
  // SIGINT is PostgreSQL's fast shutdown, which doesn't wait for clients.
  return { port, stop: () => stopProcess(child, 'SIGINT') };
}

/** PostgreSQL and PgBouncer refuse to run as root. */
export function postgresUser(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
}

/** `port`: where it listens, if `extra` changes that. `replacement` replaces every setting. */
export async function startRedis(
  root: string,
  extra: string[] = [],
  port?: number,
  replacement?: string[],
): Promise<Server> {
  const listenPort = port ?? (await freePort());
  const settings = ['--port', String(listenPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return startProgram(redisServer!, replacement ?? [...settings, '--dir', root, ...extra], listenPort);
}

/** Starts a server and waits until its port accepts connections. */
export async function startProgram(
  file: string,
  args: string[],
  port: number,
  options: SpawnOptions = {},
): Promise<Server> {
  const child = spawn(file, args, { ...options, stdio: 'ignore' });
  await waitUntilReady(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  }, child);
  return { port, stop: () => stopProcess(child, 'SIGTERM') };
}

const versitygw = [
  ...(process.env.PATH ?? '').split(delimiter),
  process.env.GOBIN ?? '',
  join(process.env.GOPATH ?? join(homedir(), 'go'), 'bin'),
]
  .map((folder) => join(folder, 'versitygw'))
  .find((path) => existsSync(path));

/** Why tests that need the second S3 server are skipped; false if it is installed. */
export const withoutVersitygw = (): string | false =>
  versitygw ? false : `skipped: install it first (go install ${VERSITYGW})`;

/** A real S3 server over a folder, with the buckets `labels` and `spare`. */
export async function startVersitygw(root: string): Promise<Server & { url(query?: string): string }> {
  const folder = join(root, 'versitygw');
  for (const bucket of ['labels', 'spare']) mkdirSync(join(folder, bucket), { recursive: true });
  const port = await freePort();
  const keys = ['--access', S3_KEY, '--secret', S3_SECRET, '--region', S3_REGION];
  const server = await startProgram(
    versitygw!,
    [
      ...keys,
      '--port',
      `127.0.0.1:${port}`,
      '--virtual-domain',
      `localhost:${port}`,
      '--quiet',
      'posix',
      folder,
    ],
    port,
  );
  const url = (query = `?region=${S3_REGION}`) =>
    `s3+http://${S3_KEY}:${S3_SECRET}@localhost:${port}/labels${query}`;
  return { ...server, url };
}

interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: { closeAllConnections(): void };
  store: S3rverObjects;
}

interface S3rverObject {
  content: Readable | null;
}

interface S3rverObjects {
  putObject(object: S3rverObject): Promise<unknown>;
  getObject(...which: unknown[]): Promise<S3rverObject | null>;
}

/** S3 replaces an object at once. This server writes into its file, and a response that has begun would never end. */
function replaceAtOnce(store: S3rverObjects): void {
  const [put, get] = [store.putObject.bind(store), store.getObject.bind(store)];
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }
  const arrived = async (content: Readable) => Readable.from([await buffer(content)]);
  store.putObject = async (object) => {
    object.content = await arrived(object.content!);
    return inTurn(() => put(object));
  };
  store.getObject = (...which) =>
    inTurn(async () => {
      const object = await get(...which);
      if (object?.content) object.content = await arrived(object.content);
      return object;
    });
}

async function startS3(root: string): Promise<Server> {
  const Server = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3rver;
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(root, 's3'),
    configureBuckets: [{ name: 'labels' }, { name: 'spare' }],
  });
  replaceAtOnce(server.store);
  const { port } = await server.run();
  return {
    port,
    async stop() {
      server.httpServer.closeAllConnections();
      await server.close();
    },
  };
}

/** Retries while the process runs. */
async function waitUntilReady(check: () => Promise<void>, child: ChildProcess): Promise<void> {
  children.add(child);
  const isReady = await eventually(
    () =>
      check().then(
        () => true,
        () => (hasEnded(child) ? false : null),
      ),
    (ready) => ready !== null,
  );
  if (!isReady) throw new Error(`${child.spawnfile} ended with ${child.exitCode ?? child.signalCode}`);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
  children.delete(child);
}
