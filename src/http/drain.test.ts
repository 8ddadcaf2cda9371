// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { fakeTime } from '../../test/fake-time.ts';
import { appWith, bareApp, dependenciesWith, fakeLookup, rawGet, turn } from './testing.ts';

/** A service that stops while clients have connections to it. */

/** More than the operating system takes from the server before the client reads. */
const LARGE = `${'.'.repeat(30_000_000)}a page`;

/** `/page` is answered at once, `/slow` when the test says so. */
async function setUp(t: TestContext) {
  const time = fakeTime(t);
  const app = bareApp('http://labels.example');
  const slow = Promise.withResolvers<void>();
  const slowStarted = Promise.withResolvers<void>();
  const answer = { status: 200, headers: {}, body: 'a page' };
  app.serve({ template: '/page', limit: 'none', handle: () => answer });
  app.serve({ template: '/large', limit: 'none', handle: () => ({ ...answer, body: LARGE }) });
  app.serve({
    template: '/slow',
    limit: 'none',
    async handle() {
      slowStarted.resolve();
      await slow.promise;
      return answer;
    },
  });
  await app.ready();
  app.server.listen(0, '127.0.0.1');
  await once(app.server, 'listening');
  const { port } = app.server.address() as { port: number };
  t.after(() => app.server.closeAllConnections());
  const open = async () => {
    const client = new Client(connect(port, '127.0.0.1'));
    await once(client.socket, 'connect');
    return client;
  };
  return { app, time, open, finishSlow: slow.resolve, slowStarted: slowStarted.promise };
}

/** A client that keeps its connection open, and collects what it receives. */
class Client {
  received = '';
  readonly socket: Socket;
  readonly ended: Promise<void>;
  constructor(socket: Socket) {
    this.socket = socket;
    this.ended = new Promise((resolve, reject) => {
      socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
      socket.once('end', () => resolve());
      socket.once('error', reject);
    });
    this.ended.catch(() => {});
  }
  /** Resolves when the operating system has all of it: on this machine, the server can read it from then on. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => this.socket.write(text, () => resolve()));
  }
  async get(path: string): Promise<string> {
    this.received = '';
    await this.send(rawGet(path));
    while (!this.received.includes('a page')) await once(this.socket, 'data');
    return this.received;
  }
}

test('a stopping service answers idle connections and new ones, and says that it closes them', async (t) => {
  const { app, open } = await setUp(t);
  const early = await open();
  assert.doesNotMatch(await early.get('/page'), /^connection: close/im);
  const ended = app.drain.run();
  const late = await open();
  for (const client of [early, late]) {
    assert.match(await client.get('/page'), /^HTTP\/1\.1 200 [\s\S]*^connection: close/im);
    await client.ended;
  }
  await ended;
});

test('a request that was sent before the connections are closed gets its response', async (t) => {
  const { app, open, time } = await setUp(t);
  const [silent, used, partial] = [await open(), await open(), await open()];
  await used.get('/page');
  const ended = app.drain.run();
  for (const client of [silent, used]) client.received = '';
  await Promise.all([silent.send(rawGet('/page')), used.send(rawGet('/page'))]);
  await partial.send('GET /page HTTP/1.1\r\nHost: ');
  // Before the server has read any of it.
  time.pass(5000);
  await Promise.all([silent.ended, used.ended]);
  for (const { received } of [silent, used]) assert.match(received, /^HTTP\/1\.1 200 [\s\S]*a page$/);
  await partial.send('labels.example\r\n\r\n');
  await partial.ended;
  assert.match(partial.received, /^HTTP\/1\.1 200 [\s\S]*a page$/);
  await ended;
});

test('a connection on which nothing was sent is closed without a reset', async (t) => {
  const { app, open, time } = await setUp(t);
  const [silent, used] = [await open(), await open()];
  await used.get('/page');
  const ended = app.drain.run();
  time.pass(5000);
  await Promise.all([silent.ended, used.ended, ended]);
});

test('a response that a client receives slowly is sent completely', async (t) => {
  const { app, open } = await setUp(t);
  const client = await open();
  await client.send(rawGet('/large'));
  await once(client.socket, 'data');
  client.socket.pause();
  const ended = app.drain.run(0);
  // By now, the server has closed what it doesn't wait for.
  for (let each = 0; each < 10; each++) await turn();
  client.socket.resume();
  await Promise.all([client.ended, ended]);
  assert.ok(client.received.endsWith(LARGE));
});

test('requests that arrived together are all answered', async (t) => {
  const { app, open, finishSlow, slowStarted } = await setUp(t);
  const client = await open();
  await client.send(rawGet('/slow') + rawGet('/page'));
  await slowStarted;
  const ended = app.drain.run();
  finishSlow();
  await client.ended;
  const [, first, second] = client.received.split('HTTP/1.1 200 ');
  assert.doesNotMatch(first!, /^connection: close/im);
  assert.match(second!, /^connection: close/im);
  await ended;
});

test('a request that takes too long gets 503 before its connection is closed', async (t) => {
  const { app, open, time, finishSlow, slowStarted } = await setUp(t);
  const client = await open();
  await client.send(rawGet('/slow'));
  await slowStarted;
  await time.during(app.drain.run());
  await client.ended;
  assert.match(client.received, /^HTTP\/1\.1 503 [\s\S]*^connection: close[\s\S]*"reason":"busy"/im);
  assert.ok(time.elapsed() >= 10_000);
  // What comes too late is ignored.
  finishSlow();
});

test('a stopping service is not ready', async () => {
  const app = appWith(dependenciesWith(fakeLookup().lookup));
  const statuses = async () =>
    Promise.all(['/readyz', '/healthz'].map(async (url) => (await app.inject({ url })).statusCode));
  assert.deepEqual(await statuses(), [200, 200]);
  await app.drain.run();
  assert.deepEqual(await statuses(), [503, 200]);
});
