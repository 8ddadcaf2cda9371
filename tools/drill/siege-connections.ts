/** Attacks by many connections. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsWithin, RESERVED_HANDLES } from '../../src/http/server.ts';
import { vitals } from './drill.ts';
import { statusOf, type Attack } from './siege-target.ts';

/** Documented in docs/security.md. */
const MAX_CONNECTIONS = 2500;

/** The hard limit on open files, which Node raises its own limit to. */
function openFileLimit(): number {
  const [, , hard] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  return Number(hard);
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
    },
  },
];
