import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSuite } from './servers.ts';

/** Tests of lookups and batches over HTTP, unchanged, on the shared store. */

const servers = await startSuite('the API on the shared store');
for (const name of servers ? ['availability', 'batch'] : [])
  void test(`${name}.test.ts passes on the shared store`, async () => {
    const store = await servers!.env(`contract_${name}`);
    const file = fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url));
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    // Not spawnSync: the S3 server runs in this process.
    const child = spawn(process.execPath, ['--test', '--test-reporter=spec', file], {
      env: { ...env, TEST_STORE: JSON.stringify(store) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const [status] = (await once(child, 'close')) as [number | null];
    assert.equal(status, 0, stdout);
    assert.match(stdout, /pass [1-9]/);
  });
