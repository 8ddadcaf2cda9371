/** Attacks by one client, or by clients that don't read. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { atOnce, freshIp } from './drill.ts';
import { largeLabel } from './hostile-bodies.ts';
import { carOf } from './hostile-source.ts';
import { BASE_URL, held, isLimited, pipeline, post, statusOf, type Attack } from './siege-target.ts';

export const clientAttacks: readonly Attack[] = [
  {
    number: '1',
    name: 'pipelining a page whose source is slow',
    async run(target) {
      const vin = carOf('gm');
      target.source.set(vin, { body: '', delayMs: 5000 });
      const path = `/window-sticker/${vin}/ready`;
      for (const headers of ['', 'Expect: 100-continue\r\n']) {
        const socket = await pipeline(target.service.port, path, target.short ? 1e6 : 8e6, headers);
        await sleep(500);
        socket.destroy();
      }
      return null;
    },
  },
  {
    number: '2',
    name: 'twenty sockets pipelining a page',
    async run(target) {
      const path = `/window-sticker/${held}`;
      const bytes = target.short ? 5e4 : 5e5;
      const sockets = await Promise.all(
        Array.from({ length: 20 }, () => pipeline(target.service.port, path, bytes)),
      );
      await sleep(1000);
      for (const socket of sockets) socket.destroy();
      return null;
    },
  },
  {
    number: '7',
    name: 'one IP address opens pages of made-up VINs',
    long: true,
    async run(target) {
      const attacker = freshIp();
      const flood = (async () => {
        for (let page = 0; page < 100; page++) {
          void statusOf(target, `/window-sticker/${carOf('nissan')}`, { 'x-forwarded-for': attacker });
          await sleep(200);
        }
      })();
      let served = 0;
      const others = Array.from({ length: 20 }, async (_, i) => {
        await sleep(i * 1000);
        if ((await statusOf(target, `/api/sticker/${carOf('nissan')}`)) === 200) served++;
      });
      await Promise.all([flood, ...others]);
      return served >= 18 ? null : `${served} of 20 others got their label`;
    },
  },
  {
    number: '8',
    name: 'one IP address requests VINs that make a source fail',
    async run(target) {
      const headers = { 'x-forwarded-for': freshIp() };
      for (let i = 0; i < 22; i++) {
        const vin = carOf('kia');
        target.source.set(vin, { status: 500, body: 'no' });
        await statusOf(target, `/window-sticker/${vin}/ready`, headers);
      }
      const status = await statusOf(target, `/api/sticker/${carOf('kia')}`);
      return status === 200 ? null : `another client’s label: ${status}`;
    },
  },
  {
    number: '10',
    name: 'a flood of made-up contacts',
    async run(target) {
      const headers = { 'x-forwarded-for': freshIp() };
      const numbers = Array.from({ length: target.short ? 500 : 20_000 }, (_, i) => i);
      await atOnce(numbers, 20, async (i) => {
        await statusOf(target, `/robots.txt?contact=x${i}@flood.example`, headers);
      });
      return null;
    },
  },
  {
    number: '11',
    name: '200 previews at once',
    async run(target) {
      const statuses = await Promise.all(
        Array.from({ length: 200 }, (_, i) => {
          const { vin } = specimens.filter(({ state }) => state === 'held')[i % 7]!;
          return statusOf(target, `/api/sticker/${vin}/preview?width=${[320, 640, 1280, 1920][i % 4]}`);
        }),
      );
      const missing = statuses.filter((status) => status === 404).length;
      return missing === 0 ? null : `${missing} of 200 got 404 for their preview`;
    },
  },
  {
    number: '12',
    name: 'endless requests for /compare',
    run: (target) =>
      isLimited(target, 500, (ip) =>
        statusOf(target, `/compare?vins=${held},${held}`, { 'x-forwarded-for': ip }),
      ),
    long: true,
  },
  {
    number: '12',
    name: 'endless requests for VINs with a wrong check digit',
    run: (target) =>
      isLimited(target, 500, (ip) =>
        statusOf(target, `/window-sticker/1FMUK8DH9TG000000`, { 'x-forwarded-for': ip }),
      ),
    long: true,
  },
  {
    number: '12',
    name: 'endless posts of 60 KB of nested JSON to /mcp',
    run: (target) =>
      isLimited(target, 500, (ip) =>
        post(target.service.port, ip, `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
      ),
    long: true,
  },
  {
    number: '+',
    // More connections at once are left to the reverse proxies, which limit them for each client.
    name: 'clients that request large responses and never read them',
    async run(target) {
      const sockets = await Promise.all(
        Array.from({ length: 50 }, () => pipeline(target.service.port, `/api/sticker/${held}`, 2000)),
      );
      await sleep(500);
      for (const socket of sockets) socket.destroy();
      return null;
    },
  },
  {
    number: '+',
    name: '200 clients read 4 MB at /mcp and never receive it',
    long: true,
    async run(target) {
      const { port } = target.service;
      const vin = carOf('ford');
      target.source.set(vin, { body: largeLabel(vin, 4e6) });
      const stored = await statusOf(target, `/api/sticker/${vin}`);
      if (stored !== 200) return `no label to read: ${stored}`;
      const sockets = await Promise.all(Array.from({ length: 200 }, () => readWithoutReceiving(port, vin)));
      await sleep(3000);
      const outcomes = await Promise.all(sockets.map(outcomeOf));
      const served = outcomes.filter((outcome) => outcome === 'served').length;
      const failed = outcomes.filter((outcome) => outcome === 'failed').length;
      return served > 0 && failed === 0 ? null : `${served} of 200 served, ${failed} failed`;
    },
  },
  {
    number: '+',
    name: '300 clients send messages to /mcp that are slow to check',
    long: true,
    async run(target) {
      const wide = Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`key${n}`.padEnd(100), {}]));
      const deep = `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`;
      const invalid = `[${'0,'.repeat(30_000)}0]`;
      const messages = [JSON.stringify(wide), deep, invalid].map(initializeWith);
      const statuses = await Promise.all(
        Array.from({ length: 300 }, (_, n) => post(target.service.port, freshIp(), messages[n % 3]!)),
      );
      const wrong = statuses.find((status, n) => status !== (n % 3 === 0 ? 200 : 400));
      return wrong === undefined ? null : `status ${wrong}`;
    },
  },
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
