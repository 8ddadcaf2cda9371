import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createLog } from '../lib/log.ts';
import { createLimiter, LIMIT } from './limit.ts';
import {
  bracketed,
  dependenciesWith,
  fakeLookup,
  getRequest,
  HELD,
  openSocket,
  rawGet,
  sendRaw,
  serving,
} from './testing.ts';

const decode = 'POST /api/v1/decode HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';

test(
  'a body of tiny chunks closes the connection, whether it is read or not, and the next ones work',
  { skip: process.env.NODE_INTERNALS === 'off' && 'without Node’s internals there is no such limit' },
  async () => {
    await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
      const chunks = `Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(210)}0\r\n\r\n`;
      assert.equal(await sendRaw(port, decode + chunks), '');
      const healthz = 'GET /healthz HTTP/1.1\r\nHost: x\r\n';
      const [response = '', ...more] = (await sendRaw(port, healthz + chunks + getRequest('/healthz'))).split(
        /(?=HTTP)/,
      );
      assert.match(response, /^HTTP\/1\.1 200 /);
      assert.deepEqual(more, []);
      // Node reuses the parsers of closed connections.
      const body = JSON.stringify({ vins: [HELD] });
      const pieces = [...body].map((character) => `1\r\n${character}\r\n`).join('');
      for (let n = 0; n < 4; n++) {
        const small = await sendRaw(port, `${decode}Transfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`);
        assert.match(small, /^HTTP\/1\.1 200 .*"F-150"/s);
      }
    });
  },
);

test('bytes of a body that arrive when Node has let go of its request are dropped', async () => {
  let hasEnded = () => {};
  const fallback = (req: IncomingMessage, res: ServerResponse) => {
    // As Node does after the response to a request that seemed to have no body.
    hasEnded = () => ((req.socket as Socket & { parser: { incoming: unknown } }).parser.incoming = null);
    res.end('[[page]]');
  };
  const use = async (_: string, port: number) => {
    const client = await openSocket(port);
    client.write('GET /page HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await bracketed(client, 1);
    hasEnded();
    client.write(`1\r\na\r\n0\r\n\r\n${getRequest('/page')}`);
    assert.deepEqual(await bracketed(client, 1), ['page']);
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
});

test(
  'a body of more than 4 MB that nobody reads closes the connection, and a smaller one does not',
  { skip: process.env.NODE_INTERNALS === 'off' && 'without Node’s internals there is no such limit' },
  async () => {
    await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
      const withBody = (bytes: number) =>
        `GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n${' '.repeat(bytes)}`;
      const responses = async (bytes: number) =>
        (await sendRaw(port, withBody(bytes) + getRequest('/healthz'))).match(/HTTP\/1\.1 200 /g)!.length;
      assert.equal(await responses(1_000_000), 2);
      // The connection is reset, because the rest isn't read.
      await assert.rejects(responses(20_000_000), { code: /^(ECONNRESET|EPIPE)$/ });
      assert.equal(await responses(1_000_000), 2);
    });
  },
);

test(
  'large bodies take turns: whoever sends them, little is read in one turn, and all are answered',
  { skip: process.env.NODE_INTERNALS === 'off' && 'without Node’s internals there is no such limit' },
  async () => {
    const sockets = new Set<Socket>();
    const fallback = async (req: IncomingMessage, res: ServerResponse) => {
      sockets.add(req.socket);
      // Half of the bodies are read, half are dropped.
      if (req.url === '/read') await text(req);
      res.end('[[page]]');
    };
    await serving(
      dependenciesWith(fakeLookup().lookup),
      async (_, port) => {
        const bytes = 2_000_000;
        const clients = await Promise.all(Array.from({ length: 20 }, () => openSocket(port)));
        let before = 0;
        let most = 0;
        let isOver = false;
        const watch = () => {
          const now = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
          most = Math.max(most, now - before);
          before = now;
          if (!isOver) setImmediate(watch);
        };
        watch();
        const responses = clients.map((client, n) => {
          const head = `POST ${n % 2 ? '/read' : '/dropped'} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`;
          client.write(head + ' '.repeat(bytes) + getRequest('/next'));
          return bracketed(client, 2);
        });
        for (const response of await Promise.all(responses)) assert.deepEqual(response, ['page', 'page']);
        isOver = true;
        assert.ok(before > 20 * bytes);
        // Each of twenty connections may have had a first read of 64 KB in the same turn.
        assert.ok(most < 2_000_000, `${most} bytes in one turn`);
      },
      { fallback },
    );
  },
);

test('a large body that had arrived before it was read does not stop its connection', async () => {
  const fallback = async (req: IncomingMessage, res: ServerResponse) => {
    if (req.method === 'POST') await wait(100);
    if (req.url === '/read') await text(req);
    res.end('[[page]]');
  };
  const use = async (_: string, port: number) => {
    const clients = await Promise.all(Array.from({ length: 12 }, () => openSocket(port)));
    // The server accepts one connection per turn of the event loop. Now all bodies arrive in one.
    for (const client of clients) client.write(rawGet('/accepted'));
    await Promise.all(clients.map((client) => bracketed(client, 1)));
    const responses = clients.map(async (client, n) => {
      // More than Node's buffer of 64 KB. With the third of them, there are 256 KB in this turn.
      const body = `Content-Length: 90000\r\n\r\n${' '.repeat(90_000)}`;
      client.write(`POST ${n % 2 ? '/read' : '/dropped'} HTTP/1.1\r\nHost: x\r\n${body}`);
      const first = await bracketed(client, 1);
      client.write(getRequest('/next'));
      return [first, await bracketed(client, 1)];
    });
    for (const both of await Promise.all(responses)) assert.deepEqual(both, [['page'], ['page']]);
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
});

test('a response of small chunks to a request of our own arrives complete, with a parser that a client used', async () => {
  const source = createServer((socket) => {
    const body = `${'5\r\nlabel\r\n'.repeat(2000)}0\r\n\r\n`;
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`));
  });
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    await sendRaw(port, getRequest('/healthz'));
    const { port: sourcePort } = source.address() as AddressInfo;
    const [response] = (await once(httpGet({ port: sourcePort, host: '127.0.0.1' }), 'response')) as [
      Readable,
    ];
    assert.equal(await text(response), 'label'.repeat(2000));
  });
  source.close();
});

test('clients that never complete their bodies share 32 MB: the slowest are disconnected, others are served', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const body = JSON.stringify({ vins: [HELD] });
    const sockets: Socket[] = [];
    for (let n = 0; n < 600; n++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket.resume());
      socket.write(`${decode}Content-Length: 65536\r\n\r\n${' '.repeat(65_000)}`);
      if (n % 50 === 0) await once(socket, 'connect');
    }
    for (let n = 0; n < 400 && !sockets[0]!.destroyed; n++) await wait(5);
    assert.ok(sockets[0]!.destroyed);
    assert.ok(!sockets[599]!.destroyed);
    const response = await sendRaw(port, `${decode}Content-Length: ${body.length}\r\n\r\n${body}`);
    assert.match(response, /^HTTP\/1\.1 200 .*"F-150"/s);
    for (const socket of sockets) socket.destroy();
  });
});

test('a client that leaves while the rate limit is being checked is logged', async () => {
  const lines: string[] = [];
  const log = createLog('info', (text) => void lines.push(text));
  const local = createLimiter(() => performance.now());
  // As when instances share their limit.
  const limiter = { policy: LIMIT, take: (ip: string) => wait(100, local.take(ip)) };
  await serving(dependenciesWith(fakeLookup().lookup, { log, limiter }), async (_, port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${decode}Content-Length: 100\r\n\r\n{"vins"`);
    await wait(50);
    socket.destroy();
    for (let n = 0; n < 40 && lines.length === 0; n++) {
      await wait(25);
      log.flush();
    }
  });
  assert.match(lines.join(''), /"route":"\/api\/v1\/decode","status":499/);
});
