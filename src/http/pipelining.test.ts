// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { fakeTime } from '../../test/fake-time.ts';
import {
  bracketed,
  closed,
  dependenciesWith,
  fakeLookup,
  notOnLinux as skip,
  openFrom,
  openSocket,
  rawGet,
  serving,
} from './testing.ts';

/** Responds when `respond` is called, and counts requests in progress. */
function slowPage() {
  const pending: (() => void)[] = [];
  const waiting: { count: number; resolve(): void }[] = [];
  const slow = {
    started: 0,
    page: (request: FastifyRequest) =>
      new Promise<{ status: number; headers: object; body: string }>((resolve) => {
        slow.started++;
        const body = `[[${request.path}]]`;
        pending.push(() => resolve({ status: 200, headers: {}, body }));
        for (const one of waiting) if (slow.started >= one.count) one.resolve();
      }) as Promise<never>,
    inProgress: () => pending.length,
    respond: (count: number) => pending.splice(0, count).forEach((send) => send()),
    /** Resolves when this many requests have started in total. */
    starts: (count: number) =>
      new Promise<void>((resolve) => {
        if (slow.started >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
  return slow;
}

const numbered = (count: number) => Array.from({ length: count }, (_, nth) => `/page/${nth}`);

test('a connection with eight requests in progress is not read, and goes on when one has ended', async () => {
  const slow = slowPage();
  const use = async (origin: string, port: number) => {
    const socket = await openSocket(port);
    const paths = numbered(20);
    // One at a time, because Node parses a complete read at once.
    for (const path of paths.slice(0, 8)) {
      const started = slow.starts(slow.started + 1);
      socket.write(rawGet(path));
      await started;
    }
    for (const path of paths.slice(8)) socket.write(rawGet(path));
    for (let n = 0; n < 5; n++) assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    assert.equal(slow.started, 8);
    const received = bracketed(socket, 20);
    for (let n = 0; n < 20; n++) {
      await slow.starts(n + 1);
      slow.respond(1);
    }
    assert.deepEqual(await received, paths);
    socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { page: slow.page });
});

/** Sends this many requests at once, in one read. */
const burst = (count: number) => numbered(count).map(rawGet).join('');

/** Whether a new connection is served rather than closed. */
async function getsResponse(localAddress: string, port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  socket.end(rawGet('/healthz'));
  await closed(socket.resume());
  return socket.bytesRead > 0;
}

test(
  'a peer that sends more than 32 requests at once loses all its connections, and gets no other for 10 seconds',
  { skip },
  async (t) => {
    const time = fakeTime(t);
    const slow = slowPage();
    const use = async (_: string, port: number) => {
      const idle = await openFrom('127.0.0.2', port);
      const other = await openFrom('127.0.0.3', port);
      const flooding = await openFrom('127.0.0.2', port);
      flooding.write(burst(100));
      await Promise.all([idle, flooding].map(closed));
      assert.equal(slow.started, 32, 'the rest of the read is not served');
      assert.equal(await getsResponse('127.0.0.2', port), false);
      time.pass(9_999);
      assert.equal(await getsResponse('127.0.0.2', port), false);
      other.write(rawGet('/healthz'));
      await once(other, 'data');
      assert.equal(await getsResponse('127.0.0.3', port), true);
      // Being refused doesn't extend it.
      time.pass(2);
      assert.equal(await getsResponse('127.0.0.2', port), true);
    };
    await serving(dependenciesWith(fakeLookup().lookup), use, { page: slow.page });
  },
);

/** Responds with the path. */
const echo = ({ path }: FastifyRequest) => ({ status: 200, headers: {}, body: `[[${path}]]` });

test('32 requests at once are served, again and again', async () => {
  const use = async (_: string, port: number) => {
    const socket = await openSocket(port);
    for (let n = 0; n < 3; n++) {
      socket.write(burst(32));
      assert.deepEqual(await bracketed(socket, 32), numbered(32));
    }
    socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { page: echo });
});

test('a trusted proxy may send more than 32 requests at once', async () => {
  const use = async (_: string, port: number) => {
    const socket = await openSocket(port);
    socket.write(burst(100));
    assert.deepEqual(await bracketed(socket, 100), numbered(100));
    socket.destroy();
  };
  const dependencies = dependenciesWith(fakeLookup().lookup, { trustedProxies: ['127.0.0.0/8'] });
  await serving(dependencies, use, { page: echo });
});

test(
  'as many refused peers are remembered as there is room for, the oldest of them are not',
  { skip },
  async () => {
    const use = async (_: string, port: number) => {
      const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
      for (const address of addresses) {
        const flooding = await openFrom(address, port);
        flooding.write(burst(33));
        await closed(flooding);
      }
      const responds: boolean[] = [];
      for (const address of addresses) responds.push(await getsResponse(address, port));
      assert.deepEqual(responds, [true, false, false]);
    };
    await serving(dependenciesWith(fakeLookup().lookup), use, { limits: { refusedPeers: 2 } });
  },
);

test('from a trusted proxy, a read with more than a thousand requests closes its own connection alone', async () => {
  const slow = slowPage();
  const use = async (origin: string, port: number) => {
    const other = await openSocket(port);
    const socket = await openSocket(port);
    const gone = once(socket.resume(), 'close');
    socket.write('GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2600));
    await gone;
    assert.ok(slow.started <= 1000, `${slow.started} started`);
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    const before = slow.started;
    other.write(rawGet('/other'));
    await slow.starts(before + 1);
    slow.respond(slow.inProgress());
    assert.deepEqual(await bracketed(other, 1), ['/other']);
    other.destroy();
  };
  const dependencies = dependenciesWith(fakeLookup().lookup, { trustedProxies: ['127.0.0.1'] });
  await serving(dependencies, use, { page: slow.page });
});

test('a pipelined body arrives complete, though reading paused in between', async () => {
  const page = ({ body }: FastifyRequest) => ({
    status: 200,
    headers: {},
    body: `[[${((body as string | undefined) ?? '').length}]]`,
  });
  const use = async (_: string, port: number) => {
    const socket = await openSocket(port);
    const post = (bytes: number) =>
      `POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n${'b'.repeat(bytes)}`;
    const sizes = [0, 1, 0, 60_000, 2, 40_000, 0, 5, 6, 7, 8, 9, 60_000, 0];
    socket.write(sizes.map(post).join(''));
    assert.deepEqual(await bracketed(socket, sizes.length), sizes.map(String));
    socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { page });
});

test('a client that waits for 100 Continue gets it, and never inside a response', async () => {
  const page = async ({ path, body }: FastifyRequest) => ({
    status: 200,
    headers: {},
    body: Buffer.from(`[[${path} ${(body as string | undefined) ?? ''}]]`),
  });
  const use = async (_: string, port: number) => {
    const expecting = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n`;
    const socket = await openSocket(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.write(expecting('/first'));
    while (!text.includes('100 Continue')) await once(socket, 'data');
    // Behind another request there is none, and Node closes the connection after the response.
    socket.write(`body${rawGet('/second')}${expecting('/third')}more`);
    await once(socket, 'close');
    const parts = [...text.matchAll(/HTTP\/1\.1 (\d+)|\[\[(.*?)\]\]/g)].map(
      ([, status, body]) => status ?? body!.trim(),
    );
    assert.deepEqual(parts, ['100', '200', '/first body', '200', '/second', '200', '/third more']);
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { page });
});
