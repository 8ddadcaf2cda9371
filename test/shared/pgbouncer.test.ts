import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { openPostgres } from '../../src/store/shared/postgres.ts';
import { storeContract } from '../../src/store/store-contract-tests.ts';
import { freePort } from '../../tools/free-port.ts';
import { postgresUser, startProgram, startServers, withoutServers } from './servers.ts';
import { pdfName } from '../../src/store/label-bytes.ts';
import type { HeldLabel } from '../../src/store/store.ts';

/** The store through PgBouncer in transaction mode with two server connections. */

const PGBOUNCER = '/usr/sbin/pgbouncer';
const skip =
  withoutServers() ||
  (existsSync(PGBOUNCER) ? false : 'skipped: install it first (apt-get install pgbouncer)');
if (skip) void test('the shared store behind PgBouncer', { skip });
else {
  const root = mkdtempSync(join(tmpdir(), 'monroney-pgbouncer-'));
  const servers = await startServers();
  await servers.database('pooled');
  const port = await freePort();
  const users = join(root, 'users.txt');
  writeFileSync(users, '"monroney" ""\n');
  const settings = join(root, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
pooled = host=127.0.0.1 port=${servers.postgres.port}
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
  const databaseUrl = servers.databaseUrl('pooled', port);
  after(async () => {
    await bouncer.stop();
    await servers.stop();
    rmSync(root, { recursive: true });
  });

  let folders = 0;
  storeContract('behind PgBouncer', async () => {
    const s3Url = servers.s3Url();
    const open = () =>
      openStore({
        databaseUrl,
        redisUrl: servers.redisUrl(),
        s3Url,
        log: silentLog,
        dataDir: join(root, String(++folders)),
      });
    const opened = {
      store: await open(),
      reopen: open,
      deleteBytes: (label: HeldLabel) => openBucket(s3Url).remove(pdfName(label)),
      async deleteRow(vin: string) {
        const client = new pg.Client({ connectionString: databaseUrl });
        await client.connect();
        await client.query('DELETE FROM vins WHERE vin = $1', [vin]);
        await client.end();
      },
      cleanUp: () => opened.store.close(),
    };
    return opened;
  });

  void test('many queries at once share the two connections', async () => {
    const db = openPostgres(databaseUrl, silentLog);
    const twice = db.one<[number]>('SELECT $1::integer * 2');
    const all = await Promise.all(Array.from({ length: 200 }, (_, n) => twice(n)));
    assert.deepEqual(
      all.map((row) => row![0]),
      Array.from({ length: 200 }, (_, n) => n * 2),
    );
    await db.close();
  });

  void test('a connection without PgBouncer has prepared statements and a time limit', async () => {
    const db = openPostgres(servers.databaseUrl('pooled'), silentLog);
    const limit = db.one<[string]>("SELECT current_setting('statement_timeout')");
    assert.deepEqual(await limit(), ['2s']);
    const prepared = db.one<[number]>(
      "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'monroney%'",
    );
    assert.ok((await prepared())![0] >= 1);
    await db.close();
  });

  void test('this PgBouncer does refuse startup parameters and prepared statements', async () => {
    const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: 2000 });
    await assert.rejects(client.connect(), /unsupported startup parameter: statement_timeout/);
  });
}
