import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { createMetrics } from '../lib/metrics.ts';
import { openAdminPort } from './admin-port.ts';

const dependencies = { metrics: createMetrics(), store: { ready: async () => {} } };
const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
const skip = elsewhere ? false : 'this machine has only loopback';

const status = (host: string, port: number) =>
  fetch(`http://${host}:${port}/metrics`).then(
    (response) => response.status,
    () => null,
  );

void test('metrics are served on loopback alone, unless ADMIN_HOST says otherwise', { skip }, async (t) => {
  for (const [adminHost, outside] of [
    ['127.0.0.1', null],
    ['0.0.0.0', 200],
  ] as const) {
    const opened = (await openAdminPort({ adminPort: 0, adminHost }, dependencies))!;
    t.after(() => opened.close());
    assert.equal(await status('127.0.0.1', opened.port), 200);
    assert.equal(await status(elsewhere!, opened.port), outside);
  }
});
