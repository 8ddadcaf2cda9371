import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { networkInterfaces } from 'node:os';
import { silentLog, type Log } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { openAdminPort } from './admin.ts';
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
    assert.match(response, /\r\nAllow: GET, HEAD, OPTIONS\r\n/i);
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
      assert.match(response, /\r\nRateLimit-Policy: "default";q=10;w=10\r\n/i);
      assert.match(response, new RegExp(`\r\nRateLimit: "default";r=${left};t=`, 'i'));
      assert.equal(response.includes(`"vin":"${HELD}"`), method !== 'HEAD');
    }
    const page = await send('/');
    assert.match(page, /^HTTP\/1\.1 417/);
    assert.doesNotMatch(page, /RateLimit:/i);
  });
});

test('an absolute URL is accepted, and its host is ignored', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const response = await sendRaw(port, getRequest(`http://evil.example/api/v1/vin/${HELD}`));
    assert.match(response, /^HTTP\/1\.1 200/);
    assert.doesNotMatch(response, /evil/);
  });
});

/** A connection to the server, and the server's end of it. */
async function bothEnds(port: number, server: Server): Promise<[Socket, Socket]> {
  const accepted = once(server, 'connection');
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const [end] = (await accepted) as [Socket];
  return [socket, end];
}

test('headers that never end time out', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port, server) => {
    assert.deepEqual([server.headersTimeout, server.requestTimeout], [10_000, 30_000]);
    const [socket, end] = await bothEnds(port, server);
    socket.write('GET / HTTP/1.1\r\nX-Slow: ');
    // What Node does after that time.
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), end);
    assert.match(await text(socket), /^HTTP\/1\.1 408/);
  });
});

test('nonsense after a request is never answered in its place: the response is sent, then the connection is closed', async () => {
  const started = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const page = async () => {
    started.resolve();
    await answered.promise;
    return { status: 200, headers: {}, body: 'the page' };
  };
  const use = async (origin: string, port: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await started.promise;
    socket.write('nonsense\r\n\r\n');
    // When this has been answered, the server has read the nonsense.
    await fetch(`${origin}/healthz`);
    answered.resolve();
    const received = await text(socket);
    assert.match(received, /^HTTP\/1\.1 200 .*the page$/s);
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { page });
});

test('a client that stops reading is disconnected', async () => {
  const fake = fakeLookup(pdfOf(4_000_000));
  const closed = Promise.withResolvers<void>();
  const request: Log['request'] = (_id, _method, _route, status) => {
    if (status === 499) closed.resolve();
  };
  const use = async (_: string, port: number, server: Server) => {
    assert.equal(server.timeout, 40_000);
    const [socket, end] = await bothEnds(port, server);
    // Twenty responses of 4 MB exceed all socket buffers.
    socket.pause();
    socket.write(`GET /api/sticker/${HELD} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(20));
    await once(socket, 'readable');
    // What Node does after that time.
    end.emit('timeout');
    await closed.promise;
    await once(socket.resume(), 'close');
    assert.ok(socket.bytesRead < 20 * 4_000_000);
  };
  await serving(dependenciesWith(fake.lookup, { log: { ...silentLog, request } }), use);
});

test('bodies that nobody reads share 64 MB: the slowest clients are disconnected, others are served', async () => {
  const text = 'x'.repeat(8_000_000);
  let requests = 0;
  // Half of them as bytes, like a file.
  const body = () => (++requests % 2 ? text : Buffer.from(text));
  const documents = new Map([['/large', () => ({ type: 'text/plain', body: body() })]]);
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

test('a file counts once, however many clients receive it slowly', async () => {
  const body = Buffer.alloc(8_000_000, 'x');
  const documents = new Map([['/large', () => ({ type: 'text/plain', body })]]);
  await serving(dependenciesWith(fakeLookup().lookup, { documents }), async (_, port) => {
    const sockets: Socket[] = [];
    for (let n = 0; n < 12; n++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      socket.write(getRequest('/large'));
      await once(socket, 'readable');
    }
    for (const socket of sockets) {
      await once(socket.resume(), 'close');
      assert.ok(socket.bytesRead > 8_000_000);
    }
  });
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
    const post = await fetch(`http://127.0.0.1:${opened.port}/metrics`, { method: 'POST' });
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD']);
    assert.equal(await status(elsewhere!, opened.port), outside);
  }
});
