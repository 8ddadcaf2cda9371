// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
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
} from './testing.ts';

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
