/** Attacks by many connections. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { Worker } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsWithin, RESERVED_HANDLES } from '../../src/http/connections.ts';
import { freshIp, vitals } from './drill.ts';
import { largeLabel } from './hostile-bodies.ts';
import { attack, labelStatus, longAttack, offer, statusOf, type Attack } from './siege-target.ts';

/** Documented in docs/security.md. */
const MAX_CONNECTIONS = 2500;

/** The hard limit on open files, which Node raises its own limit to. */
function openFileLimit(): number {
  const [, , hard] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  return Number(hard);
}

export const connectionAttacks: readonly Attack[] = [
  attack('+', 'clients that leave while a large label is being opened', async (target) => {
    const vin = offer(target, 'gm', (vin) => ({ body: largeLabel(vin, 5e6) }));
    if ((await labelStatus(target, vin)) !== 200) return 'the label was not served';
    for (let n = 0; n < (target.short ? 100 : 1000); n++) {
      const socket = net.connect(target.service.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(`GET /api/sticker/${vin} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${freshIp()}\r\n\r\n`);
      // Opening takes about a millisecond.
      if (n % 2 === 0) await sleep(1);
      socket.resetAndDestroy();
    }
    return null;
  }),
  longAttack('+', '12,000 connections with incomplete headers', async (target) => {
    const openFiles = openFileLimit();
    const max = connectionsWithin(openFiles, MAX_CONNECTIONS);
    // The attacker is limited too. Fewer than `max` would show nothing.
    const count = Math.min(12_000, openFiles - 500);
    if (count <= max) return `needs more open files than ${openFiles} (ulimit -Hn)`;
    // In a thread of its own, because this one measures response times.
    const workerData = { port: target.service.port, count };
    const burst = new Worker(new URL('siege-burst.ts', import.meta.url), { workerData });
    let handles = 0;
    // A second longer than it takes to reach the limit. After 10 seconds the service closes the first ones.
    for (let n = 0, end = 100; n < end; n++) {
      await sleep(100);
      handles = Math.max(handles, vitals(target.service.pid).handles);
      if (handles >= max) end = Math.min(end, n + 10);
    }
    await burst.terminate();
    await sleep(500);
    const status = await statusOf(target, '/healthz');
    if (status !== 200) return `another client's request failed afterwards with ${status}`;
    // Files, workers and the database take a few more.
    return handles >= max && handles <= max + RESERVED_HANDLES ? null : `${handles} open files`;
  }),
];
