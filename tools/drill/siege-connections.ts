/** Attacks by many connections. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsWithin } from '../../src/http/server.ts';
import { statusOf, type Attack } from './siege-target.ts';

/** Documented in docs/security.md. */
const MAX_CONNECTIONS = 8000;

/** The hard limit on open files, which Node raises its own limit to. */
function openFileLimit(): number {
  const [, , hard] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  return Number(hard);
}

/**
 * Opens connections from other loopback addresses, and keeps them open with incomplete headers. In a thread of its own,
 * because this thread measures response times.
 */
async function openBurst(port: number, count: number) {
  const worker = new Worker(new URL('siege-burst.ts', import.meta.url), { workerData: { port, count } });
  const [open] = (await once(worker, 'message')) as [number];
  return { open, close: () => worker.terminate() };
}

export const connectionAttacks: readonly Attack[] = [
  {
    number: '+',
    name: '12,000 connections with incomplete headers',
    long: true,
    async run(target) {
      const openFiles = openFileLimit();
      const max = connectionsWithin(openFiles, MAX_CONNECTIONS);
      // The attacker is limited too. Fewer than `max` would show nothing.
      const count = Math.min(12_000, openFiles - 500);
      if (count <= max) return `needs more open files than ${openFiles} (ulimit -Hn)`;
      const burst = await openBurst(target.service.port, count);
      const { open } = burst;
      await sleep(1000);
      await burst.close();
      await sleep(500);
      const status = await statusOf(target, '/healthz');
      if (status !== 200) return `another client's request failed afterwards with ${status}`;
      return open <= max && open > max - 100 ? null : `${open} connections were accepted`;
    },
  },
];
