/** Attacks that load the service: clients that don't read, leave or send much, and sources with large bodies. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { connectionsWithin, RESERVED_HANDLES } from '../../src/http/connections.ts';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { sources } from '../../src/makers/index.ts';
import { vinOf } from '../bench/filled-store.ts';
import { send, type BehaviorFunction } from '../simulator/behaviors.ts';
import { freshIp, get, vitals } from './drill.ts';
import { printed, printing, sheetOf, stream } from './hostile-pdfs.ts';
import type { SimulatedService } from './simulated-service.ts';

/** The service under attack, and the sources it contacts. */
export interface Target extends SimulatedService {
  /** Sends a tenth of the requests, for the tests. */
  short: boolean;
}

export interface Attack {
  name: string;
  /** Returns null if the service withstood it, otherwise what broke. */
  run(target: Target): Promise<string | null>;
  /** Left out of short runs, because it is slow or needs the machine to itself. */
  long?: true;
}

export const BASE_URL = 'http://localhost';

/** The VIN of a stored label. */
export const held = specimens.find(({ state }) => state === 'held')!.vin;

/** Documented in docs/security.md. */
const MAX_CONNECTIONS = 2500;
const LONG_WORK_MS = 10_000;

const JSON_HEADERS = {
  host: 'localhost',
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-11-25',
};

/** The status of a response; 0 without one. */
const statusOf = ({ service }: Target, path: string, client = freshIp(), body?: string): Promise<number> =>
  get(service.port, path, { ...JSON_HEADERS, 'x-forwarded-for': client }, { timeoutMs: 60_000, body }).then(
    ({ status }) => status,
    () => 0,
  );

const labelStatus = (target: Target, vin: string) => statusOf(target, `/api/sticker/${vin}`);

let serial = 10_000;
/** Lets a source respond so for a new car. Returns its VIN. */
function offer({ simulator }: Target, sourceId: string, response: BehaviorFunction): string {
  const vin = vinOf(++serial, sources.find(({ id }) => id === sourceId)!.example);
  simulator.set(vin, response);
  return vin;
}

/** A response with these bytes, which pretends to be a label. */
const sends =
  (body: Buffer, headers: Record<string, string> = {}): BehaviorFunction =>
  (response) =>
    send(response, { type: 'application/pdf', headers, body });

/** A label of `bytes` bytes, most of them never read. */
const sendsLabelOf =
  (bytes: number): BehaviorFunction =>
  (response, { vin }) => {
    const lines = [`VIN ${vin}`];
    const padding = Buffer.alloc(bytes - printed(lines).length - 100, 'x');
    send(response, { type: 'application/pdf', body: sheetOf(stream(printing(lines)), stream(padding)) });
  };

/** Writes a request again and again, at least `bytes` bytes, without reading the responses. */
async function pipeline(port: number, request: string, bytes = 1): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  const chunk = bytes > 1 ? request.repeat(100) : request;
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += chunk.length) {
    if (!socket.write(chunk))
      await once(socket, 'drain', { signal: AbortSignal.timeout(20) }).catch(() => {});
  }
  return socket;
}

const getRequest = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

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

/** Fifty VINs that lack a character: finding the VIN that was meant decodes dozens for each. */
const INCOMPLETE = Array.from({ length: 50 }, (_, n) => `1FMUK8DH0TG0${String(n).padStart(4, '0')}`);

/** The path and the body of a call of `decode_vins`. */
function toolCall(vins: readonly string[]): [path: string, body: string] {
  const params = { name: 'decode_vins', arguments: { vins } };
  return ['/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })];
}

/** What others request during long work. */
const HONEST: readonly [path: string, body?: string][] = [
  ['/api/v1/decode', JSON.stringify({ vins: Array.from({ length: 50 }, () => held) })],
  [`/api/v1/vin/${held}`],
  ['/vpic/api/vehicles/GetModelsForMake/tesla'],
  toolCall([held, ...INCOMPLETE.slice(0, 9)]),
];

/** Lets each of sixteen /64s of a /48 keep `concurrent` requests going while others send theirs. */
async function besiege(target: Target, concurrent: number, path: string, body?: string) {
  const over = new AbortController();
  const attackFrom = async (network: number): Promise<void> => {
    const client = `2001:db8:9:${network.toString(16)}::1`;
    while (!over.signal.aborted) if ((await statusOf(target, path, client, body)) !== 200) await sleep(1000);
  };
  const count = (16 * concurrent) / (target.short ? 10 : 1);
  const attacking = Array.from({ length: count }, (_, n) => attackFrom(n % 16));
  const end = performance.now() + (target.short ? 0 : LONG_WORK_MS);
  const refused: string[] = [];
  do
    for (const [wanted, sent] of HONEST) {
      const status = await statusOf(target, wanted, freshIp(), sent);
      if (status !== 200) refused.push(`${wanted} of another client got ${status}`);
    }
  while (performance.now() < end);
  over.abort();
  await Promise.all(attacking);
  return refused[0] ?? null;
}

/** Leaves connections open for a while, then closes them. Nothing has to be checked: the service must survive. */
async function holdOpen(count: number, ms: number, open: () => Promise<net.Socket>): Promise<null> {
  const sockets = await Promise.all(Array.from({ length: count }, open));
  await sleep(ms);
  for (const socket of sockets) socket.destroy();
  return null;
}

/** The hard limit on open files, which Node raises its own limit to. */
function openFileLimit(): number {
  const [, hard] = /^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  return Number(hard);
}

export const attacks: readonly Attack[] = [
  {
    name: 'pipelining a page whose source is slow',
    async run(target) {
      const { service, short } = target;
      const vin = offer(target, 'gm', (response) => void setTimeout(() => response.end(), 5000));
      for (const headers of ['', 'Expect: 100-continue\r\n']) {
        const request = getRequest(`/window-sticker/${vin}/ready`, headers);
        await holdOpen(1, 500, () => pipeline(service.port, request, short ? 1e6 : 8e6));
      }
      return null;
    },
  },
  {
    name: 'twenty sockets pipelining a page',
    run({ service, short }) {
      const page = getRequest(`/window-sticker/${held}`);
      return holdOpen(20, 1000, () => pipeline(service.port, page, short ? 5e4 : 5e5));
    },
  },
  {
    name: '200 previews at once',
    async run(target) {
      const labels = specimens.filter(({ state }) => state === 'held');
      const statuses = await Promise.all(
        Array.from({ length: 200 }, (_, i) => {
          const width = [320, 640, 1280, 1920][i % 4];
          return statusOf(target, `/api/sticker/${labels[i % 7]!.vin}/preview?width=${width}`);
        }),
      );
      const missing = statuses.filter((status) => status === 404).length;
      return missing === 0 ? null : `${missing} of 200 got 404 for their preview`;
    },
  },
  {
    // More connections at once are left to the reverse proxies, which limit them for each client.
    name: 'clients that request large responses and never read them',
    run: ({ service }) =>
      holdOpen(50, 500, () => pipeline(service.port, getRequest(`/api/sticker/${held}`), 2000)),
  },
  {
    name: '200 clients read 4 MB at /mcp and never receive it',
    long: true,
    async run(target) {
      const vin = offer(target, 'ford', sendsLabelOf(4e6));
      if ((await labelStatus(target, vin)) !== 200) return 'no label to read';
      return holdOpen(200, 3000, () => pipeline(target.service.port, resourceRequest(vin)));
    },
  },
  {
    name: 'clients that leave while a large label is being opened',
    async run(target) {
      const vin = offer(target, 'gm', sendsLabelOf(5e6));
      if ((await labelStatus(target, vin)) !== 200) return 'the label was not served';
      for (let n = 0; n < (target.short ? 100 : 1000); n++) {
        const request = getRequest(`/api/sticker/${vin}`, `X-Forwarded-For: ${freshIp()}\r\n`);
        const socket = await pipeline(target.service.port, request);
        // Opening takes about a millisecond.
        if (n % 2 === 0) await sleep(1);
        socket.resetAndDestroy();
      }
      return null;
    },
  },
  {
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
  {
    name: '16 networks send fifty incomplete VINs, 20 times at once',
    run: (target) => besiege(target, 20, ...toolCall(INCOMPLETE)),
  },
  {
    name: '16 networks request nearly all models, 10 times at once',
    run: (target) => besiege(target, 10, '/vpic/api/vehicles/GetModelsForMakeYear/make/%20/vehicletype/e'),
  },
  {
    name: 'eight labels of 15 MB at once',
    long: true,
    async run(target) {
      const body = Buffer.alloc(15e6, '%PDF-1.4\n1 0 obj<</A(x)>>endobj\n');
      body.write('%%EOF', body.length - 5);
      const vins = Array.from({ length: 8 }, () => offer(target, 'gm', sends(body)));
      await Promise.all(vins.map((vin) => labelStatus(target, vin)));
      return null;
    },
  },
  {
    name: 'bombs of 64 MB from all sources',
    long: true,
    async run(target) {
      const bomb = Buffer.alloc(64 * 2 ** 20);
      const bodies = { gzip: gzipSync(bomb), br: brotliCompressSync(bomb) };
      for (const [encoding, body] of Object.entries(bodies)) {
        const respond = sends(body, { 'Content-Encoding': encoding });
        const vins = sources.map(({ id }) => offer(target, id, respond));
        const statuses = await Promise.all(vins.map((vin) => labelStatus(target, vin)));
        if (statuses.some((status) => status !== 503)) return `${statuses.join(', ')} instead of 503`;
      }
      return null;
    },
  },
];
