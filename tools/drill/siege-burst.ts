/** Opens many connections at once from several loopback addresses, and sends incomplete headers over each. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

const { port, count } = workerData as { port: number; count: number };
const HEAD = Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(15_900)}`);
const ADDRESSES = 240;
const PER_ROUND = 200;

for (let i = 0; i < count; i++) {
  const localAddress = `127.0.${1 + (i % ADDRESSES)}.1`;
  const socket = net.connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  socket.resume().write(HEAD);
  if (i % PER_ROUND === 0) await sleep(0);
}
