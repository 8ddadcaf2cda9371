import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Redis } from 'ioredis';
import { silentLog } from '../../src/lib/log.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { openPostgres, startMigration } from '../../src/store/shared/postgres.ts';
import { MESSAGES_LOST, openRedis } from '../../src/store/shared/redis.ts';
import { createAuthority } from '../certificates.ts';
import { eventually } from '../operator.ts';
import { PATIENT } from '../service.ts';
import { freePort } from '../../tools/free-port.ts';
import { faultProxy } from './fault-proxy.ts';
import { postgresUser, startPostgres, startRedis, withoutServers } from './servers.ts';

/** Connections to real servers: encryption, certificates, and servers of the wrong kind. */

const { timeoutFactor } = PATIENT;
const skip = withoutServers();
if (skip) void test('connections to servers', { skip });
else {
  const root = mkdtempSync(join(tmpdir(), 'monroney-connections-'));
  chmodSync(root, 0o755);
  const tls = certificates(root);
  const postgres = await startPostgres(root, [
    'ssl=on',
    `ssl_cert_file=${tls.cert}`,
    `ssl_key_file=${tls.postgresKey}`,
  ]);
  mkdirSync(join(root, 'plain'), { mode: 0o755 });
  after(async () => {
    await postgres.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const urlOf = (query: string, host: string) =>
    `postgres://monroney@${host}:${postgres.port}/postgres${query}`;
  const ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  /** Whether the connection is encrypted, or the error. The certificate doesn't cover `localhost`. */
  async function encrypted(query: string, host: string): Promise<boolean | string> {
    const db = openPostgres(urlOf(query, host), silentLog, timeoutFactor);
    try {
      return (await db.one<[boolean]>(ENCRYPTED)())![0];
    } catch (error) {
      return (error as Error).message;
    } finally {
      await db.close();
    }
  }

  const ca = `sslrootcert=${tls.ca}`;
  const other = `sslrootcert=${tls.otherCa}`;
  /** What libpq says if it isn't the same. */
  const modes: [query: string, host: string, expected: boolean | RegExp, libpq?: RegExp][] = [
    ['?sslmode=disable', '127.0.0.1', false],
    ['?sslmode=require', '127.0.0.1', true],
    [`?sslmode=require&${other}`, '127.0.0.1', /certificate/],
    [`?sslmode=require&${ca}`, 'localhost', true],
    [`?sslmode=verify-ca&${ca}`, 'localhost', true],
    [`?sslmode=verify-ca&${other}`, '127.0.0.1', /certificate/],
    [`?sslmode=verify-full&${ca}`, '127.0.0.1', true],
    [`?sslmode=verify-full&${ca}`, 'localhost', /altnames/, /does not match host name/],
  ];
  const withoutPsql = spawnSync('psql', ['--version']).error
    ? 'skipped: install it first (apt-get install postgresql-client)'
    : false;
  for (const [query, host, expected, libpq = expected] of modes) {
    const mode = query.replace(/sslrootcert=.*\//, '');
    void test(`${mode} for ${host} has the same meaning as in libpq`, { skip: withoutPsql }, async () => {
      const ours = await encrypted(query, host);
      const psql = spawnSync('psql', ['-XAtc', ENCRYPTED, urlOf(query, host)], { encoding: 'utf8' });
      const theirs = psql.status === 0 ? psql.stdout.trim() === 't' : psql.stderr;
      for (const [found, wanted] of [
        [ours, expected],
        [theirs, libpq],
      ] as const) {
        if (typeof wanted === 'boolean') assert.equal(found, wanted);
        else assert.match(String(found), wanted);
      }
    });
  }

  void test('without sslmode the connection is not encrypted, and the system has its own authorities', async () => {
    assert.equal(await encrypted('', '127.0.0.1'), false);
    assert.match(
      String(await encrypted('?sslmode=verify-full&sslrootcert=system', '127.0.0.1')),
      /certificate/,
    );
  });

  void test('startup fails with a clear error if a certificate is not trusted', async (t) => {
    const url = `postgres://monroney@127.0.0.1:${postgres.port}/postgres?sslmode=verify-full`;
    await assert.rejects(
      startMigration(url, silentLog, { timeoutFactor }),
      /^Error: DATABASE_URL: .*isn't trusted.*sslrootcert/,
    );

    const port = await freePort();
    const files = ['--tls-cert-file', tls.cert, '--tls-key-file', tls.key, '--tls-ca-cert-file', tls.ca];
    const redis = await startRedis(root, ['--port', '0', '--tls-port', String(port), ...files], port);
    t.after(() => redis.stop());
    await assert.rejects(
      openRedis(`rediss://127.0.0.1:${port}`, silentLog, timeoutFactor),
      /^Error: REDIS_URL: .*isn't trusted.*NODE_EXTRA_CA_CERTS/,
    );

    const bucket = createServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }).listen(0);
    t.after(() => bucket.close());
    await once(bucket, 'listening');
    const bucketPort = (bucket.address() as AddressInfo).port;
    await assert.rejects(
      openBucket(`s3+https://key:secret@127.0.0.1:${bucketPort}/labels`, silentLog, timeoutFactor).probe(),
      /^Error: S3_URL: .*isn't trusted.*NODE_EXTRA_CA_CERTS/,
    );
  });

  void test('Redis Cluster and Sentinel are refused in one sentence', async (t) => {
    const open = (port: number) => openRedis(`redis://127.0.0.1:${port}`, silentLog, timeoutFactor);
    const cluster = await startRedis(root, ['--cluster-enabled', 'yes']);
    t.after(() => cluster.stop());
    await assert.rejects(open(cluster.port), /Sentinel and Cluster/);
    const settings = join(root, 'sentinel.conf');
    writeFileSync(settings, '');
    const port = await freePort();
    const sentinel = await startRedis(root, [], port, [settings, '--sentinel', '--port', String(port)]);
    t.after(() => sentinel.stop());
    await assert.rejects(open(port), /Sentinel and Cluster/);
  });

  const failures: [string, (client: Socket) => unknown][] = [
    ['whose connection breaks', (client) => client.destroy()],
    ['that does not respond', () => {}],
  ];
  for (const [what, fail] of failures) {
    void test(`a Redis ${what} while we subscribe again is subscribed to later`, async (t) => {
      const server = await startRedis(root);
      t.after(() => server.stop());
      let failuresLeft = 0;
      const proxy = createTcpServer((client) => {
        const upstream = connect(server.port, '127.0.0.1');
        client.on('error', () => {}).on('close', () => upstream.destroy());
        upstream.on('error', () => {}).on('close', () => client.destroy());
        upstream.pipe(client);
        client.on('data', (bytes) => {
          if (!/\bsubscribe\b/i.test(bytes.toString('latin1')) || failuresLeft === 0)
            return upstream.write(bytes);
          failuresLeft--;
          return fail(client);
        });
      }).listen(0, '127.0.0.1');
      t.after(() => proxy.close());
      await once(proxy, 'listening');
      const link = await openRedis(`redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`, silentLog);
      t.after(() => link.close());
      let lost = 0;
      let received = 0;
      link.subscribe('news', (message) => (message === MESSAGES_LOST ? lost++ : received++));
      const receives = () =>
        eventually(
          async () => {
            await link.run((client) => client.publish('news', 'hello')).catch(() => {});
            return received;
          },
          (count) => count > 0,
        );
      await receives();
      failuresLeft = 2;
      const control = new Redis(server.port);
      t.after(() => control.disconnect());
      await control.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      // An unhandled rejection fails the test.
      await eventually(
        async () => failuresLeft,
        (left) => left === 0,
      );
      received = 0;
      await receives();
      // Subscribers know that they may have missed messages.
      await eventually(async () => lost, Boolean);
    });
  }

  void test('an instance starts without a Redis that never responds, and uses it later', async (t) => {
    const server = await startRedis(root);
    t.after(() => server.stop());
    const proxy = await faultProxy(server.port);
    t.after(() => proxy.stop());
    await proxy.set('hang');
    const link = await openRedis(`redis://127.0.0.1:${proxy.port}`, silentLog);
    t.after(() => link.close());
    assert.equal(link.up, false);
    await proxy.set('pass');
    await eventually(async () => link.up, Boolean);
    await eventually(
      () => link.run((client) => client.set('key', 'value')).catch(() => null),
      (reply) => reply === 'OK',
    );
  });

  void test('startup fails if a server does not offer the encryption that the URL requires', async (t) => {
    const plain = await startPostgres(join(root, 'plain'));
    t.after(() => plain.stop());
    const url = `postgres://monroney@127.0.0.1:${plain.port}/postgres?sslmode=require`;
    await assert.rejects(startMigration(url, silentLog, { timeoutFactor }), /does not support SSL/);
  });
}

/** A certificate for 127.0.0.1, the authority that signed it, and another authority. */
function certificates(folder: string) {
  const [authority, other] = [createAuthority()!, createAuthority()!];
  const [cert, key, postgresKey] = ['server.pem', 'server.key', 'postgres.key'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const issued = authority.issue(['127.0.0.1']);
  writeFileSync(cert, issued.cert);
  writeFileSync(key, issued.key);
  // PostgreSQL rejects a key that others can read.
  writeFileSync(postgresKey, issued.key, { mode: 0o600 });
  const { uid, gid } = postgresUser();
  if (uid !== undefined) chownSync(postgresKey, uid, gid!);
  return { ca: authority.file, otherCa: other.file, cert, key, postgresKey };
}
