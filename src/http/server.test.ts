import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { networkInterfaces } from 'node:os';
import { createMetrics } from '../lib/metrics.ts';
import { createPeerOf } from './client-ip.ts';
import { connectionsWithin, openAdminPort } from './server.ts';
import {
  countingLimiter,
  HELD,
  dependenciesWith,
  getRequest,
  pdfOf,
  fakeLookup,
  sendRaw,
  serving,
} from './testing.ts';

test('malformed requests get a problem document with CORS headers', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const statusOf = async (text: string | Buffer) => {
      const response = await sendRaw(port, text);
      assert.match(response, /access-control-allow-origin: \*/i);
      assert.match(response, /application\/problem\+json/);
      return Number(response.slice(9, 12));
    };
    assert.equal(await statusOf(getRequest(`/api/v1/vin/${'A'.repeat(100_000)}`)), 414);
    assert.equal(await statusOf(getRequest(`/api/v1/vin/${'A'.repeat(3_000_000)}`)), 414);
    assert.equal(await statusOf(getRequest('/api/v1/vin/x', `X-Big: ${'b'.repeat(40_000)}\r\n`)), 431);
    assert.equal(await statusOf('nonsense\r\n\r\n'), 400);
    assert.equal(await statusOf(Buffer.from([22, 3, 1, 0, 200, 1, 0, 0, 13, 10, 13, 10])), 400);
    assert.equal(await statusOf('GET /api/v1/vin/x HTTP/1.1\r\nConnection: close\r\n\r\n'), 400);
    assert.equal(await statusOf(getRequest('/api/v1/vin/x', 'Host: y\r\n')), 400);
    assert.equal(await statusOf(getRequest('api')), 400);
    assert.equal(await statusOf(getRequest('/api/v1/vin/\0')), 400);
    assert.equal(await statusOf(getRequest('/api/v1/vin/x', 'Expect: the-impossible\r\n')), 417);
    assert.equal(await statusOf('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'), 405);
    assert.equal(
      await statusOf(
        'POST /api/v1/vin/x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
      400,
    );
    assert.equal(
      await statusOf(
        'GET /api/v1/vin/x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
      ),
      400,
    );
  });
});

test('bytes after a request that closes the connection are ignored, and its response is sent', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const line = `GET /api/v1/vin/${HELD} HTTP`;
    const pipelined = `${line}/1.1\r\nHost: x\r\n\r\n`;
    for (const closing of [`${line}/1.0\r\n\r\n`, `${line}/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]) {
      for (const more of [pipelined, 'nonsense'.repeat(10_000)]) {
        const response = await sendRaw(port, pipelined + closing + more);
        assert.deepEqual(response.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
        assert.ok(response.endsWith('}'));
      }
    }
  });
});

test('Transfer-Encoding in HTTP/1.0 closes the connection, even with keep-alive', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const fields =
      'Host: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n0\r\n\r\n';
    for (const start of [`GET /api/v1/vin/${HELD}`, 'GET /', 'POST /api/v1/decode']) {
      const response = await sendRaw(port, `${start} HTTP/1.0\r\n${fields}${getRequest('/healthz')}`);
      assert.match(response, /\r\nConnection: close\r\n/i);
      assert.equal(response.match(/HTTP\/1\.1 /g)!.length, 1, 'what comes after it is not answered');
    }
  });
});

test('a second Host header closes the connection, even with keep-alive', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const request = `GET /api/v1/vin/${HELD} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`;
    const response = await sendRaw(port, request + request);
    assert.match(response, /^HTTP\/1\.1 400 .*\r\nConnection: close\r\n/is);
    assert.equal(response.match(/HTTP\/1\.1 /g)!.length, 1, 'what comes after it is not answered');
  });
});

test('the service survives a client that resets the connection after CONNECT', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    assert.match(await sendRaw(port, getRequest('/healthz')), /^HTTP\/1\.1 200 /);
  });
});

test('the response to CONNECT lists the allowed methods', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const response = await sendRaw(port, 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.match(response, /\r\nAllow: GET, HEAD, OPTIONS\r\n/);
  });
});

test('an unsupported Expect header is rate limited like any other request, and closes the connection', async () => {
  const limiter = countingLimiter();
  await serving(dependenciesWith(fakeLookup().lookup, { limiter }), async (_, port) => {
    const send = (path: string, method = 'GET') =>
      sendRaw(port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n`);
    for (const [left, method] of [
      [9, 'GET'],
      [8, 'HEAD'],
      [7, 'OPTIONS'],
    ] as const) {
      const response = await send(`/api/v1/vin/${HELD}`, method);
      assert.match(response, /^HTTP\/1\.1 417 .*\r\nConnection: close\r\n/is);
      assert.match(response, /\r\nRateLimit-Policy: "default";q=10;w=10\r\n/);
      assert.match(response, new RegExp(`\r\nRateLimit: "default";r=${left};t=`));
      assert.equal(response.includes(`"vin":"${HELD}"`), method !== 'HEAD');
    }
    const page = await send('/');
    assert.match(page, /^HTTP\/1\.1 417/);
    assert.doesNotMatch(page, /RateLimit:/);
  });
});

test('an absolute URL is accepted, and its host is ignored', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const response = await sendRaw(port, getRequest(`http://evil.example/api/v1/vin/${HELD}`));
    assert.match(response, /^HTTP\/1\.1 200/);
    assert.doesNotMatch(response, /evil/);
  });
});

test('headers that never end time out', async () => {
  await serving(
    dependenciesWith(fakeLookup().lookup),
    async (_, port) => {
      assert.match(await sendRaw(port, 'GET / HTTP/1.1\r\nX-Slow: ', 4000), /^HTTP\/1\.1 408/);
    },
    { limits: { headersMs: 200, requestMs: 400 } },
  );
});

test('what comes after a request that is in progress is never answered in its place', async () => {
  let started = () => {};
  const use = async (_: string, port: number) => {
    for (const next of ['nonsense\r\n\r\n', 'GET / HT']) {
      const inProgress = new Promise<void>((resolve) => (started = resolve));
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
      await inProgress;
      socket.write(next);
      await once(socket.resume(), 'close');
      assert.equal(socket.bytesRead, 0, next);
    }
  };
  // Long enough for a busy machine to read the first request in time.
  const options = { fallback: () => started(), limits: { headersMs: 1000, requestMs: 1000 } };
  await serving(dependenciesWith(fakeLookup().lookup), use, options);
});

test('a client that stops reading is disconnected, and its buffers are released', async () => {
  const fake = fakeLookup(pdfOf(4_000_000));
  await serving(
    dependenciesWith(fake.lookup),
    async (origin, port) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      // Twenty responses of 4 MB exceed all socket buffers.
      socket.pause();
      socket.write(`GET /api/sticker/${HELD} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20));
      assert.equal((await fetch(`${origin}/healthz`)).status, 200);
      await wait(900);
      socket.resume();
      await once(socket, 'close');
      assert.ok(socket.bytesRead < 20 * 4_000_000);
    },
    { limits: { stalledMs: 200 } },
  );
});

test('large texts that nobody reads share 64 MB: the slowest clients are disconnected, others are served', async () => {
  const documents = new Map([['/large', () => ({ type: 'text/plain', body: 'x'.repeat(8_000_000) })]]);
  await serving(dependenciesWith(fakeLookup().lookup, { documents }), async (_, port) => {
    const sockets: Socket[] = [];
    for (let n = 0; n < 12; n++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      socket.write(getRequest('/large'));
      await once(socket, 'readable');
    }
    // The buffers of the system may have taken some of it, so count what arrives.
    const received = await Promise.all(
      sockets.map(async (socket) => {
        if (!socket.closed) await once(socket.resume(), 'close');
        return socket.bytesRead;
      }),
    );
    const isComplete = received.map((bytes) => bytes > 8_000_000);
    assert.deepEqual(isComplete, [...Array<boolean>(4).fill(false), ...Array<boolean>(8).fill(true)]);
    assert.match(await sendRaw(port, getRequest('/large')), /^HTTP\/1\.1 200 /);
  });
});

test('one client can’t use up the connections of all others; a trusted proxy can', async () => {
  const dependencies = dependenciesWith(fakeLookup().lookup);
  const limits = { connections: 10, connectionsPerClient: 4 };
  async function openTen(port: number): Promise<Socket[]> {
    const sockets = Array.from({ length: 10 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return sockets;
  }
  const openOf = (sockets: Socket[]) => sockets.filter((socket) => !socket.destroyed).length;
  const closeAll = (sockets: Socket[]) => sockets.forEach((socket) => socket.destroy());
  let client: string | null = 'attacker';
  const peerOf = () => client;
  await serving(
    dependencies,
    async (_, port) => {
      const attackers = await openTen(port);
      for (let n = 0; n < 400 && openOf(attackers) > 4; n++) await wait(5);
      client = 'other';
      assert.match(await sendRaw(port, getRequest('/healthz')), /^HTTP\/1.1 200 /);
      assert.equal(openOf(attackers), 4);
      closeAll(attackers);
      // Closed connections no longer count.
      for (let n = 0; n < 8; n++)
        assert.match(await sendRaw(port, getRequest('/healthz')), /^HTTP\/1.1 200 /);
      client = null;
      const proxy = await openTen(port);
      assert.equal(openOf(proxy), 10);
      closeAll(proxy);
    },
    { limits, peerOf },
  );
});

test('connections of trusted proxies and private addresses are not counted, those of others by IPv6 /64', () => {
  const peerOf = createPeerOf(['8.8.8.0/24', '2606:4700::/32']);
  for (const peer of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1']) assert.equal(peerOf(peer), null);
  for (const peer of ['127.0.0.1', '::1', '10.1.2.3', '::ffff:192.168.0.7', 'fd00::1'])
    assert.equal(peerOf(peer), null);
  assert.equal(peerOf('::ffff:1.1.1.1'), '1.1.1.1');
  assert.equal(peerOf('2620:fe:1:2:3::4'), peerOf('2620:fe:1:2:ffff::'));
});

test('connections leave file handles for stored labels', () => {
  assert.equal(connectionsWithin(Infinity, 20_000), 20_000);
  assert.equal(connectionsWithin(65_536, 20_000), 20_000);
  assert.equal(connectionsWithin(1024, 20_000), 896);
  assert.equal(connectionsWithin(100, 20_000), 50);
});

const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((network) => network?.family === 'IPv4' && !network.internal)?.address;
const skip = elsewhere ? false : 'this machine has only loopback';

const status = (host: string, port: number) =>
  fetch(`http://${host}:${port}/metrics`).then(
    (response) => response.status,
    () => null,
  );

test('metrics are served on loopback alone, unless ADMIN_HOST says otherwise', { skip }, async (t) => {
  for (const [adminHost, outside] of [
    ['127.0.0.1', null],
    ['0.0.0.0', 200],
  ] as const) {
    const opened = (await openAdminPort(
      { adminPort: 0, adminHost },
      { metrics: createMetrics(), store: { ready: async () => {} } },
    ))!;
    t.after(() => opened.close());
    assert.equal(await status('127.0.0.1', opened.port), 200);
    assert.equal(await status(elsewhere!, opened.port), outside);
  }
});
