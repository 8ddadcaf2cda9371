import assert from 'node:assert/strict';
import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { runUntilKilled } from '../run-until-killed.ts';
import { sha256Of } from '../store-contract.ts';

const KILLS = Number(process.env.KILLS ?? 10);
void test(`${KILLS} kills at any moment leave every promised label, whole, and no row without its file`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'monroney-crash-'));
  const promised = new Map<string, string>();
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      for (const [vin, sha256] of await runUntilKilled({ dataDir }, kill * 100_000))
        promised.set(vin, sha256);
      const store = await openStore({ dataDir, log: silentLog });
      assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
      const rows = await store.labels(null, 1_000_000);
      const files = (await readdir(join(dataDir, 'labels'), { recursive: true })).filter((name) =>
        name.endsWith('.pdf'),
      );
      // A whole file whose row was not written yet stays.
      assert.ok(files.length >= rows.length, 'a row without its file');
      assert.ok(rows.every((row) => !row.damaged));
      const held = new Map(rows.map((row) => [row.vin, row.sha256]));
      for (const [vin, sha256] of promised) assert.equal(held.get(vin), sha256, `${vin} was promised`);
      for (const row of rows) {
        if (kill < KILLS - 1 && promised.get(row.vin) === row.sha256 && Math.random() > 0.1) continue;
        const pdf = await store.pdf(row.sha256);
        assert.equal(sha256Of(pdf), row.sha256);
        assert.equal(pdf.length, row.bytes);
      }
      await store.close();
    }
    assert.ok(promised.size > 0, 'the keepers must have kept something');
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
