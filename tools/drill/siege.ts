/** Every attack that one client or one source was seen to make, against the real service as a process. */
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { isPublicIp } from '../../src/net/public-ip.ts';
import { atOnce, freshAddress, get, serve, verdict, vitals, type DrillResult, type Served } from './drill.ts';
import {
  carOf,
  longLine,
  noticePdf,
  oddBase64,
  repeatedNotice,
  startHostileSource,
  twoVehicles,
  type HostileSource,
} from './hostile-source.ts';

interface Field {
  service: Served;
  source: HostileSource;
  dataDir: string;
  adminPort: number;
  /** A tenth of the length, for the tests. */
  short: boolean;
  restart(): Promise<void>;
}

interface Attack {
  number: string;
  name: string;
  /** Runs it; null when it held, otherwise what broke. */
  run(field: Field): Promise<string | null>;
  /** Left out of the short form: long, or needs the whole machine. */
  long?: true;
}

const MOST_MB = 400;
const HEALTHZ_MS = 500;
const DELAY_MS = 200;
const held = specimens.find(({ state }) => state === 'held')!.vin;

const statusOf = (field: Field, path: string, headers: Record<string, string> = {}) =>
  get(field.service.port, path, headers, 60_000).then(
    ({ status }) => status,
    () => 0,
  );

/** A label that must not be served, asked for once. */
async function unserved(field: Field, vin: string): Promise<string | null> {
  const status = await statusOf(field, `/api/sticker/${vin}`);
  return status === 503 || status === 404 ? null : `${status} instead of 503`;
}

/** Writes requests without reading an answer. */
async function pipeline(port: number, path: string, bytes: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  const piece = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(100);
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length) {
    if (!socket.write(piece))
      await once(socket, 'drain', { signal: AbortSignal.timeout(20) }).catch(() => {});
  }
  return socket;
}

/** 429 for some of `count` requests from one address. */
async function limited(field: Field, count: number, ask: (address: string) => Promise<number>) {
  const address = freshAddress();
  let refused = 0;
  await atOnce(
    Array.from({ length: field.short ? count / 5 : count }, (_, nth) => nth),
    10,
    async () => {
      if ((await ask(address)) === 429) refused++;
    },
  );
  return refused > 0 ? null : `${count} requests of one address, none was limited`;
}

function post(port: number, address: string, body: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': address,
    };
    const request = http.request(
      { port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers },
      (res) => {
        res.resume().on('end', () => resolve(res.statusCode!));
      },
    );
    request.on('error', () => resolve(0)).end(body);
  });
}

export const ATTACKS: readonly Attack[] = [
  {
    number: '1',
    name: 'pipelining a page whose source is slow',
    async run(field) {
      const vin = carOf('gm');
      field.source.set(vin, { body: '', afterMs: 5000 });
      const path = `/window-sticker/${vin}/ready`;
      const socket = await pipeline(field.service.port, path, field.short ? 1e6 : 8e6);
      await sleep(500);
      socket.destroy();
      return null;
    },
  },
  {
    number: '2',
    name: 'twenty sockets pipelining a page',
    async run(field) {
      const path = `/window-sticker/${held}`;
      const bytes = field.short ? 5e4 : 5e5;
      const sockets = await Promise.all(
        Array.from({ length: 20 }, () => pipeline(field.service.port, path, bytes)),
      );
      await sleep(1000);
      for (const socket of sockets) socket.destroy();
      return null;
    },
  },
  {
    number: '3',
    name: '`<h1` 85,000 times as a block page',
    async run(field) {
      const vin = carOf('gm');
      field.source.set(vin, { body: `<html>${'<h1'.repeat(85_000)}` });
      return unserved(field, vin);
    },
  },
  {
    number: '4',
    name: '19,900 words on one line of a PDF',
    async run(field) {
      const vin = carOf('ford');
      field.source.set(vin, { body: longLine(vin) });
      const status = await statusOf(field, `/api/sticker/${vin}`);
      const read = await statusOf(field, `/api/v1/vin/${vin}/label?include=text`);
      return status < 500 && read < 500 ? null : `answered ${status} and ${read}`;
    },
  },
  ...['\\/', 'A\n'].map((fill): Attack => ({
    number: '5',
    name: `20 MB of ${JSON.stringify(fill)} as base64`,
    async run(field) {
      const vin = carOf('gm');
      field.source.set(vin, { body: oddBase64(fill) });
      return unserved(field, vin);
    },
  })),
  {
    number: '6',
    name: 'a notice repeated for 100,000 characters',
    async run(field) {
      const [text, pdf] = [carOf('nissan'), carOf('nissan')];
      field.source.set(text, { body: repeatedNotice() });
      field.source.set(pdf, { body: noticePdf() });
      return (await unserved(field, text)) ?? (await unserved(field, pdf));
    },
  },
  {
    number: '7',
    name: 'one address opens pages of made-up VINs',
    long: true,
    async run(field) {
      const attacker = freshAddress();
      const flood = (async () => {
        for (let page = 0; page < 100; page++) {
          void statusOf(field, `/window-sticker/${carOf('nissan')}`, { 'x-forwarded-for': attacker });
          await sleep(200);
        }
      })();
      let served = 0;
      const others = Array.from({ length: 20 }, async (_, nth) => {
        await sleep(nth * 1000);
        if ((await statusOf(field, `/api/sticker/${carOf('nissan')}`)) === 200) served++;
      });
      await Promise.all([flood, ...others]);
      return served >= 18 ? null : `${served} of 20 others got their label`;
    },
  },
  {
    number: '8',
    name: 'VINs of one address that make a source fail',
    async run(field) {
      const headers = { 'x-forwarded-for': freshAddress() };
      for (let nth = 0; nth < 22; nth++) {
        const vin = carOf('kia');
        field.source.set(vin, { status: 500, body: 'no' });
        await statusOf(field, `/window-sticker/${vin}/ready`, headers);
      }
      const status = await statusOf(field, `/api/sticker/${carOf('kia')}`);
      return status === 200 ? null : `somebody else’s label: ${status}`;
    },
  },
  {
    number: '9',
    name: 'a bit of a kept label flipped on disk',
    async run(field) {
      const vin = carOf('ford');
      const whole = await get(field.service.port, `/api/sticker/${vin}`);
      if (whole.status !== 200) return `no label to damage: ${whole.status}`;
      const file = globSync('**/*', { cwd: field.dataDir })
        .map((name) => join(field.dataDir, name))
        .find((name) => name.includes(String(whole.headers.etag).replaceAll('"', '').slice(4)));
      if (!file) return 'the label is not on disk';
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(file, bytes);
      await field.restart();
      const after = await get(field.service.port, `/api/sticker/${vin}`);
      return after.status === 200 && !after.body.equals(whole.body) ? 'wrong bytes served' : null;
    },
    long: true,
  },
  {
    number: '10',
    name: 'a flood of made-up contacts',
    async run(field) {
      const headers = { 'x-forwarded-for': freshAddress() };
      const numbers = Array.from({ length: field.short ? 500 : 20_000 }, (_, nth) => nth);
      await atOnce(numbers, 20, async (nth) => {
        await statusOf(field, `/robots.txt?contact=x${nth}@flood.example`, headers);
      });
      return null;
    },
  },
  {
    number: '11',
    name: '200 previews at once',
    async run(field) {
      const statuses = await Promise.all(
        Array.from({ length: 200 }, (_, nth) => {
          const { vin } = specimens.filter(({ state }) => state === 'held')[nth % 7]!;
          return statusOf(field, `/api/sticker/${vin}/preview?width=${[320, 640, 1280, 1920][nth % 4]}`);
        }),
      );
      const missing = statuses.filter((status) => status === 404).length;
      return missing === 0 ? null : `${missing} of 200 were told that there is no preview`;
    },
  },
  {
    number: '12',
    name: '/compare without end',
    run: (field) =>
      limited(field, 500, (address) =>
        statusOf(field, `/compare?vins=${held},${held}`, { 'x-forwarded-for': address }),
      ),
    long: true,
  },
  {
    number: '12',
    name: 'pages of wrong check digits without end',
    run: (field) =>
      limited(field, 500, (address) =>
        statusOf(field, `/window-sticker/1FMUK8DH9TG000000`, { 'x-forwarded-for': address }),
      ),
    long: true,
  },
  {
    number: '12',
    name: '60 KB of nested JSON at /mcp without end',
    run: (field) =>
      limited(field, 500, (address) =>
        post(field.service.port, address, `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
      ),
    long: true,
  },
  {
    number: '13',
    name: 'a PDF with two VINs',
    async run(field) {
      const [vin, other] = [carOf('ford'), carOf('ford')];
      field.source.set(vin, { body: twoVehicles(vin, other) });
      return unserved(field, vin);
    },
  },
  {
    number: '14',
    name: 'rm service.lock, then a second service',
    long: true,
    async run(field) {
      for (const lock of globSync('**/*.lock', { cwd: field.dataDir })) rmSync(join(field.dataDir, lock));
      const second = await serve({ DATA_DIR: field.dataDir }).catch(() => null);
      if (!second) return null;
      await second.kill('SIGKILL');
      return 'it started';
    },
  },
  {
    number: '15',
    name: 'special addresses that count as public',
    async run() {
      const wrong = ['168.63.129.16', '2620:4f:8000::1'].filter((address) => isPublicIp(address));
      return wrong.length === 0 ? null : wrong.join(', ');
    },
  },
  {
    number: '+',
    name: 'readers that take nothing of large answers',
    async run(field) {
      const sockets = await Promise.all(
        Array.from({ length: field.short ? 50 : 300 }, () =>
          pipeline(field.service.port, `/api/sticker/${held}`, 2000),
        ),
      );
      await sleep(500);
      for (const socket of sockets) socket.destroy();
      return null;
    },
  },
  {
    number: '+',
    name: 'eight labels of 15 MB at once',
    long: true,
    async run(field) {
      const vins = Array.from({ length: 8 }, () => carOf('gm'));
      const body = Buffer.alloc(15e6, '%PDF-1.4\n1 0 obj<</A(x)>>endobj\n');
      body.write('%%EOF', body.length - 5);
      for (const vin of vins) field.source.set(vin, { body });
      await Promise.all(vins.map((vin) => statusOf(field, `/api/sticker/${vin}`)));
      return null;
    },
  },
];

export interface Row {
  attack: string;
  result: string;
  mb: number;
  healthzMs: number;
  delayMs: number;
  /** The longest that the service wanted a core and had none, between two answers of `/healthz`: not its fault. */
  waitedMs: number;
}

/** Milliseconds for which a process's main thread has been ready to run without a core; known on Linux only. */
function waitedMs(pid: number): number {
  try {
    const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}

/** Asks for `/healthz` until told to stop; tells the longest wait, and the most memory seen meanwhile. */
function watch(service: () => Served) {
  let worstMs = 0;
  let mostMb = 0;
  let mostWaited = 0;
  const waited = () => waitedMs(service().pid) + waitedMs(process.pid);
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const from = performance.now();
      const before = waited();
      await get(service().port, '/healthz', {}, 60_000).catch(() => sleep(100));
      worstMs = Math.max(worstMs, performance.now() - from);
      try {
        mostMb = Math.max(mostMb, vitals(service().pid).rssMb);
      } catch {
        // Being restarted.
      }
      await sleep(25);
      mostWaited = Math.max(mostWaited, waited() - before);
    }
  })();
  return async () => {
    stop.abort();
    await watching;
    return {
      healthzMs: Math.round(worstMs),
      mb: Math.round(mostMb),
      waitedMs: Math.round(mostWaited),
    };
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The service's longest event loop delay since this was last asked, as it tells itself. */
async function longestDelayMs(adminPort: number): Promise<number> {
  const { body } = await get(adminPort, '/metrics');
  const [, seconds = '0'] = /^monroney_event_loop_delay_seconds_max (\S+)/m.exec(body.toString()) ?? [];
  return Math.round(Number(seconds) * 1000);
}

export interface SiegeOptions {
  short?: boolean;
  /** Times as long as the promised bounds that is still accepted, on a machine with other work. */
  patience?: number;
  only?: (attack: Attack) => boolean;
  /** Told each row as it is finished. */
  each?: (row: Row) => void;
}

/** Each attack has a service of its own, so that its memory and delay are nobody else's; the short form has one for all. */
export async function siege({
  short = false,
  only = () => true,
  each = () => {},
}: SiegeOptions = {}): Promise<Row[]> {
  const attacks = ATTACKS.filter((attack) => !(short && attack.long) && only(attack));
  const rows: Row[] = [];
  for (const together of short ? [attacks] : attacks.map((attack) => [attack])) {
    const { field, end } = await openField(short);
    try {
      for (const attack of together) {
        const row = await one(attack, field);
        rows.push(row);
        each(row);
      }
    } finally {
      await end();
    }
  }
  return rows;
}

async function openField(short: boolean): Promise<{ field: Field; end(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'siege-'));
  const source = await startHostileSource();
  const adminPort = await freePort();
  const env = { DATA_DIR: dataDir, SOURCE_ORIGIN: source.origin, ADMIN_PORT: String(adminPort) };
  const field: Field = {
    service: await serve(env),
    source,
    dataDir,
    adminPort,
    short,
    async restart() {
      await field.service.kill('SIGTERM');
      field.service = await serve(env);
    },
  };
  // The first reading waits for a worker to start.
  await get(field.service.port, `/api/v1/vin/${held}/label`);
  return {
    field,
    async end() {
      await field.service.kill('SIGKILL');
      await source.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function one(attack: Attack, field: Field): Promise<Row> {
  await longestDelayMs(field.adminPort).catch(() => 0);
  const stop = watch(() => field.service);
  const broke = await attack.run(field).catch((error: unknown) => String(error));
  const seen = await stop();
  const { exitCode, signalCode } = field.service.child;
  const gone = exitCode !== null || signalCode !== null;
  const delayMs = gone ? Infinity : await longestDelayMs(field.adminPort);
  return {
    attack: `${attack.number} ${attack.name}`,
    result: gone ? `the service ended (${signalCode ?? exitCode})` : (broke ?? 'held'),
    ...seen,
    delayMs,
  };
}

const columns = (cells: readonly (string | number)[]): string =>
  `${String(cells[0]).padEnd(46)} ${cells
    .slice(1, 5)
    .map((cell) => String(cell).padStart(11))
    .join('')}  ${cells[5]}\n`;

const lineOf = (row: Row): string =>
  columns([row.attack, row.mb, row.healthzMs, row.delayMs, row.waitedMs, row.result]);

export function tableOf(rows: readonly Row[]): string {
  return (
    columns(['attack', 'memory MB', 'healthz ms', 'delay ms', 'waited ms', 'result']) +
    rows.map(lineOf).join('')
  );
}

/** What is wrong with each row; what the machine cost is allowed on top. */
export function wrongOf(rows: readonly Row[], patience = 1): string[] {
  return rows.flatMap(({ attack, result, mb, healthzMs, delayMs, waitedMs }) => {
    const allowed = (ms: number) => patience * ms + waitedMs;
    return [
      ...(result === 'held' ? [] : [`${attack}: ${result}`]),
      ...(mb <= MOST_MB ? [] : [`${attack}: ${mb} MB`]),
      ...(healthzMs <= allowed(HEALTHZ_MS) ? [] : [`${attack}: /healthz took ${healthzMs} ms`]),
      ...(delayMs <= allowed(DELAY_MS) ? [] : [`${attack}: the event loop stood still for ${delayMs} ms`]),
    ];
  });
}

export async function run({ short = false, patience = 1, only }: SiegeOptions = {}): Promise<DrillResult> {
  const each = (row: Row) => void process.stdout.write(lineOf(row));
  const rows = await siege({ short, each, ...(only ? { only } : {}) });
  process.stdout.write(`\n${tableOf(rows)}`);
  const { holds, result } = verdict('siege');
  for (const wrong of wrongOf(rows, patience)) holds(false, wrong);
  return result({
    attacks: rows.length,
    held: rows.filter((row) => row.result === 'held').length,
    mostMb: Math.max(...rows.map(({ mb }) => mb)),
    worstHealthzMs: Math.max(...rows.map(({ healthzMs }) => healthzMs)),
    longestDelayMs: Math.max(...rows.map(({ delayMs }) => delayMs)),
  });
}
