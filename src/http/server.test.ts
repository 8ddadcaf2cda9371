// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { networkInterfaces } from 'node:os';
import { fakeTime } from '../../test/fake-time.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { openAdminPort } from './admin.ts';
import {
  HELD,
  dependenciesWith,
  getRequest,
  openSocket,
  pdfOf,
  fakeLookup,
  rawGet,
  sendRaw,
  serving,
  turn,
} from './testing.ts';

test('an ambiguous request closes its connection, even with keep-alive', async () => {
  const chunked = 'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n0\r\n\r\n';
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    for (const request of [
      ...[`GET /api/v1/vin/${HELD}`, 'GET /', 'POST /api/v1/decode'].map(
        (start) => `${start} HTTP/1.0\r\nHost: x\r\n${chunked}`,
      ),
      `GET /api/v1/vin/${HELD} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
    ]) {
      const response = await sendRaw(port, request + getRequest('/healthz'));
      assert.match(response, /\r\nConnection: close\r\n/i);
      assert.equal(response.match(/HTTP\/1\.1 /g)!.length, 1, 'what comes after it is not answered');
    }
  });
});

test('a method that Node does not know is 405, and what is no request is 400', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    for (const method of ['FOO', 'get', 'VERSION-CONTROL']) {
      const received = await sendRaw(port, `${method} /api/v1/makes HTTP/1.1\r\nHost: x\r\n\r\n`);
      assert.match(received, /^HTTP\/1\.1 405 .*^allow: GET, HEAD, OPTIONS\r$/ms, method);
    }
    for (const nonsense of ['FOO\r\n\r\n', 'FOO / SMTP\r\n\r\n', '\x16\x03\x01\r\n\r\n'])
      assert.match(await sendRaw(port, nonsense), /^HTTP\/1\.1 400 /);
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

/** A client that has begun to receive a body and reads no more. */
async function slowReader(port: number, header?: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(getRequest('/large', header));
  await once(socket, 'readable');
  return socket;
}

/** Several of them, one a second. */
async function slowReaders(port: number, time: ReturnType<typeof fakeTime>, count = 12): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n++) {
    sockets.push(await slowReader(port));
    time.pass(1000);
  }
  return sockets;
}

/** Whether a client gets everything once it reads on. */
async function isComplete(socket: Socket, bytes = 8_000_000): Promise<boolean> {
  if (!socket.closed) await once(socket.resume(), 'close');
  return socket.bytesRead > bytes;
}

test('bodies that nobody reads share 64 MB: slow clients are disconnected, others are served', async (t) => {
  const time = fakeTime(t);
  const text = 'x'.repeat(8_000_000);
  const file = Buffer.from(text);
  let requests = 0;
  // Half of them as bytes, like a file.
  let body = () => (++requests % 2 ? text : Buffer.from(text));
  const documents = new Map([['/large', () => ({ type: 'text/plain', body: body() })]]);
  await serving(dependenciesWith(fakeLookup().lookup, { documents }), async (_, port) => {
    const complete = await Promise.all((await slowReaders(port, time)).map((socket) => isComplete(socket)));
    assert.equal(complete.filter((isWhole) => isWhole).length, 8);
    assert.ok(complete.at(-1), 'not the one that came last');
    assert.match(await sendRaw(port, getRequest('/large')), /^HTTP\/1\.1 200 /);
    // The same bytes count once, however many clients receive them.
    body = () => file;
    for (const socket of await slowReaders(port, time)) assert.ok(await isComplete(socket));
    // A part of a file counts as all of it, which stays in memory.
    body = () => Buffer.alloc(40_000_000).subarray(0, 8_000_000);
    const [first, second] = await slowReaders(port, time, 2);
    assert.deepEqual([await isComplete(first!), await isComplete(second!)], [false, true]);
  });
});

test('of clients that hold equally much, the slower one is disconnected, though it came later', async (t) => {
  const time = fakeTime(t);
  const bytes = 30_000_000;
  const documents = new Map([['/large', () => ({ type: 'text/plain', body: Buffer.alloc(bytes) })]]);
  const dependencies = dependenciesWith(fakeLookup().lookup, { documents, trustedProxies: ['127.0.0.1'] });
  await serving(dependencies, async (_, port) => {
    const reader = (client: string) => slowReader(port, `X-Forwarded-For: ${client}\r\n`);
    const faster = await reader('192.0.2.1');
    const slower = await reader('192.0.2.2');
    while (faster.bytesRead < 20_000_000) {
      await once(faster.resume(), 'data');
      faster.pause();
    }
    time.pass(10_000);
    const latest = await reader('192.0.2.3');
    const complete = [faster, slower, latest].map((socket) => isComplete(socket, bytes));
    assert.deepEqual(await Promise.all(complete), [true, false, true]);
  });
});

test('a body that breaks off is logged as our error, and its connection is closed', async () => {
  const logged = Promise.withResolvers<number>();
  const errors: string[] = [];
  const log: Log = {
    ...silentLog,
    error: (message, fields) => errors.push(`${message}: ${String(fields?.error)}`),
    request: (_id, _method, _route, status) => logged.resolve(status),
  };
  const body = Readable.from(
    (async function* () {
      yield 'begun';
      throw new Error('no more');
    })(),
  );
  const page = () => ({ status: 200, headers: {}, body });
  const use = async (_: string, port: number) => {
    assert.match(await sendRaw(port, rawGet('/page')), /^HTTP\/1\.1 200 .*\r\n5\r\nbegun\r\n$/s);
    assert.equal(await logged.promise, 500);
    assert.deepEqual(errors, ['response: the body broke off: no more']);
  };
  await serving(dependenciesWith(fakeLookup().lookup, { log }), use, { page });
});

test('a body whose client has left is not read', async () => {
  const body = new Readable({ read() {} });
  const started = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const page = async (_: unknown, res: ServerResponse) => {
    started.resolve();
    await once(res, 'close');
    left.resolve();
    return { status: 200, headers: {}, body };
  };
  const use = async (_: string, port: number) => {
    const socket = await openSocket(port);
    socket.write(rawGet('/page'));
    await started.promise;
    socket.destroy();
    await left.promise;
    await turn();
    assert.ok(body.destroyed);
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { page });
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
      () => false,
    ))!;
    t.after(() => opened.close());
    assert.equal(await status('127.0.0.1', opened.port), 200);
    const post = await fetch(`http://127.0.0.1:${opened.port}/metrics`, { method: 'POST' });
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD']);
    assert.equal(await status(elsewhere!, opened.port), outside);
  }
});

test('a scrape says whether the service is ready and can write, without a request to it', async (t) => {
  let isFull = false;
  let isStopping = false;
  const ready = async () => {
    if (isFull) throw new Error('ENOSPC');
  };
  const opened = (await openAdminPort(
    { adminPort: 0, adminHost: '127.0.0.1' },
    { metrics: createMetrics(), store: { ready } },
    () => isStopping,
  ))!;
  t.after(() => opened.close());
  const origin = `http://127.0.0.1:${opened.port}`;
  const scrape = async () => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    const gauges = text.matchAll(/^monroney_(ready|store_writable) (\d)$/gm);
    return Object.fromEntries(gauges.map(([, name, value]) => [name!, Number(value)]));
  };
  assert.deepEqual(await scrape(), { store_writable: 1, ready: 1 });
  isFull = true;
  assert.deepEqual(await scrape(), { store_writable: 0, ready: 0 });
  isFull = false;
  isStopping = true;
  assert.deepEqual(await scrape(), { store_writable: 1, ready: 0 });
  assert.equal((await fetch(`${origin}/readyz`)).status, 503);
});
