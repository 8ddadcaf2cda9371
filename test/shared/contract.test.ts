import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServers, withoutServers, type Servers } from './servers.ts';

/** The tests of the API's contract, unchanged, on the shared store. */

const skip = withoutServers();
let servers: Servers;
before(async () => {
  if (!skip) servers = await startServers();
});
after(() => servers?.stop());

for (const name of ['availability', 'bad-input']) {
  test(`${name}.test.ts passes on the shared store`, { skip }, async () => {
    const store = {
      DATABASE_URL: await servers.database(`contract_${name.replace('-', '_')}`),
      REDIS_URL: servers.redisUrl(),
      S3_URL: servers.s3Url(),
    };
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
}
