/** Slow, idle, flooding and smuggling clients: limits apply, and other clients are still served. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { fillStore } from '../bench/filled-store.ts';
import { atOnce, get, serve, collectFailures, vitals, type DrillResult } from './drill.ts';
import { exchange } from './fuzz.ts';

/** No connection stays open longer than this without data. */
const CUT_OFF_MS = 10_000;
const HELD = specimens[0]!.vin;

/** Requests where a proxy and a server could disagree about the end. */
const SMUGGLING = [
  'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
  'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  'Transfer-Encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n',
  'Content-Length: +5\r\n\r\nhello',
  'Content-Length: 0x5\r\n\r\nhello',
  'Transfer-Encoding: chunked\r\n\r\n5;\nx\r\nhello\r\n0\r\n\r\n',
  'X: y\n\nGET /smuggled HTTP/1.1\r\n\r\n',
  'Host: other.example\r\n\r\n',
];

/** `idle` must be below the service's limit of 2,500 connections. */
export async function run({ idle = 2000, slow = 200, seconds = 20 } = {}): Promise<DrillResult> {
  const { expect, result } = collectFailures('clients');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-clients-'));
  const { fileVins } = await fillStore(dataDir, { rows: 0, files: 8, fileBytes: 3_000_000 });
  const service = await serve({
    DATA_DIR: dataDir,
    SOURCE_ORIGIN: 'http://127.0.0.1:9',
    LOG_LEVEL: 'silent',
  });
  const sockets: net.Socket[] = [];
  const open = (): net.Socket => {
    const socket = net.connect(service.port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  let slowest = 0;
  const othersAreServed = async (situation: string) => {
    for (let n = 0; n < 10; n++) {
      const response = await get(service.port, `/api/v1/vin/${HELD}`, {}, 10_000).catch(() => null);
      expect(response?.status === 200, `${situation}: another client was not served`);
      slowest = Math.max(slowest, response?.ms ?? 10_000);
    }
  };
  const figures: Record<string, number> = {};
  try {
    const before = vitals(service.pid);
    const dripping: { socket: net.Socket; closed: boolean }[] = Array.from({ length: slow }, () => {
      const each = { socket: open(), closed: false };
      each.socket.on('close', () => (each.closed = true)).resume();
      each.socket.write(`GET /api/v1/vin/${HELD} HTTP/1.1\r\nHost: x\r\n`);
      return each;
    });
    const drip = setInterval(
      () => dripping.forEach(({ socket }) => socket.writable && socket.write('X-Slow: 1\r\n')),
      1000,
    );
    await othersAreServed('headers dripping in');
    await wait(seconds * 1000);
    clearInterval(drip);
    figures.drippersCutOff = dripping.filter(({ closed }) => closed).length;
    expect(
      seconds < 16 || figures.drippersCutOff === slow,
      `${slow - figures.drippersCutOff} connections with slow headers are still open`,
    );

    // Clients that read nothing: their memory is bounded, and others get the same PDF.
    for (let n = 0; n < slow; n++) {
      const reader = open().pause();
      reader.write(
        `GET /api/sticker/${fileVins[n % fileVins.length]} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.9.${n >> 8}.${n & 255}\r\n\r\n`,
      );
    }
    await wait(1000);
    await othersAreServed('PDFs not being read');
    const pdf = await get(service.port, `/api/sticker/${fileVins[0]}`, {}, 10_000).catch(() => null);
    expect(pdf?.body.length === 3_000_000, 'a PDF was not served while other readers stalled');
    figures.stalledReadersMb = Math.round(vitals(service.pid).rssMb - before.rssMb);
    expect(figures.stalledReadersMb < 200, `stalled readers use ${figures.stalledReadersMb} MB`);
    sockets.splice(0).forEach((socket) => socket.destroy());

    // Half of them never send anything, half wait after the first response.
    const beforeIdle = vitals(service.pid);
    const from = performance.now();
    const idlers = Array.from({ length: idle }, (_, n) => n);
    let [responded, closedCount] = [0, 0];
    await atOnce(idlers, 100, async (n) => {
      const socket = open().on('close', () => closedCount++);
      socket.once('data', () => responded++);
      socket.resume();
      await Promise.race([once(socket, 'connect').catch(() => {}), wait(5000)]);
      if (n % 2 === 0) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    });
    // On a busy machine responses may be slow, which isn't tested here.
    const allResponded = () => responded >= idle / 2;
    for (let n = 0; n < 100 && !allResponded(); n++) await wait(50);
    await wait(200);
    const withIdle = vitals(service.pid);
    figures.idleConnections = withIdle.handles;
    figures.idleMb = Math.round(withIdle.rssMb - beforeIdle.rssMb);
    // On a slow machine the first are closed before the last have connected.
    expect(
      performance.now() - from > CUT_OFF_MS || withIdle.handles >= idle,
      `of ${idle} connections ${withIdle.handles} are open: is the limit of open files lower (ulimit -Hn)?`,
    );
    expect(allResponded(), `of ${idle / 2} that sent a request, ${responded} got a response`);
    await othersAreServed(`${idle} idle connections`);
    await wait(seconds * 1000);
    figures.idleCutOff = closedCount;
    expect(seconds < 16 || closedCount === idle, `${idle - closedCount} idle connections are still open`);
    sockets.splice(0).forEach((socket) => socket.destroy());

    for (const request of SMUGGLING) {
      const received = await exchange(
        service.port,
        Buffer.from(`POST /api/v1/vin/${HELD} HTTP/1.1\r\nHost: x\r\n${request}`, 'latin1'),
        15_000,
      );
      const statusLines = received?.match(/HTTP\/1\.1 \d\d\d/g) ?? [];
      expect(received !== null, `hangs on ${JSON.stringify(request.slice(0, 40))}`);
      expect(
        statusLines.every((line) => / 4\d\d/.test(line)),
        `${JSON.stringify(request.slice(0, 40))}: ${statusLines.join()}`,
      );
      expect(!received?.includes('/smuggled'), 'a smuggled request got a response');
    }
    figures.smugglingShapes = SMUGGLING.length;
    const headers = Array.from({ length: 5000 }, (_, n) => `X-${n}: y`).join('\r\n');
    const flood = await exchange(
      service.port,
      Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`),
      15_000,
    );
    expect(/HTTP\/1\.1 431/.test(flood ?? ''), `a flood of headers: ${flood?.slice(0, 20)}`);
    await othersAreServed('floods');
  } finally {
    sockets.forEach((socket) => socket.destroy());
    await service.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
  return result({ ...figures, slowestOtherMs: Math.round(slowest) });
}
