import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { freshVin, newLabel, pdfOf } from '../../src/store/testing.ts';
import { startServers, withoutServers } from './servers.ts';

/** An instance that goes on after its lease has expired: the first row of a VIN wins. */

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

  void test('a holder paused beyond its lease does not overwrite the label that its successor stored, and returns that one', async () => {
    const [missAfterLabel, labelAfterLabel] = await Promise.all([
      resumeAfterSuccessor('miss', keepLabel),
      resumeAfterSuccessor('label', keepLabel),
    ]);
    assert.equal((await store.find(missAfterLabel.vin)).miss, null);
    assert.equal((await store.find(missAfterLabel.vin)).label?.host, 'successor');
    assert.equal((await store.find(labelAfterLabel.vin)).label?.host, 'successor');
    assert.equal(labelAfterLabel.result, 'successor');
  });

  void test('a label that arrives late still replaces "none"', async () => {
    const { vin } = await resumeAfterSuccessor('label', keepNone);
    assert.equal((await store.find(vin)).label?.host, 'late.example');
    assert.equal((await store.find(vin)).miss, null);
  });

  void test('any instance can replace a miss that has expired', async () => {
    const vin = freshVin();
    const miss = { vin, source: 'ford', kind: 'failed', why: 'timeout', at: 1000, until: 2000 } as const;
    await store.addMiss(miss);
    await store.addMiss({ ...miss, why: 'later', at: Date.now(), until: Date.now() + 60_000 });
    assert.equal((await store.find(vin)).miss?.why, 'later');
  });
}
