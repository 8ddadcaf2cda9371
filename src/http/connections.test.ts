// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { silentLog } from '../lib/log.ts';
import { peerOf } from './client-ip.ts';
import { connectionsWithin } from './connections.ts';
import {
  closed,
  dependenciesWith,
  fakeLookup,
  HELD,
  notOnLinux as skip,
  openFrom,
  rawGet,
  serving,
  appWith,
  bareApp,
  turn,
} from './testing.ts';
import { fakeTime } from '../../test/fake-time.ts';

test('connections leave file handles for stored labels', () => {
  assert.equal(connectionsWithin(Infinity, 20_000), 20_000);
  assert.equal(connectionsWithin(65_536, 20_000), 20_000);
  assert.equal(connectionsWithin(1024, 20_000), 896);
  assert.equal(connectionsWithin(100, 20_000), 50);
});

test('a peer is an IPv4 address or an IPv6 /48', () => {
  assert.equal(peerOf('::ffff:1.1.1.1'), '1.1.1.1');
  assert.equal(peerOf('2620:fe:1:2:3::4'), peerOf('2620:fe:1:ffff::'));
  assert.notEqual(peerOf('2620:fe:1::1'), peerOf('2620:fe:2::1'));
});

test(
  'when all connections are taken, the peer with most of them loses the longest idle',
  { skip },
  async () => {
    const use = async (_: string, port: number) => {
      const attackers: Socket[] = [];
      for (let n = 0; n < 8; n++) attackers.push(await openFrom('127.0.0.2', port));
      const others = [await openFrom('127.0.0.3', port), await openFrom('127.0.0.4', port)];
      // Used again, so the second one is now the longest idle.
      attackers[0]!.write(rawGet('/healthz'));
      await once(attackers[0]!, 'data');
      for (let n = 5; n < 8; n++) others.push(await openFrom(`127.0.0.${n}`, port));
      await Promise.all(attackers.slice(1, 4).map(closed));
      assert.deepEqual(
        attackers.map(({ destroyed }) => destroyed),
        [false, true, true, true, false, false, false, false],
      );
      assert.ok(others.every(({ destroyed }) => !destroyed));
    };
    await serving(dependenciesWith(fakeLookup().lookup), use, { limits: { connections: 10 } });
  },
);

test(
  'when none is idle, the peer with most of them loses one, and gets no more itself',
  { skip },
  async () => {
    const started: (() => void)[] = [];
    const page = () => new Promise<never>(() => started.shift()!());
    const use = async (_: string, port: number) => {
      const open = async (address: string) => {
        const inProgress = new Promise<void>((resolve) => started.push(resolve));
        const socket = await openFrom(address, port, '/slow');
        await inProgress;
        return socket;
      };
      const attackers: Socket[] = [];
      for (let n = 0; n < 5; n++) attackers.push(await open('127.0.0.2'));
      const refused = await openFrom('127.0.0.2', port, '/slow');
      await closed(refused);
      const other = await open('127.0.0.3');
      await closed(attackers[0]!);
      assert.deepEqual(
        [...attackers, other].map(({ destroyed }) => destroyed),
        [true, false, false, false, false, false],
      );
    };
    await serving(dependenciesWith(fakeLookup().lookup), use, { page, limits: { connections: 5 } });
  },
);

test('a peer whose connections are all in use takes none from those who have fewer', { skip }, async () => {
  const started: (() => void)[] = [];
  const page = () => new Promise<never>(() => started.shift()!());
  const use = async (_: string, port: number) => {
    const others: Socket[] = [];
    for (let n = 3; n < 7; n++) others.push(await openFrom(`127.0.0.${n}`, port));
    for (let n = 0; n < 6; n++) {
      const inProgress = new Promise<void>((resolve) => started.push(resolve));
      await openFrom('127.0.0.2', port, '/slow');
      await inProgress;
    }
    await closed(await openFrom('127.0.0.2', port, '/slow'));
    others.push(await openFrom('127.0.0.9', port));
    assert.ok(others.every(({ destroyed }) => !destroyed));
  };
  await serving(dependenciesWith(fakeLookup().lookup), use, { page, limits: { connections: 10 } });
});

test('responses that wait behind another one end with their connection, even after CONNECT', async () => {
  let ended = 0;
  const all = Promise.withResolvers<void>();
  const log = { ...silentLog, request: () => (++ended === 3 ? all.resolve() : undefined) };
  const started = Promise.withResolvers<void>();
  const page = () => new Promise<never>(() => started.resolve());
  const use = async (_: string, port: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const lookup = rawGet(`/api/v1/vin/${HELD}`);
    socket.write(rawGet('/slow') + lookup + lookup + 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n');
    await started.promise;
    socket.resetAndDestroy();
    await all.promise;
  };
  await serving({ ...dependenciesWith(fakeLookup().lookup), log }, use, { page });
});

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
