import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startService } from '../service.ts';
import { proxiesFor, type FaultProxy } from './fault-proxy.ts';
import { startServers, withoutServers } from './servers.ts';

/** What the operator sees when a server goes down and comes back. */

const skip = withoutServers();
if (skip) void test('metrics and log lines about the servers', { skip });
else {
  const servers = await startServers();
  await servers.database('backends');
  const proxies = await proxiesFor(servers, 'backends');
  const service = await startService(proxies.env);
  after(async () => {
    await service.close();
    await proxies.stop();
    await servers.stop();
  });

  const isUp = (backend: string) =>
    service.runtime.metrics.text().includes(`monroney_backend_up{backend="${backend}"} 1\n`);

  /** Sends requests until the metric shows the state. */
  async function waitUntil(backend: string, up: boolean): Promise<void> {
    for (let attempt = 0; isUp(backend) !== up || attempt < 10; attempt++) {
      assert.ok(attempt < 100, `${backend} is still ${up ? 'down' : 'up'}`);
      await service.get('/readyz');
      await service.get('/api/v1/vin/1FTEW2LP7TKE12345?sticker=false');
      await wait(150);
    }
  }

  const backends: [string, FaultProxy, RegExp][] = [
    ['postgresql', proxies.postgres, /PostgreSQL: /],
    ['redis', proxies.redis, /redis: /],
    ['s3', proxies.s3, /The label bucket: /],
  ];
  for (const [backend, proxy, logPattern] of backends) {
    void test(`${backend}: the metric shows an outage, and the log has one line when it starts and one when it ends`, async () => {
      await waitUntil(backend, true);
      service.runtime.log.flush();
      const before = service.logs.length;
      await proxy.set('refuse');
      await waitUntil(backend, false);
      await proxy.set('pass');
      await waitUntil(backend, true);
      service.runtime.log.flush();
      const lines = service.logs.slice(before).filter((line) => !line.includes('"message":"request"'));
      const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
      assert.equal(messages.filter((message) => logPattern.test(message)).length, 2, lines.join('\n'));
      // Readiness, switches and lifecycles may log both changes too, each once.
      assert.equal(new Set(messages).size, messages.length, lines.join('\n'));
    });
  }
}
