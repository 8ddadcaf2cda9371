import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, chmodSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog, silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { pdfName, rowName } from '../../src/store/label-bytes.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { migrate } from '../../src/store/shared/postgres.ts';
import { openPostgres } from '../../src/store/shared/postgres.ts';
import { storeContract } from '../../src/store/store-contract-tests.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import { eventually } from '../operator.ts';
import { freePort } from '../../tools/free-port.ts';
import {
  postgresUser,
  query,
  type SharedEnv,
  startProgram,
  startSuite,
  startVersitygw,
  withoutVersitygw,
} from './servers.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
const withoutPgbouncer = existsSync(PGBOUNCER)
  ? false
  : 'skipped: install it first (apt-get install pgbouncer)';

const servers = await startSuite('the shared store');
if (servers) {
  const root = mkdtempSync(join(tmpdir(), 'monroney-shared-'));
  servers.defer(() => rmSync(root, { recursive: true }));
  let databases = 0;
  const newEnv = () => servers.env(`store_${++databases}`);

  const contractOn = (name: string, envOf: () => Promise<SharedEnv>) =>
    storeContract(name, async () => {
      const env = await envOf();
      return {
        store: await servers.open(env),
        reopen: () => servers.open(env),
        deleteBytes: (label) => openBucket(env.S3_URL).remove(pdfName(label)),
        replaceBytes: (label, bytes) =>
          openBucket(env.S3_URL).put(pdfName(label), bytes, sha256Of(bytes), 'application/pdf'),
        deleteRow: (vin) => query(env.DATABASE_URL, `DELETE FROM vins WHERE vin = '${vin}'`),
        cleanUp: async () => {},
      };
    });
  contractOn('shared store', newEnv);
  // A second S3 server, which checks signatures, hashes and regions, and a pooler in transaction mode.
  const others = 'shared store on versitygw, behind PgBouncer';
  const skip = withoutPgbouncer || withoutVersitygw();
  if (skip) void test(others, { skip });
  else
    contractOn(others, async () => {
      const s3 = await startVersitygw(root);
      servers.defer(() => s3.stop());
      await servers.database('pooled');
      return {
        DATABASE_URL: servers.databaseUrl('pooled', await startPgbouncer('pooled')),
        REDIS_URL: servers.redisUrl(),
        S3_URL: s3.url(),
      };
    });

  /** In transaction mode with two server connections. Returns its port. */
  async function startPgbouncer(database: string): Promise<number> {
    const port = await freePort();
    const [users, settings] = [join(root, 'users.txt'), join(root, 'pgbouncer.ini')];
    writeFileSync(users, '"monroney" ""\n');
    writeFileSync(
      settings,
      `[databases]
${database} = host=127.0.0.1 port=${servers!.postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
`,
    );
    chmodSync(root, 0o755);
    const bouncer = await startProgram(PGBOUNCER, ['-q', settings], port, postgresUser());
    servers!.defer(() => bouncer.stop());
    return port;
  }

  void test('PostgreSQL itself ends a query after two seconds', async () => {
    const db = openPostgres((await newEnv()).DATABASE_URL, silentLog);
    servers.defer(() => db.close());
    const timeout = db.one<[string]>('SHOW statement_timeout');
    assert.deepEqual(await eventually(() => timeout().catch(() => null), Boolean), ['2s']);
  });

  void test('eight instances that start at once migrate an empty database once', async () => {
    const { DATABASE_URL } = await newEnv();
    const lines: string[] = [];
    const log = createLog('info', (text) => lines.push(text));
    await Promise.all(Array.from({ length: 8 }, () => migrate(DATABASE_URL, log)));
    log.flush();
    assert.equal(lines.join('').match(/migrated the database/g)?.length, 1);
  });

  void test('a database of a version before 1.0 is refused and not changed', async () => {
    const { DATABASE_URL } = await newEnv();
    const older = 'CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (7)';
    await query(DATABASE_URL, older);
    await assert.rejects(migrate(DATABASE_URL, silentLog), /a version before 1\.0 \(schema 7\)/);
    await assert.rejects(query(DATABASE_URL, 'SELECT FROM vins'), /does not exist/);
  });

  void test('a wrong bucket, key or database is an error at startup, and so is one URL without the others', async () => {
    const env = await newEnv();
    const { S3_URL, DATABASE_URL: databaseUrl } = env;
    for (const [wrong, message] of [
      [{ S3_URL: S3_URL.replace('/labels', '/nowhere') }, /S3_URL: there is no bucket "nowhere"/],
      [{ S3_URL: S3_URL.replace(':S3RVER@', ':wrong@') }, /refuses the bucket "labels" \(SignatureDoesNot/],
      [{ DATABASE_URL: servers.databaseUrl('nowhere') }, /does not exist/],
    ] as const)
      await assert.rejects(servers.open({ ...env, ...wrong }), message);
    await assert.rejects(openStore({ dataDir: '', databaseUrl, log: silentLog }), /together/);
  });

  void test('instances serve the labels of the others, and agree on one label if two store it at once', async () => {
    const env = await newEnv();
    const stores = [await servers.open(env), await servers.open(env)] as const;
    const vin = freshVin();
    const labels = await Promise.all(
      Array.from({ length: 8 }, (_, n) => stores[n % 2]!.addLabel(newLabel(vin), pdfOf(vin))),
    );
    assert.equal(new Set(labels.map((label) => label.sha256)).size, 1);
    for (const store of stores) assert.equal(sha256Of(await store.pdf(labels[0]!)), labels[0]!.sha256);
    await stores[0].setSwitch({ source: 'kia', state: 'off', reason: null, since: 1 });
    assert.equal((await stores[1].switches())[0]?.state, 'off');
  });

  void test('a withdrawal survives restoring an older backup of the database or the bucket', async () => {
    const env = await newEnv();
    const [vin, other] = [freshVin(), freshVin()];
    const bucket = openBucket(env.S3_URL);
    const first = await servers.open(env);
    const pdf = pdfOf(vin);
    const label = await first.addLabel(newLabel(vin), pdf);
    await first.addLabel(newLabel(other), pdfOf(other));
    const copy = (await bucket.get(rowName(vin), 1000))!;
    await first.withdraw({ vin, reason: 'asked for', at: 3 });

    // First the bucket has the label and the copy of its row again, then the database lacks the withdrawal, too.
    const putBack = async () => {
      await bucket.put(pdfName(label), pdf, label.sha256, 'application/pdf');
      await bucket.put(rowName(vin), copy, sha256Of(copy), 'application/json');
    };
    await putBack();
    // Other tests put withdrawals in the same bucket.
    assert.ok((await first.rebuild(() => {})).withdrawn >= 1);
    assert.equal(await bucket.size(pdfName(label)), null);
    assert.equal(await bucket.size(rowName(vin)), null);

    await putBack();
    await query(env.DATABASE_URL, `DELETE FROM vins WHERE vin = '${vin}'`);
    const second = await servers.open(env);
    assert.ok((await second.rebuild(() => {})).withdrawn >= 1);
    for (const store of [first, second]) {
      const { label: reappeared, withdrawal } = await store.find(vin);
      assert.deepEqual([reappeared, withdrawal?.reason], [null, 'asked for']);
      assert.ok((await store.find(other)).label);
    }
    assert.equal(await bucket.size(pdfName(label)), null);
  });

  void test('a rebuild writes missing files beside labels and keeps PDFs that nothing describes, while labels are stored', async () => {
    const env = { ...(await newEnv()), S3_URL: servers.s3Url(undefined, 'spare') };
    const bucket = openBucket(env.S3_URL);
    const stores = [await servers.open(env), await servers.open(env)] as const;
    const add = (n: number) => {
      const vin = freshVin();
      return stores[n % 2]!.addLabel(newLabel(vin), pdfOf(vin));
    };
    const label = await add(0);
    await bucket.remove(rowName(label.vin));
    const pdf = pdfOf(freshVin());
    const unknown = pdfName({ vin: freshVin(), sha256: sha256Of(pdf) });
    await bucket.put(unknown, pdf, sha256Of(pdf), 'application/pdf');
    const adding = Promise.all(Array.from({ length: 40 }, (_, n) => add(n)));
    const rebuilt = await stores[0].rebuild(() => {});
    const labels = await adding;
    // A PDF that is just being stored is unknown too.
    assert.ok(rebuilt.written === 1 && rebuilt.unknown >= 1, JSON.stringify(rebuilt));
    assert.deepEqual(JSON.parse((await bucket.get(rowName(label.vin), 1000))!.toString()), label);
    assert.equal(await bucket.size(unknown), pdf.length);
    for (const stored of labels) {
      assert.equal(await bucket.size(pdfName(stored)), stored.bytes);
      assert.deepEqual((await stores[1].find(stored.vin)).label, stored);
    }
  });
}
