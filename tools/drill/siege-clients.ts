/** Attacks by one client, by one with many IP addresses or connections, or by clients that don't read. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { connectionsWithin, RESERVED_HANDLES } from '../../src/http/connections.ts';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { freshIp, vitals } from './drill.ts';
import { largeLabel } from './siege-sources.ts';
import {
  areServed,
  attack,
  BASE_URL,
  carOf,
  flood,
  getRequest,
  held,
  holdOpen,
  labelStatus,
  longAttack,
  offer,
  pipeline,
  statusOf,
  type Attack,
} from './siege-target.ts';

/** Documented in docs/security.md. */
const MAX_CONNECTIONS = 2500;
const HEALTHZ = getRequest('/healthz');

const from = (ip: string) => ({ 'x-forwarded-for': ip });
let lastNetwork = 0;
/** A client of its own /48. */
const otherNetwork = () => from(`2001:db8:${(0x1000 + ++lastNetwork).toString(16)}:1::1`);

export const clientAttacks: readonly Attack[] = [
  attack('1', 'pipelining a page whose source is slow', async (target) => {
    const { service, short } = target;
    const vin = offer(target, 'gm', (response) => void setTimeout(() => response.end(), 5000));
    for (const headers of ['', 'Expect: 100-continue\r\n']) {
      const request = getRequest(`/window-sticker/${vin}/ready`, headers);
      await holdOpen([pipeline(service.port, request, short ? 1e6 : 8e6)], 500);
    }
    return null;
  }),
  attack('2', 'twenty sockets pipelining a page', ({ service, short }) => {
    const page = getRequest(`/window-sticker/${held}`);
    const open = () => pipeline(service.port, page, short ? 5e4 : 5e5);
    return holdOpen(Array.from({ length: 20 }, open), 1000);
  }),
  longAttack(
    '+',
    'twenty sockets pipelining 64 KB connect again and again',
    async ({ service: { port } }) => {
      const workerData = { port, request: getRequest(`/window-sticker/${held}`), sockets: 20 };
      const attackers = new Worker(new URL('siege-reconnect.ts', import.meta.url), { workerData });
      await once(attackers, 'online');
      const times: number[] = [];
      // Longer than the 10 seconds for which the attackers are refused.
      for (const began = performance.now(); performance.now() - began < 12_000; await sleep(25)) {
        const from = performance.now();
        // A request that failed counts as slow.
        const isServed = (await healthzFrom(port, '127.0.200.1')) === 200;
        times.push(isServed ? performance.now() - from : Infinity);
      }
      await attackers.terminate();
      const median = times.sort((a, b) => a - b)[times.length >> 1]!;
      return median < 300 ? null : `half of the others waited ${Math.round(median)} ms or more for /healthz`;
    },
  ),
  longAttack('7', 'one IP address opens pages of made-up VINs', (target) => {
    const attacker = from(freshIp());
    const openPage = () => statusOf(target, `/window-sticker/${carOf('nissan')}`, attacker);
    const when = { count: 20, min: 18, afterMs: 0, everyMs: 1000 };
    return areServed(target, 'nissan', flood(100, 200, openPage), when);
  }),
  longAttack('T2', 'a /48 requests five made-up VINs a second, each from another /64', (target) => {
    let n = 0;
    const openPage = () =>
      statusOf(target, `/window-sticker/${carOf('nissan')}`, from(`2001:db8:7:${(n++).toString(16)}::1`));
    const when = { count: 10, min: 9, afterMs: 5000, everyMs: 2000, headers: otherNetwork };
    return areServed(target, 'nissan', flood(150, 200, openPage), when);
  }),
  longAttack('T4', 'one peer keeps 2,500 connections busy with /healthz', async ({ service: { port } }) => {
    const peer = { port, host: '127.0.0.1', localAddress: '127.0.9.1' };
    const sockets = Array.from({ length: 2600 }, () =>
      net
        .connect(peer)
        .on('error', () => {})
        .resume(),
    );
    const chat = () => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(HEALTHZ);
    };
    chat();
    const chatter = setInterval(chat, 3000);
    try {
      await sleep(4000);
      let served = 0;
      for (let n = 0; n < 80; n++) {
        if ((await healthzFrom(port, `127.0.${200 + (n % 50)}.1`)) === 200) served++;
        await sleep(100);
      }
      return served === 80 ? null : `${served} of 80 new connections were served`;
    } finally {
      clearInterval(chatter);
      for (const socket of sockets) socket.destroy();
    }
  }),
  attack('11', '200 previews at once', async (target) => {
    const labels = specimens.filter(({ state }) => state === 'held');
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, i) => {
        const width = [320, 640, 1280, 1920][i % 4];
        return statusOf(target, `/api/sticker/${labels[i % 7]!.vin}/preview?width=${width}`);
      }),
    );
    const missing = statuses.filter((status) => status === 404).length;
    return missing === 0 ? null : `${missing} of 200 got 404 for their preview`;
  }),
  // More connections at once are left to the reverse proxies, which limit them for each client.
  attack('+', 'clients that request large responses and never read them', ({ service }) => {
    const open = () => pipeline(service.port, getRequest(`/api/sticker/${held}`), 2000);
    return holdOpen(Array.from({ length: 50 }, open), 500);
  }),
  longAttack('+', '200 clients read 4 MB at /mcp and never receive it', async (target) => {
    const vin = offer(target, 'ford', largeLabel(4e6));
    if ((await labelStatus(target, vin)) !== 200) return 'no label to read';
    const open = () => pipeline(target.service.port, resourceRequest(vin));
    return holdOpen(Array.from({ length: 200 }, open), 3000);
  }),
  attack('+', 'clients that leave while a large label is being opened', async (target) => {
    const vin = offer(target, 'gm', largeLabel(5e6));
    if ((await labelStatus(target, vin)) !== 200) return 'the label was not served';
    for (let n = 0; n < (target.short ? 100 : 1000); n++) {
      const request = getRequest(`/api/sticker/${vin}`, `X-Forwarded-For: ${freshIp()}\r\n`);
      const socket = await pipeline(target.service.port, request);
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

/** The hard limit on open files, which Node raises its own limit to. */
function openFileLimit(): number {
  const [, hard] = /^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  return Number(hard);
}

/** The status for a new connection from another address; 0 without a response. */
async function healthzFrom(port: number, localAddress: string): Promise<number> {
  const signal = AbortSignal.timeout(20_000);
  const request = http.get({
    port,
    host: '127.0.0.1',
    localAddress,
    path: '/healthz',
    agent: false,
    signal,
  });
  try {
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    response.resume();
    return response.statusCode!;
  } catch {
    return 0;
  }
}

/** A request for a stored label with `resources/read`. */
function resourceRequest(vin: string): string {
  const uri = `${BASE_URL}/api/sticker/${vin}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `X-Forwarded-For: ${freshIp()}`,
    'Content-Type: application/json',
    'MCP-Protocol-Version: 2025-11-25',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
