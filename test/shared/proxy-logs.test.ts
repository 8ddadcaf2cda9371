import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, relative } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { serve } from '../../tools/drill/drill.ts';
import { freePort } from '../../tools/free-port.ts';
import { eventually, filesUnder, temporaryFolder } from '../operator.ts';
import {
  startCaddy,
  startHaproxy,
  startNginx,
  withoutCaddy,
  withoutHaproxy,
  withoutNginx,
  type RunningProxy,
  type StartProxy,
} from './proxies.ts';

/** Sends all kinds of requests through the proxies, then searches everything that they wrote or printed. */

const CLIENT_IP = '127.83.42.17';
const CONTACT = 'dev-4711@example.org';
const AGENT = 'Curious-Browser/9.9';
const { vin: VIN } = specimens[0]!;
/** More than a client may have at once. */
const CONNECTIONS = 201;

const HEADERS = `Host: localhost\r\nUser-Agent: ${AGENT}\r\nReferer: https://example.org/${VIN}\r\nConnection: close`;
const getOf = (path: string, headers = HEADERS) => `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`;
const postOf = (bytes: number) => {
  const body = JSON.stringify({ vins: [VIN] }).padEnd(bytes);
  return `POST /api/v1/decode?contact=${CONTACT} HTTP/1.1\r\n${HEADERS}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n${body}`;
};
const LOOKUP = getOf(`/api/v1/vin/${VIN}?contact=${CONTACT}`);

const COMPLETE = [
  LOOKUP,
  getOf(`/api/v1/vin/${VIN}`),
  getOf(`/window-sticker/${VIN}`),
  getOf(`/.well-known/acme-challenge/${VIN}`, HEADERS.replace('localhost', 'stickers.example.org')),
  // A body that is buffered on disk, and one that is too large.
  postOf(100_000),
  postOf(1_200_000),
];

/** Malformed, too large, or cut off. */
const BROKEN = [
  getOf(`/api/v1/vin/${VIN}`, ''),
  getOf(`/api/v1/vin/${VIN}`, 'Host: a\r\nHost: b'),
  getOf(`/api/v1/vin/${VIN}`, `${HEADERS}\r\nX y: ${VIN}`),
  getOf(`/api/v1/vin/${VIN}?x=${'x'.repeat(2_000_000)}`),
  getOf(`/api/v1/vin/${VIN}`, `${HEADERS}\r\nX: ${'x'.repeat(2_000_000)}`),
  `GET /api/v1/vin/${VIN} HTTP/9.9\r\n${HEADERS}\r\n\r\n`,
  `GET /api/v1/vin/${VIN}\0 HTTP/1.1\r\n${HEADERS}\r\n\r\n`,
  `G T /${VIN}\r\n\r\n`,
  LOOKUP.slice(0, 60),
  // The first bytes of TLS.
  `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 ${VIN}`,
];

interface TlsSettings {
  servername?: string;
  ALPNProtocols?: string[];
}

/** A connection of the client. Its errors are part of the test. */
function open(port: number, tls: TlsSettings | null): Socket {
  const target = { port, host: '127.0.0.1', localAddress: CLIENT_IP };
  const socket = tls ? connectTls({ ...target, ...tls, rejectUnauthorized: false }) : connect(target);
  return socket.on('error', () => {});
}

/** All that is sent back before the connection is closed. `end`: the client says that nothing follows. */
function exchange(socket: Socket, request: string, end = false): Promise<string> {
  let response = '';
  socket.on('data', (chunk: Buffer) => (response += chunk.toString('latin1')));
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(response)));
  socket[end ? 'end' : 'write'](Buffer.from(request, 'latin1'));
  return closed;
}

const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);

/** A lookup, over TLS where there is TLS: the other port may only redirect. Returns the status. */
async function lookUp({ port, tlsPort }: RunningProxy, request = LOOKUP): Promise<number> {
  const socket = tlsPort === null ? open(port, null) : open(tlsPort, { servername: 'localhost' });
  return statusOf(await exchange(socket, request));
}

async function sendAll({ port, tlsPort }: RunningProxy): Promise<void> {
  const ports: [number, TlsSettings | null][] = [[port, null]];
  if (tlsPort !== null) {
    ports.push([tlsPort, null], [tlsPort, { servername: 'localhost' }]);
    ports.push([tlsPort, { servername: 'stickers.example.org' }]);
    ports.push([tlsPort, { servername: 'stickers.example.org', ALPNProtocols: ['acme-tls/1'] }]);
  }
  await Promise.all(
    ports.flatMap(([to, tls]) => [
      ...COMPLETE.map((request) => exchange(open(to, tls), request)),
      ...BROKEN.map((request) => exchange(open(to, tls), request, true)),
    ]),
  );
}

/** More requests at once than allowed while the service doesn't respond, which it then ends in the middle of a response. */
async function overload(proxy: RunningProxy, upstream: number): Promise<void> {
  const waiting = new Set<Socket>();
  let mayEnd = false;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const isCheck = chunk.toString().startsWith('GET /healthz');
      if (isCheck) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else if (mayEnd) socket.end('this is no response\r\n\r\n');
      else waiting.add(socket);
    });
  }).listen(upstream, '127.0.0.1');
  await once(server, 'listening');
  await eventually(
    () => lookUp(proxy, getOf('/healthz')),
    (status) => status === 200,
  );
  let ended = 0;
  const all = Array.from({ length: CONNECTIONS }, async () => {
    await lookUp(proxy);
    ended++;
  });
  // Those that the proxy refuses never get there.
  await eventually(
    async () => waiting.size + ended,
    (count) => count >= CONNECTIONS,
  );
  mayEnd = true;
  for (const socket of waiting) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
  await Promise.all(all);
  await lookUp(proxy);
  server.close();
}

/** The lines with traces of the client that are left after requests while the service runs, is overloaded, and is down. */
async function tracesOf(t: TestContext, startProxy: StartProxy, edit?: (config: string) => string) {
  const [folder, dataDir] = [temporaryFolder(t), temporaryFolder(t)];
  const upstream = await freePort();
  const service = await serve({ DATA_DIR: dataDir, PORT: String(upstream), LOG_LEVEL: 'error' });
  t.after(() => service.kill('SIGKILL'));
  const proxy = await startProxy({ folder, upstreams: [upstream], ...(edit ? { edit } : {}) });
  t.after(() => proxy.stop());
  await eventually(
    () => (proxy.isRunning() ? lookUp(proxy) : assert.fail(readFileSync(join(folder, 'output'), 'utf8'))),
    (status) => status === 200,
  );
  await sendAll(proxy);
  await service.kill('SIGKILL');
  await overload(proxy, upstream);
  assert.ok((await lookUp(proxy)) >= 502);
  await sendAll(proxy);
  await proxy.stop();
  return filesUnder(folder)
    .filter((file) => !file.endsWith('.conf'))
    .flatMap((file) => {
      const name = relative(folder, file);
      // The cache contains public responses about VINs, and must not contain who asked.
      const needles = name.startsWith('cache/')
        ? [CLIENT_IP, CONTACT, AGENT]
        : [CLIENT_IP, CONTACT, AGENT, VIN];
      const lines = readFileSync(file, 'latin1').split('\n');
      return lines
        .filter((line) => needles.some((needle) => line.includes(needle)))
        .map((line) => `${name}: ${line}`);
    });
}

/** What a configuration must have lost for the packages' own logging to apply. */
const PROXIES: [string, StartProxy, string | false, (config: string) => string][] = [
  ['nginx', startNginx, withoutNginx, (config) => config.replace(/^\s*(access_log|error_log) .*$/gm, '')],
  ['Caddy', startCaddy, withoutCaddy(), (config) => config.replace(/\tlog \{[^}]*\}/, '')],
  [
    'HAProxy',
    startHaproxy,
    withoutHaproxy,
    (config) => config.replace('mode http', 'mode http\nlog global\noption httplog'),
  ],
];

for (const [name, startProxy, skip, withLogs] of PROXIES)
  describe(name, { skip, concurrency: true }, () => {
    test(`${name} writes no IP address, no contact and no VIN of a client, also while the service is down`, async (t) => {
      assert.deepEqual(await tracesOf(t, startProxy), []);
    });

    test(`${name} would write them with the logs of its package`, async (t) => {
      const traces = (await tracesOf(t, startProxy, withLogs)).join('\n');
      for (const needle of [CLIENT_IP, VIN]) assert.ok(traces.includes(needle), needle);
    });
  });
