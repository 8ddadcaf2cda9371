import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { runUntilKilled } from '../../src/store/killed-writer.ts';
import { sha256Of } from '../../src/store/testing.ts';
import { startServers, withoutServers } from './servers.ts';

const INSTANCES = 3;
const KILLS = Number(process.env.KILLS ?? 8);

const skip = withoutServers();
if (skip) void test('instances on the shared store are killed', { skip });
else {
  const servers = await startServers();
  const root = mkdtempSync(join(tmpdir(), 'monroney-shared-crash-'));
  after(async () => {
    await servers.stop();
    rmSync(root, { recursive: true });
  });

  void test(`${INSTANCES} instances killed ${KILLS} times each at any moment: every confirmed label is stored and intact`, async () => {
    const urls = {
      databaseUrl: await servers.database('crash'),
      redisUrl: servers.redisUrl(),
      s3Url: servers.s3Url(),
    };
    const confirmed = new Map<string, string>();
    await Promise.all(
      Array.from({ length: INSTANCES }, async (_, instance) => {
        const dataDir = join(root, String(instance));
        for (let kill = 0; kill < KILLS; kill++) {
          // All three use the same VINs, so that they compete.
          for (const [vin, sha256] of await runUntilKilled({ ...urls, dataDir }, kill * 100_000, 800)) {
            assert.equal(confirmed.get(vin) ?? sha256, sha256, 'two instances confirmed different labels');
            confirmed.set(vin, sha256);
          }
        }
      }),
    );
    const store = await openStore({ ...urls, dataDir: join(root, 'last'), log: silentLog });
    try {
      const rows = await store.labels(null, 1_000_000);
      const stored = new Map(rows.map((row) => [row.vin, row.sha256]));
      for (const [vin, sha256] of confirmed) assert.equal(stored.get(vin), sha256, `${vin} was confirmed`);
      for (const row of rows) assert.equal(sha256Of(await store.pdf(row)), row.sha256);
      assert.ok(confirmed.size > 0, 'the instances stored no label');
    } finally {
      await store.close();
    }
  });
}
