import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createHttpServer } from './server.ts';
import { bracketed, dependenciesWith, fakeLookup, openSocket, rawGet, serving } from './testing.ts';

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
    const from = (client: string) => rawGet('/page').replace('\r\n\r\n', `\r\nX-Client: ${client}\r\n\r\n`);
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openSocket(port)));
    const other = await openSocket(port);
    // The server accepts one connection per turn of the event loop. Now all requests arrive in one.
    for (const socket of [...sockets, other]) socket.write(rawGet('/accepted'));
    await Promise.all([...sockets, other].map((socket) => bracketed(socket, 1)));
    sockets.forEach((socket, n) => socket.write(from(`attacker ${n % 4}`)));
    other.write(from('other'));
    const health = fetch(`${origin}/healthz`).then(({ status }) => [status, started.length] as const);
    assert.deepEqual(await bracketed(other, 1), ['page']);
    assert.ok(started.indexOf('other') < 100, `served as number ${started.indexOf('other')}`);
    const [status, before] = await health;
    assert.equal(status, 200);
    assert.ok(before < 150, `${before} pages came before the health check`);
    await Promise.all(sockets.map((socket) => bracketed(socket, 1)));
    assert.equal(started.length, 201);
    for (const socket of [...sockets, other]) socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback, clientIpOf });
});

test('a health check that arrives late in a turn does not wait for a hundred other clients', async () => {
  let started = 0;
  const clientIpOf = (_: unknown, headers: IncomingHttpHeaders) => String(headers['x-client']);
  const fallback = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/page') work(started++ === 0 ? 30 : 2);
    res.end('[[page]]');
  };
  const use = async (_: string, port: number) => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(port)));
    const other = await openSocket(port);
    for (const socket of [...sockets, other]) socket.write(rawGet('/accepted'));
    await Promise.all([...sockets, other].map((socket) => bracketed(socket, 1)));
    sockets.forEach((socket, n) =>
      socket.write(rawGet('/page').replace('\r\n\r\n', `\r\nX-Client: ${n}\r\n\r\n`)),
    );
    other.write(rawGet('/healthz'));
    const [chunk] = (await once(other, 'data')) as [Buffer];
    assert.match(chunk.toString(), /^HTTP\/1\.1 200 /);
    assert.ok(started < 50, `${started} pages came before the health check`);
    await Promise.all(sockets.map((socket) => bracketed(socket, 1)));
    assert.equal(started, 100);
    for (const socket of [...sockets, other]) socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback, clientIpOf });
});

test('a health check does not wait for those that another client sends on many connections', async () => {
  let pages = 0;
  const clientIpOf = (_: unknown, headers: IncomingHttpHeaders) => String(headers['x-client']);
  const fallback = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/page') work(pages++ === 0 ? 30 : 2);
    res.end('[[page]]');
  };
  const use = async (_: string, port: number) => {
    const sockets = await Promise.all(Array.from({ length: 121 }, () => openSocket(port)));
    for (const socket of sockets) socket.write(rawGet('/accepted'));
    await Promise.all(sockets.map((socket) => bracketed(socket, 1)));
    const other = sockets.pop()!;
    const from = (path: string, client: string | number) =>
      rawGet(path).replace('\r\n\r\n', `\r\nX-Client: ${client}\r\n\r\n`);
    sockets.slice(60).forEach((socket, n) => socket.write(from('/page', n)));
    for (const socket of sockets.slice(0, 60)) socket.write(from('/healthz', 'attacker'));
    other.write(from('/healthz', 'load balancer'));
    await once(other, 'data');
    assert.ok(pages < 30, `${pages} pages came before the health check`);
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
      rawGet(path).replace('\r\n\r\n', `\r\nX-Client: ${client}\r\n\r\n`);
    const sockets = await Promise.all(Array.from({ length: 60 }, () => openSocket(port)));
    const eager = await openSocket(port);
    for (const socket of [...sockets, eager]) socket.write(rawGet('/accepted'));
    await Promise.all([...sockets, eager].map((socket) => bracketed(socket, 1)));
    eager.on('data', () => eager.write(from('eager', '/eager')));
    eager.write(from('eager', '/eager'));
    sockets.forEach((socket, n) => socket.write(from(`patient ${n}`)));
    await Promise.all(sockets.map((socket) => bracketed(socket, 1)));
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
  const sockets = await Promise.all(Array.from({ length: 61 }, () => openSocket(port)));
  for (const socket of sockets) socket.write(rawGet('/accepted'));
  await Promise.all(sockets.map((socket) => bracketed(socket, 1)));
  const other = sockets.pop()!;
  for (const socket of sockets) socket.write(rawGet('/healthz'));
  other.write(rawGet('/page').replace('\r\n\r\n', '\r\nX-Client: other\r\n\r\n'));
  await Promise.all([...sockets, other].map((socket) => bracketed(socket, 1)));
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
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(port)));
    const answered = sockets.map((socket) => bracketed(socket, 20));
    for (const socket of sockets) socket.write(rawGet('/page').repeat(20));
    await firstTwenty.promise;
    const others = Array.from({ length: 40 }, () => openSocket(port));
    const before = started;
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    assert.ok(started - before < 80, `${started - before} pages came before the health check`);
    await Promise.all(answered);
    for (const socket of [...sockets, ...(await Promise.all(others))]) socket.destroy();
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { fallback });
});
