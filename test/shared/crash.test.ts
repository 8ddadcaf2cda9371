import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runUntilKilled } from '../../src/store/killed-writer.ts';
import { sha256Of } from '../../src/store/testing.ts';
import { startSuite, storeOptions } from './servers.ts';

const INSTANCES = 3;
const KILLS = Number(process.env.KILLS ?? 8);

const servers = await startSuite('instances on the shared store are killed');
if (servers)
  void test(`${INSTANCES} instances killed ${KILLS} times each at any moment: every confirmed label is stored and intact`, async () => {
    const env = await servers.env('crash');
    const confirmed = new Map<string, string>();
    await Promise.all(
      Array.from({ length: INSTANCES }, async () => {
        for (let kill = 0; kill < KILLS; kill++) {
          // All three use the same VINs, so that they compete.
          for (const [vin, sha256] of await runUntilKilled(storeOptions(env), kill * 100_000, 800)) {
            assert.equal(confirmed.get(vin) ?? sha256, sha256, 'two instances confirmed different labels');
            confirmed.set(vin, sha256);
          }
        }
      }),
    );
    const store = await servers.open(env);
    const rows = await store.labels(null, 1_000_000);
    const stored = new Map(rows.map((row) => [row.vin, row.sha256]));
    for (const [vin, sha256] of confirmed) assert.equal(stored.get(vin), sha256, `${vin} was confirmed`);
    for (const row of rows) assert.equal(sha256Of(await store.pdf(row)), row.sha256);
    assert.ok(confirmed.size > 0, 'the instances stored no label');
  });
