// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createLog } from '../lib/log.ts';
import { LIMIT } from './limit.ts';
import { dependenciesWith, fakeLookup, HELD, sendRaw, serving } from './testing.ts';

const decode = 'POST /api/v1/decode HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
const body = JSON.stringify({ vins: [HELD] });

test('a chunked body is limited like any other, and the client gets to read the 413', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const chunked = (text: string) =>
      `${decode}Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    assert.match(await sendRaw(port, chunked(body)), /^HTTP\/1\.1 200 .*"F-150"/s);
    assert.match(await sendRaw(port, chunked(body.padEnd(300_000))), /^HTTP\/1\.1 413 .*body-too-large/s);
  });
});

test('clients that never complete their bodies share 32 MB: the slowest is disconnected, others are served', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const sockets: Socket[] = [];
    for (let n = 0; n < 512; n++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket.resume());
      socket.write(`${decode}Content-Length: 65536\r\n\r\n${' '.repeat(100)}`);
      if (n % 50 === 0) await once(socket, 'connect');
    }
    const slowest = new Promise((resolve) => sockets.forEach((socket) => socket.once('close', resolve)));
    const response = await sendRaw(port, `${decode}Content-Length: ${body.length}\r\n\r\n${body}`);
    assert.match(response, /^HTTP\/1\.1 200 .*"F-150"/s);
    await slowest;
    assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 1);
    for (const socket of sockets) socket.destroy();
  });
});

test('a client that leaves while the rate limit is being checked is logged', async () => {
  const lines: string[] = [];
  const logged = Promise.withResolvers<void>();
  const log = createLog('info', (text) => {
    lines.push(text);
    logged.resolve();
  });
  const [checking, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // As when instances share their limit.
  const limiter = {
    policy: LIMIT,
    take: async () => {
      checking.resolve();
      await left.promise;
      return { allowed: true, remaining: 9, waitMs: 10_000 };
    },
  };
  await serving(dependenciesWith(fakeLookup().lookup, { log, limiter }), async (_, port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${decode}Content-Length: 100\r\n\r\n{"vins"`);
    await checking.promise;
    socket.destroy();
    left.resolve();
    await logged.promise;
  });
  assert.match(lines.join(''), /"route":"\/api\/v1\/decode","status":499/);
});
