import assert from 'node:assert/strict';
import http from 'node:http';
import { test, type TestContext } from 'node:test';
import { listen } from '../../lib/testing.ts';
import { s3Credentials } from './s3-credentials.ts';

const MINUTE_MS = 60_000;

/** The role of a container. Each reply has new keys. */
async function startRole(t: TestContext) {
  const role = { requests: 0, works: true, hangs: false, lifetimeMs: 60 * MINUTE_MS };
  const server = http.createServer((_, response) => {
    role.requests++;
    if (role.hangs) return;
    if (!role.works) return void response.writeHead(500).end();
    // oxlint-disable-next-line tests/no-clock -- Keys expire by the wall clock, minutes from now.
    const Expiration = new Date(Date.now() + role.lifetimeMs).toISOString();
    response.end(
      JSON.stringify({ AccessKeyId: `key-${role.requests}`, SecretAccessKey: 'secret', Expiration }),
    );
  });
  const port = await listen(t, server);
  const keys = s3Credentials(new URL('http://s3/labels'), {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/`,
  });
  return { role, keys };
}

/** Lets a fetch that began in the background go on. */
const turn = () => new Promise((resolve) => void setImmediate(resolve));

void test('requests that need new keys at the same time share one fetch', async (t) => {
  const { role, keys } = await startRole(t);
  const first = await Promise.all([keys(), keys(), keys()]);
  assert.deepEqual(
    first.map(({ accessKeyId }) => accessKeyId),
    ['key-1', 'key-1', 'key-1'],
  );
  assert.equal(role.requests, 1);
});

void test('keys that are about to expire are used as long as new ones cannot be fetched', async (t) => {
  const { role, keys } = await startRole(t);
  role.lifetimeMs = MINUTE_MS;
  await keys();
  role.works = false;
  role.lifetimeMs = 60 * MINUTE_MS;
  while (role.requests < 4) {
    assert.equal((await keys()).accessKeyId, 'key-1');
    await turn();
  }
  role.works = true;
  while ((await keys()).accessKeyId === 'key-1') await turn();
});

void test('nobody waits for new keys while the old ones are valid', async (t) => {
  const { role, keys } = await startRole(t);
  role.lifetimeMs = MINUTE_MS;
  await keys();
  role.hangs = true;
  // Waiting for the role would end in its timeout, an error.
  assert.equal((await keys()).accessKeyId, 'key-1');
});

void test('expired keys are not used, and a failed fetch is tried again', async (t) => {
  const { role, keys } = await startRole(t);
  role.lifetimeMs = -1;
  await keys();
  role.works = false;
  await assert.rejects(keys(), /responded with 500/);
  role.works = true;
  assert.equal((await keys()).accessKeyId, 'key-3');
});
