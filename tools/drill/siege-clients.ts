/** Attacks by one client, or by clients that don't read. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { atOnce, freshIp } from './drill.ts';
import { largeLabel } from './hostile-bodies.ts';
import { carOf } from './hostile-source.ts';
import {
  areServed,
  attack,
  BASE_URL,
  flood,
  held,
  holdOpen,
  isServed,
  labelStatus,
  longAttack,
  offer,
  pipeline,
  post,
  statusOf,
  type Attack,
  type Target,
} from './siege-target.ts';

const endless = (what: string, send: (target: Target, ip: string) => Promise<number>) =>
  longAttack('12', `endless ${what}`, async (target) => {
    const ip = freshIp();
    let refused = 0;
    await atOnce(
      Array.from({ length: 500 }, (_, i) => i),
      10,
      async () => {
        if ((await send(target, ip)) === 429) refused++;
      },
    );
    return refused > 0 ? null : '500 requests from one IP address, and none was limited';
  });

const from = (ip: string) => ({ 'x-forwarded-for': ip });

export const clientAttacks: readonly Attack[] = [
  attack('1', 'pipelining a page whose source is slow', async (target) => {
    const vin = offer(target, 'gm', () => ({ body: '', delayMs: 5000 }));
    const path = `/window-sticker/${vin}/ready`;
    for (const headers of ['', 'Expect: 100-continue\r\n'])
      await holdOpen([await pipeline(target.service.port, path, target.short ? 1e6 : 8e6, headers)], 500);
    return null;
  }),
  attack('2', 'twenty sockets pipelining a page', async (target) => {
    const bytes = target.short ? 5e4 : 5e5;
    const open = () => pipeline(target.service.port, `/window-sticker/${held}`, bytes);
    return holdOpen(await Promise.all(Array.from({ length: 20 }, open)), 1000);
  }),
  longAttack('7', 'one IP address opens pages of made-up VINs', (target) => {
    const attacker = from(freshIp());
    const openPage = () => statusOf(target, `/window-sticker/${carOf('nissan')}`, attacker);
    const when = { count: 20, min: 18, afterMs: 0, everyMs: 1000 };
    return areServed(target, 'nissan', flood(100, 200, openPage), when);
  }),
  attack('8', 'one IP address requests VINs that make a source fail', async (target) => {
    const attacker = from(freshIp());
    for (let i = 0; i < 22; i++) {
      const vin = offer(target, 'kia', () => ({ status: 500, body: 'no' }));
      await statusOf(target, `/window-sticker/${vin}/ready`, attacker);
    }
    return isServed(target, carOf('kia'));
  }),
  attack('10', 'a flood of made-up contacts', async (target) => {
    const attacker = from(freshIp());
    const numbers = Array.from({ length: target.short ? 500 : 20_000 }, (_, i) => i);
    await atOnce(numbers, 20, async (i) => {
      await statusOf(target, `/robots.txt?contact=x${i}@flood.example`, attacker);
    });
    return null;
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
  endless('requests for /compare', (target, ip) =>
    statusOf(target, `/compare?vins=${held},${held}`, from(ip)),
  ),
  endless('requests for VINs with a wrong check digit', (target, ip) =>
    statusOf(target, '/window-sticker/1FMUK8DH9TG000000', from(ip)),
  ),
  endless('posts of 60 KB of nested JSON to /mcp', (target, ip) =>
    post(target.service.port, ip, `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
  ),
  // More connections at once are left to the reverse proxies, which limit them for each client.
  attack('+', 'clients that request large responses and never read them', async (target) => {
    const open = () => pipeline(target.service.port, `/api/sticker/${held}`, 2000);
    return holdOpen(await Promise.all(Array.from({ length: 50 }, open)), 500);
  }),
  longAttack('+', '200 clients read 4 MB at /mcp and never receive it', async (target) => {
    const { port } = target.service;
    const vin = offer(target, 'ford', (vin) => ({ body: largeLabel(vin, 4e6) }));
    const stored = await labelStatus(target, vin);
    if (stored !== 200) return `no label to read: ${stored}`;
    const sockets = await Promise.all(Array.from({ length: 200 }, () => readWithoutReceiving(port, vin)));
    await sleep(3000);
    const outcomes = await Promise.all(sockets.map(outcomeOf));
    const served = outcomes.filter((outcome) => outcome === 'served').length;
    const failed = outcomes.filter((outcome) => outcome === 'failed').length;
    return served > 0 && failed === 0 ? null : `${served} of 200 served, ${failed} failed`;
  }),
  longAttack('+', '300 clients send messages to /mcp that are slow to check', async (target) => {
    const wide = Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`key${n}`.padEnd(100), {}]));
    const deep = `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`;
    const invalid = `[${'0,'.repeat(30_000)}0]`;
    const messages = [JSON.stringify(wide), deep, invalid].map(initializeWith);
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_, n) => post(target.service.port, freshIp(), messages[n % 3]!)),
    );
    const wrong = statuses.find((status, n) => status !== (n % 3 === 0 ? 200 : 400));
    return wrong === undefined ? null : `status ${wrong}`;
  }),
];

/** An `initialize` message with these capabilities, as JSON. */
function initializeWith(experimental: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"x","version":"1"},"capabilities":{"experimental":${experimental}}}}`;
}

/** Requests a stored label with `resources/read`, and doesn't read the response. */
async function readWithoutReceiving(port: number, vin: string): Promise<net.Socket> {
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
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.pause().write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

/** Reads the beginning of the response. */
async function outcomeOf(socket: net.Socket): Promise<'served' | 'refused' | 'failed'> {
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString('latin1'))).resume();
  for (let n = 0; n < 100; n++) {
    if (text.length > 1e5 || text.startsWith('HTTP/1.1 503 ')) break;
    await sleep(50);
  }
  socket.destroy();
  if (text.startsWith('HTTP/1.1 503 ')) return 'refused';
  return text.length > 1e5 ? 'served' : 'failed';
}
