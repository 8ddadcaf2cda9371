import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createHttpServer } from './server.ts';
import {
  bracketed,
  countingLimiter,
  dependenciesWith,
  fakeLookup,
  HELD,
  openSocket,
  rawGet,
  serving,
} from './testing.ts';

/** Responds when `respondToAll` is called, and counts requests in progress. */
function slowPage() {
  const pending: (() => void)[] = [];
  let inProgress = 0;
  const page = {
    maxInProgress: 0,
    started: 0,
    fallback: (req: IncomingMessage, res: ServerResponse) => {
      page.started++;
      page.maxInProgress = Math.max(page.maxInProgress, ++inProgress);
      pending.push(() => {
        inProgress--;
        res.end(`[[${req.url}]]`);
      });
    },
    respondToAll: () => {
      for (const respond of pending.splice(0)) respond();
    },
  };
  return page;
}

const numbered = (count: number) => Array.from({ length: count }, (_, nth) => `/page/${nth}`);

test('a client that pipelines 8 MB and reads nothing has eight requests in progress, in bounded memory', async () => {
  assert.equal(await startedOf(rawGet('/page')), 8);
  // These start only when the response before them has ended.
  const expecting = rawGet('/page').replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n');
  assert.equal(await startedOf(expecting), 1);
});

/** How many requests start if a client pipelines 8 MB of this one. */
async function startedOf(line: string): Promise<number> {
  const page = slowPage();
  const use = async (origin: string, port: number) => {
    const before = process.memoryUsage().rss;
    // In batches of two hundred requests, so that one read doesn't exceed what may wait.
    const socket = await openSocket(port);
    socket.pause();
    for (let sent = 0; sent < 8e6; sent += 200 * line.length) {
      socket.write(line.repeat(200));
      if (sent % 1e6 < 200 * line.length) assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    }
    for (let n = 0; n < 20; n++) assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    assert.ok(process.memoryUsage().rss - before < 200e6);
    socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback: page.fallback });
  return page.started;
}

test('pipelined requests are answered in order, eight at a time, and the connection stays usable', async () => {
  const page = slowPage();
  const use = async (origin: string, port: number) => {
    const socket = await openSocket(port);
    const paths = numbered(300);
    socket.write(paths.map(rawGet).join(''));
    const responding = setInterval(page.respondToAll, 1);
    try {
      assert.deepEqual(await bracketed(socket, 300), paths);
      assert.ok(page.maxInProgress <= 8, `${page.maxInProgress} at once`);
      socket.write(rawGet('/again'));
      assert.deepEqual(await bracketed(socket, 1), ['/again']);
    } finally {
      clearInterval(responding);
    }
    socket.destroy();
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback: page.fallback });
});

test('a pipelined body arrives complete, though reading paused in between', async () => {
  const fallback = async (req: IncomingMessage, res: ServerResponse) => {
    let bytes = 0;
    for await (const chunk of req) bytes += (chunk as Buffer).length;
    res.end(`[[${bytes}]]`);
  };
  const use = async (_: string, port: number) => {
    const socket = await openSocket(port);
    const post = (bytes: number) =>
      `POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n${'b'.repeat(bytes)}`;
    const sizes = [0, 1, 0, 300_000, 2, 40_000, 0, 5, 6, 7, 8, 9, 300_000, 0];
    socket.write(sizes.map(post).join(''));
    assert.deepEqual(await bracketed(socket, sizes.length), sizes.map(String));
    socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
});

test('another client gets its response before twenty connections got all their pipelined pages', async () => {
  let pages = 0;
  const fallback = (_: IncomingMessage, res: ServerResponse) => {
    pages++;
    // A page costs about a millisecond.
    for (const end = performance.now() + 1; performance.now() < end;);
    res.end('[[page]]');
  };
  const use = async (origin: string, port: number) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(port)));
    const answered = sockets.map((socket) => bracketed(socket, 50));
    for (const socket of sockets) socket.write(rawGet('/page').repeat(50));
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    assert.ok(pages < 500, `${pages} of 1000 pages came first`);
    for (const responses of await Promise.all(answered)) assert.equal(responses.length, 50);
    for (const socket of sockets) socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
});

test('a read with more requests than may wait closes only its own connection', async () => {
  const page = slowPage();
  const use = async (origin: string, port: number) => {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(port)));
    const closed = sockets.map((socket) => once(socket.resume(), 'close'));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2600));
    await Promise.all(closed);
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    const socket = await openSocket(port);
    const responding = setInterval(page.respondToAll, 1);
    socket.write(numbered(20).map(rawGet).join(''));
    assert.deepEqual(await bracketed(socket, 20), numbered(20));
    clearInterval(responding);
    socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback: page.fallback });
});

test(
  'requests behind a body that closes the connection are not parsed',
  { skip: process.env.NODE_INTERNALS === 'off' && 'without Node’s internals, nothing stops the parser' },
  async () => {
    const server = createHttpServer((_, res) => res.end(), 'http://localhost');
    let parsed = 0;
    server.on('request', () => void parsed++);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = await openSocket((server.address() as AddressInfo).port);
    const tinyChunks = `Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(1100)}0\r\n\r\n`;
    const closed = once(socket.resume(), 'close');
    socket.write(
      `GET / HTTP/1.1\r\nHost: x\r\n${tinyChunks}${'GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2000)}`,
    );
    await closed;
    assert.ok(parsed < 10, `${parsed} requests`);
    server.close();
  },
);

test(
  'CONNECT behind requests in progress closes the connection, and each response emits close',
  { timeout: 10_000 },
  async () => {
    const allStarted = Promise.withResolvers<void>();
    const closed: Promise<unknown>[] = [];
    const fallback = (_: IncomingMessage, res: ServerResponse) => {
      if (closed.push(once(res, 'close')) === 4) allStarted.resolve();
    };
    const use = async (_: string, port: number) => {
      const socket = await openSocket(port);
      socket.write(numbered(4).map(rawGet).join(''));
      await allStarted.promise;
      socket.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n');
      await Promise.all(closed);
    };
    await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
  },
);

test('pipelined requests are rate limited like any others', async () => {
  const use = async (_: string, port: number) => {
    const socket = await openSocket(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    const last = rawGet(`/api/v1/vin/${HELD}`).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    socket.write(rawGet(`/api/v1/vin/${HELD}`).repeat(11) + last);
    await once(socket, 'close');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    assert.deepEqual(statuses, [...Array<string>(10).fill('200'), '429', '429']);
  };
  await serving(dependenciesWith(fakeLookup().lookup, { limiter: countingLimiter() }), use);
});

test('100 Continue comes before its own response, never inside it', { timeout: 20_000 }, async () => {
  const fallback = async (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/slow') await new Promise((resolve) => setTimeout(resolve, 50));
    if (req.method === 'POST') for await (const chunk of req) assert.ok(chunk);
    res.end(Buffer.from(`[[${req.url}]]`));
  };
  const use = async (_: string, port: number) => {
    const expecting = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n`;
    const socket = await openSocket(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    // The second response could be ready before the first. The third needs a body, which the client sends when it is invited.
    socket.write(
      `${rawGet('/slow')}${expecting('GET /ready')}\r\n${expecting('POST /body')}Content-Length: 4\r\n\r\n`,
    );
    while (!/\/ready.*100 Continue/s.test(text)) await once(socket, 'data');
    socket.write(`body${rawGet('/last').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);
    await once(socket, 'close');
    const parts = [...text.matchAll(/HTTP\/1\.1 (\d+)|\[\[(.*?)\]\]/g)].map(
      ([, status, body]) => status ?? body,
    );
    assert.deepEqual(parts, ['200', '/slow', '100', '200', '/ready', '100', '200', '/body', '200', '/last']);
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
});
