import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { dependenciesWith, fakeLookup, serving } from './testing.ts';

/** Both ends of 2,500 connections are in this process. */
const NEEDED_FILES = 6_000;

function withoutFiles(): string | false {
  // Elsewhere, 127.0.0.1 is the only loopback address.
  if (process.platform !== 'linux') return 'skipped: needs Linux';
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  return (
    Number(limit) < NEEDED_FILES && `skipped: needs ${NEEDED_FILES} open files (ulimit -n), has ${limit}`
  );
}

/** Fewer than can wait to be accepted. The system would try the others again after a second. */
const BATCH = 400;

const connectFrom = (localAddress: string, port: number): Socket =>
  connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});

/** Also after an error, unlike `once`. */
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

/** Sends a request over a new connection. Null if the connection is refused. */
async function statusFor(localAddress: string, port: number): Promise<string | null> {
  const socket = connectFrom(localAddress, port);
  let response = '';
  socket.on('data', (chunk) => (response += chunk.toString()));
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await closed(socket);
  return /^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? null;
}

/** Opens connections and waits until the server has accepted or refused them. */
async function openFrom(localAddress: string, port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Math.min(BATCH, count - sockets.length);
    for (let n = 0; n < batch; n++) sockets.push(connectFrom(localAddress, port).resume());
    // They are accepted in order, so the server is finished with the batch after this one.
    await statusFor(localAddress, port);
  }
  return sockets;
}

const openOf = (sockets: readonly Socket[]) => sockets.filter((socket) => !socket.destroyed).length;

const closeAll = (sockets: readonly Socket[]) =>
  Promise.all(sockets.filter((socket) => !socket.destroyed).map((socket) => closed(socket.destroy())));

test('one client gets 500 connections, and all together 2,500', { skip: withoutFiles() }, async () => {
  await serving(
    dependenciesWith(fakeLookup().lookup),
    async (_, port) => {
      const clients: Socket[][] = [];
      for (let n = 1; n <= 5; n++) {
        assert.equal(await statusFor(`127.0.0.${n}`, port), '200');
        const sockets = await openFrom(`127.0.0.${n}`, port, 505);
        clients.push(sockets);
        assert.equal(await statusFor(`127.0.0.${n}`, port), null);
        // This process may see the refusals in another order.
        for (let i = 0; i < 400 && openOf(sockets) > 500; i++) await wait(5);
      }
      assert.deepEqual(
        clients.map(openOf),
        Array.from({ length: 5 }, () => 500),
      );
      assert.equal(await statusFor('127.0.0.9', port), null);
      // Closed connections no longer count.
      await closeAll(clients.shift()!);
      assert.equal(await statusFor('127.0.0.9', port), '200');
      assert.equal(await statusFor('127.0.0.1', port), '200');
      await closeAll(clients.flat());
    },
    // Each loopback address is a client here; in the service they have no limit of their own, because they may be proxies.
    {
      peerOf: (address) => address ?? null,
      limits: { headersMs: 120_000, requestMs: 120_000, stalledMs: 120_000 },
    },
  );
});
