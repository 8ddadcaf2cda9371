import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { withFencingToken } from '../../src/store/shared/leases.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { labelRows } from '../../src/store/shared/label-rows.ts';
import { openPostgres } from '../../src/store/shared/postgres.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import type { HeldLabel } from '../../src/store/store.ts';
import { startServers, withoutServers } from './servers.ts';

/** What an instance must not do after its lease has expired. */

const skip = withoutServers();
if (skip) void test('an expired lease', { skip });
else {
  const servers = await startServers();
  const root = mkdtempSync(join(tmpdir(), 'monroney-fence-'));
  const urls = {
    databaseUrl: await servers.database('fence'),
    redisUrl: servers.redisUrl(),
    s3Url: servers.s3Url(),
  };
  const store = await openStore({ ...urls, dataDir: join(root, 'successor'), log: silentLog });
  after(async () => {
    await store.close();
    await servers.stop();
    rmSync(root, { recursive: true });
  });

  const keepNone = async (vin: string) => {
    const at = Date.now();
    await store.addMiss({ vin, source: 'ford', kind: 'none', why: 'successor', at, until: at + 60_000 });
    return 'successor';
  };
  const keepLabel = async (vin: string) =>
    (await store.addLabel(newLabel(vin, { host: 'successor' }), pdfOf(vin))).host;

  /** Pauses a holder until its lease expires, lets another instance take over, and resumes it. */
  async function resumeAfterSuccessor(
    outcome: 'label' | 'miss',
    runSuccessor: (vin: string) => Promise<string>,
  ) {
    const vin = freshVin();
    const program = new URL('paused-holder.ts', import.meta.url).pathname;
    const storeOptions = JSON.stringify({ ...urls, dataDir: join(root, vin) });
    const holder = spawn(process.execPath, [program, storeOptions, vin, outcome], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      await once(holder.stdout, 'data');
      holder.kill('SIGSTOP');
      await store.coordination!.singleFlight.once(vin, () => runSuccessor(vin));
      const output = once(holder.stdout, 'data');
      holder.stdin.write('go\n');
      holder.kill('SIGCONT');
      const [result] = (await output) as [Buffer];
      return { vin, result: result.toString().trim() };
    } finally {
      holder.kill('SIGKILL');
    }
  }

  void test('a holder paused beyond its lease does not overwrite what its successor wrote, and returns that', async () => {
    const [missAfterMiss, missAfterLabel, labelAfterLabel] = await Promise.all([
      resumeAfterSuccessor('miss', keepNone),
      resumeAfterSuccessor('miss', keepLabel),
      resumeAfterSuccessor('label', keepLabel),
    ]);
    assert.equal((await store.find(missAfterMiss.vin)).miss?.why, 'successor');
    assert.equal((await store.find(missAfterLabel.vin)).miss, null);
    assert.equal((await store.find(missAfterLabel.vin)).label?.host, 'successor');
    assert.equal((await store.find(labelAfterLabel.vin)).label?.host, 'successor');
    for (const { result } of [missAfterMiss, missAfterLabel, labelAfterLabel])
      assert.equal(result, 'successor');
  });

  void test('a label that arrives late still replaces "none"', async () => {
    const { vin } = await resumeAfterSuccessor('label', keepNone);
    assert.equal((await store.find(vin)).label?.host, 'late.example');
    assert.equal((await store.find(vin)).miss, null);
  });

  void test('an earlier holder does not replace the row of a later one', async () => {
    const db = openPostgres(urls.databaseUrl, silentLog);
    const labels = labelRows(db);
    const vin = freshVin();
    const label = (name: string): HeldLabel => ({
      ...newLabel(vin),
      bytes: 1,
      sha256: sha256Of(Buffer.from(name)),
    });
    const first = label('first');
    const add = (token: number, fresh: HeldLabel) =>
      withFencingToken(vin, token, () => labels.add(fresh, first));
    await withFencingToken(vin, 1, () => labels.add(first, null));
    // Both found that its bytes were gone, and the later holder restored them.
    assert.equal((await add(3, first))!.sha256, first.sha256);
    assert.equal((await add(2, label('other')))!.sha256, first.sha256);
    assert.equal((await add(4, label('newer')))!.sha256, label('newer').sha256);
    await db.close();
  });

  void test('any instance can replace a damaged label, also one stored by an instance with a fast clock', async () => {
    const vin = freshVin();
    const { sha256 } = await withFencingToken(vin, 9e15, () => store.addLabel(newLabel(vin), pdfOf(vin)));
    await openBucket(urls.s3Url).put(
      `labels/${sha256}.pdf`,
      Buffer.from('damaged'),
      sha256Of(Buffer.from('damaged')),
      'application/pdf',
    );
    const other = await openStore({ ...urls, dataDir: join(root, 'other'), log: silentLog });
    await other.markDamaged(vin, sha256);
    const pdf = pdfOf(vin);
    const kept = await other.keep(newLabel(vin), pdf);
    assert.deepEqual([kept.sha256, kept.damaged], [sha256Of(pdf), undefined]);
    assert.equal((await other.find(vin)).label?.sha256, sha256Of(pdf));
    await other.close();
  });

  void test('any instance can replace a miss that has expired', async () => {
    const vin = freshVin();
    const miss = { vin, source: 'ford', kind: 'failed', why: 'timeout', at: 1000, until: 2000 } as const;
    await withFencingToken(vin, 9e15, async () => store.addMiss(miss));
    await store.addMiss({ ...miss, why: 'later', at: Date.now(), until: Date.now() + 60_000 });
    assert.equal((await store.find(vin)).miss?.why, 'later');
  });
}
