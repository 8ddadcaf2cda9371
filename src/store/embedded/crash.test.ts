// lane: drill
import assert from 'node:assert/strict';
import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isLong } from '../../../test/size.ts';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { runUntilKilled } from '../killed-writer.ts';
import { sha256Of } from '../testing.ts';

const KILLS = Number(process.env.KILLS ?? (isLong ? 10 : 4));
void test(`after ${KILLS} kills every acknowledged label is intact, and every row has its file`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'monroney-crash-'));
  const acknowledged = new Map<string, string>();
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      for (const [vin, sha256] of await runUntilKilled({ dataDir }, kill * 100_000))
        acknowledged.set(vin, sha256);
      const store = await openStore({ dataDir, log: silentLog });
      assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
      const rows = await store.labels(null, 1_000_000);
      const files = (await readdir(join(dataDir, 'labels'), { recursive: true })).filter((name) =>
        name.endsWith('.pdf'),
      );
      // A complete file whose row was not written yet is kept.
      assert.ok(files.length >= rows.length, 'a row without its file');
      assert.ok(rows.every((row) => !row.damaged));
      const held = new Map(rows.map((row) => [row.vin, row.sha256]));
      for (const [vin, sha256] of acknowledged)
        assert.equal(held.get(vin), sha256, `${vin} was acknowledged`);
      for (const row of rows) {
        if (kill < KILLS - 1 && acknowledged.get(row.vin) === row.sha256 && Math.random() > 0.1) continue;
        const pdf = await store.pdf(row);
        assert.equal(sha256Of(pdf), row.sha256);
        assert.equal(pdf.length, row.bytes);
      }
      await store.close();
    }
    assert.ok(acknowledged.size > 0, 'the writers must have stored something');
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
