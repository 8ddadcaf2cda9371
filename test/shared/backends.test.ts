import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startService } from '../service.ts';
import { faultProxy, type FaultProxy } from './fault-proxy.ts';
import { startServers, withoutServers } from './servers.ts';

/** What the operator sees of a server that goes and comes back. */

const skip = withoutServers();
if (skip) void test('what the operator sees of the servers', { skip });
else {
  const servers = await startServers();
  const [postgres, redis, s3] = await Promise.all([
    faultProxy(servers.postgres.port),
    faultProxy(servers.redis.port),
    faultProxy(servers.s3.port),
  ]);
  await servers.database('backends');
  const service = await startService({
    DATABASE_URL: servers.databaseUrl('backends', postgres.port),
    REDIS_URL: servers.redisUrl(redis.port),
    S3_URL: servers.s3Url(s3.port),
  });
  after(async () => {
    await service.close();
    await Promise.all([postgres.stop(), redis.stop(), s3.stop()]);
    await servers.stop();
  });

  const isUp = (backend: string) =>
    service.runtime.metrics.text().includes(`monroney_backend_up{backend="${backend}"} 1\n`);

  /** Asks as a load balancer does, until the metric says so. */
  async function until(backend: string, up: boolean): Promise<void> {
    for (let tries = 0; isUp(backend) !== up || tries < 10; tries++) {
      assert.ok(tries < 100, `${backend} is still ${up ? 'down' : 'up'}`);
      await service.get('/readyz');
      await service.get('/api/v1/vin/1FTEW2LP7TKE12345?sticker=false');
      await wait(150);
    }
  }

  const backends: [string, FaultProxy, RegExp][] = [
    ['postgresql', postgres, /PostgreSQL: /],
    ['redis', redis, /redis: /],
    ['s3', s3, /The label bucket: /],
  ];
  for (const [backend, proxy, about] of backends) {
    void test(`${backend}: the metric follows it, and the log has one line when it goes and one when it is back`, async () => {
      await until(backend, true);
      service.runtime.log.flush();
      const before = service.logs.length;
      await proxy.set('refuse');
      await until(backend, false);
      await proxy.set('pass');
      await until(backend, true);
      service.runtime.log.flush();
      const lines = service.logs.slice(before).filter((line) => !line.includes('"message":"request"'));
      const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message);
      assert.equal(messages.filter((message) => about.test(message)).length, 2, lines.join('\n'));
      // Readiness, switches and announced changes may each say once that they go and are back.
      assert.equal(new Set(messages).size, messages.length, lines.join('\n'));
    });
  }
}
