/** Opens many connections at once and reports how many stay open. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { port, count } = workerData as { port: number; count: number };
const HEAD = Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(15_900)}`);
const ADDRESSES = 240;
const PER_ROUND = 200;

let open = 0;
const settled: Promise<unknown>[] = [];
for (let i = 0; i < count; i++) {
  const localAddress = `127.0.${1 + (i % ADDRESSES)}.1`;
  const socket = net.connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  socket.once('connect', () => {
    open++;
    socket.once('close', () => open--).write(HEAD);
  });
  socket.resume();
  settled.push(
    Promise.race([once(socket, 'connect').catch(() => {}), once(socket, 'close').catch(() => {})]),
  );
  if (i % PER_ROUND === 0) await sleep(0);
}
await Promise.race([Promise.all(settled), sleep(8000)]);
// Refused connections are closed a moment after they were accepted.
for (let before = -1; before !== open; await sleep(300)) before = open;
parentPort!.postMessage(open, []);
