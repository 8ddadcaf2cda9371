import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createHttpServer } from './server.ts';
import { countingLimiter, HELD, dependenciesWith, fakeLookup, serving } from './testing.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Reads until `count` bodies of the form `[[…]]` have arrived, or the connection is closed. */
async function bodies(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  let found: string[] = [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    found = [...text.matchAll(/\[\[(.*?)\]\]/g)].map(([, body]) => body!);
    if (found.length >= count) break;
  }
  return found;
}

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
  assert.equal(await startedOf(get('/page')), 8);
  // These start only when the response before them has ended.
  const expecting = get('/page').replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n');
  assert.equal(await startedOf(expecting), 1);
});

/** How many requests start if a client pipelines 8 MB of this one. */
async function startedOf(line: string): Promise<number> {
  const page = slowPage();
  const use = async (origin: string, port: number) => {
    const before = process.memoryUsage().rss;
    // In batches of two hundred requests, so that one read doesn't exceed what may wait.
    const socket = await open(port);
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
    const socket = await open(port);
    const paths = numbered(300);
    socket.write(paths.map(get).join(''));
    const responding = setInterval(page.respondToAll, 1);
    try {
      assert.deepEqual(await bodies(socket, 300), paths);
      assert.ok(page.maxInProgress <= 8, `${page.maxInProgress} at once`);
      socket.write(get('/again'));
      assert.deepEqual(await bodies(socket, 1), ['/again']);
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
    const socket = await open(port);
    const post = (bytes: number) =>
      `POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n${'b'.repeat(bytes)}`;
    const sizes = [0, 1, 0, 300_000, 2, 40_000, 0, 5, 6, 7, 8, 9, 300_000, 0];
    socket.write(sizes.map(post).join(''));
    assert.deepEqual(await bodies(socket, sizes.length), sizes.map(String));
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
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(port)));
    const answered = sockets.map((socket) => bodies(socket, 50));
    for (const socket of sockets) socket.write(get('/page').repeat(50));
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
    const sockets = await Promise.all(Array.from({ length: 50 }, () => open(port)));
    const closed = sockets.map((socket) => once(socket.resume(), 'close'));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2600));
    await Promise.all(closed);
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    const socket = await open(port);
    const responding = setInterval(page.respondToAll, 1);
    socket.write(numbered(20).map(get).join(''));
    assert.deepEqual(await bodies(socket, 20), numbered(20));
    clearInterval(responding);
    socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback: page.fallback });
});

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
      const socket = await open(port);
      socket.write(numbered(4).map(get).join(''));
      await allStarted.promise;
      socket.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n');
      await Promise.all(closed);
    };
    await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
  },
);

test('pipelined requests are rate limited like any others', async () => {
  const use = async (_: string, port: number) => {
    const socket = await open(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    const last = get(`/api/v1/vin/${HELD}`).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    socket.write(get(`/api/v1/vin/${HELD}`).repeat(11) + last);
    await once(socket, 'close');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    assert.deepEqual(statuses, [...Array<string>(10).fill('200'), '429', '429']);
  };
  await serving(dependenciesWith(fakeLookup().lookup, { limiter: countingLimiter() }), use);
});

/** Blocks the event loop, as rendering a page does. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('single requests of two hundred connections take turns: another client is served among the first', async () => {
  const started: string[] = [];
  const clientIpOf = (_: unknown, headers: IncomingHttpHeaders) => String(headers['x-client']);
  const fallback = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/page') started.push(String(req.headers['x-client']));
    if (req.url === '/page') work(2);
    res.end('[[page]]');
  };
  const use = async (origin: string, port: number) => {
    const from = (client: string) => get('/page').replace('\r\n\r\n', `\r\nX-Client: ${client}\r\n\r\n`);
    const sockets = await Promise.all(Array.from({ length: 200 }, () => open(port)));
    const other = await open(port);
    // The server accepts one connection per turn of the event loop. Now all requests arrive in one.
    for (const socket of [...sockets, other]) socket.write(get('/accepted'));
    await Promise.all([...sockets, other].map((socket) => bodies(socket, 1)));
    sockets.forEach((socket, n) => socket.write(from(`attacker ${n % 4}`)));
    other.write(from('other'));
    const health = fetch(`${origin}/healthz`).then(({ status }) => [status, started.length] as const);
    assert.deepEqual(await bodies(other, 1), ['page']);
    assert.ok(started.indexOf('other') < 100, `served as number ${started.indexOf('other')}`);
    const [status, before] = await health;
    assert.equal(status, 200);
    assert.ok(before < 150, `${before} pages came before the health check`);
    await Promise.all(sockets.map((socket) => bodies(socket, 1)));
    assert.equal(started.length, 201);
    for (const socket of [...sockets, other]) socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback, clientIpOf });
});

test('a client with one request after another does not overtake those that have waited', async () => {
  let [waited, overtaken] = [0, 0];
  const clientIpOf = (_: unknown, headers: IncomingHttpHeaders) => String(headers['x-client']);
  const fallback = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/eager' && waited < 60) overtaken++;
    if (req.url === '/page') waited++;
    if (req.url !== '/accepted') work(5);
    res.end('[[page]]');
  };
  const use = async (_: string, port: number) => {
    const from = (client: string, path = '/page') =>
      get(path).replace('\r\n\r\n', `\r\nX-Client: ${client}\r\n\r\n`);
    const sockets = await Promise.all(Array.from({ length: 60 }, () => open(port)));
    const eager = await open(port);
    for (const socket of [...sockets, eager]) socket.write(get('/accepted'));
    await Promise.all([...sockets, eager].map((socket) => bodies(socket, 1)));
    eager.on('data', () => eager.write(from('eager', '/eager')));
    eager.write(from('eager', '/eager'));
    sockets.forEach((socket, n) => socket.write(from(`patient ${n}`)));
    await Promise.all(sockets.map((socket) => bodies(socket, 1)));
    assert.ok(overtaken < 15, `overtaken ${overtaken} times`);
    for (const socket of [...sockets, eager]) socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback, clientIpOf });
});

test('a burst of health checks does not come before all other requests', async () => {
  const started: string[] = [];
  const clientIpOf = (_: unknown, headers: IncomingHttpHeaders) => String(headers['x-client']);
  const listener = ({ url }: IncomingMessage, res: ServerResponse) => {
    if (url !== '/accepted') started.push(url!);
    if (url !== '/accepted') work(5);
    res.end('[[ok]]');
  };
  const server = createHttpServer(listener, 'http://localhost', {}, undefined, clientIpOf);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = await Promise.all(Array.from({ length: 61 }, () => open(port)));
  for (const socket of sockets) socket.write(get('/accepted'));
  await Promise.all(sockets.map((socket) => bodies(socket, 1)));
  const other = sockets.pop()!;
  for (const socket of sockets) socket.write(get('/healthz'));
  other.write(get('/page').replace('\r\n\r\n', '\r\nX-Client: other\r\n\r\n'));
  await Promise.all([...sockets, other].map((socket) => bodies(socket, 1)));
  assert.ok(started.indexOf('/page') < 40, `served as number ${started.indexOf('/page')}`);
  server.closeAllConnections();
  server.close();
});

test('new connections come before requests that wait, because each turn accepts only one', async () => {
  let started = 0;
  const firstTwenty = Promise.withResolvers<void>();
  const fallback = (_: IncomingMessage, res: ServerResponse) => {
    if (++started === 20) firstTwenty.resolve();
    work(2);
    res.end('[[page]]');
  };
  const use = async (origin: string, port: number) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(port)));
    const answered = sockets.map((socket) => bodies(socket, 20));
    for (const socket of sockets) socket.write(get('/page').repeat(20));
    await firstTwenty.promise;
    const others = Array.from({ length: 40 }, () => open(port));
    const before = started;
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    assert.ok(started - before < 80, `${started - before} pages came before the health check`);
    await Promise.all(answered);
    for (const socket of [...sockets, ...(await Promise.all(others))]) socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
});

test('100 Continue comes before its own response, never inside it', { timeout: 20_000 }, async () => {
  const fallback = async (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/slow') await new Promise((resolve) => setTimeout(resolve, 50));
    if (req.method === 'POST') for await (const chunk of req) assert.ok(chunk);
    res.end(Buffer.from(`[[${req.url}]]`));
  };
  const use = async (_: string, port: number) => {
    const expecting = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n`;
    const socket = await open(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    // The second response could be ready before the first. The third needs a body, which the client sends when it is invited.
    socket.write(
      `${get('/slow')}${expecting('GET /ready')}\r\n${expecting('POST /body')}Content-Length: 4\r\n\r\n`,
    );
    while (!/\/ready.*100 Continue/s.test(text)) await once(socket, 'data');
    socket.write(`body${get('/last').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`);
    await once(socket, 'close');
    const parts = [...text.matchAll(/HTTP\/1\.1 (\d+)|\[\[(.*?)\]\]/g)].map(
      ([, status, body]) => status ?? body,
    );
    assert.deepEqual(parts, ['200', '/slow', '100', '200', '/ready', '100', '200', '/body', '200', '/last']);
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
});
