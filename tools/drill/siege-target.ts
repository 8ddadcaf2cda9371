/** Helpers for the attacks of the siege. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { get, type RunningService } from './drill.ts';
import { carOf, type HostileResponse, type HostileSource, type HostileWriter } from './hostile-source.ts';

/** The service under attack, and the source it contacts. */
export interface Target {
  service: RunningService;
  source: HostileSource;
  dataDir: string;
  adminPort: number;
  /** Sends a tenth of the requests, for the tests. */
  short: boolean;
  /** While true, nobody can expect a response. */
  restarting: boolean;
  restart(): Promise<void>;
}

export interface Attack {
  number: string;
  name: string;
  /** Returns null if the service withstood it, otherwise what broke. */
  run(target: Target): Promise<string | null>;
  /** Left out of short runs, because it is slow or needs the machine to itself. */
  long?: true;
}

export const attack = (number: string, name: string, run: Attack['run']): Attack => ({ number, name, run });
export const longAttack = (...args: Parameters<typeof attack>): Attack => ({
  ...attack(...args),
  long: true,
});

export const BASE_URL = 'http://localhost';

/** The VIN of a stored label. */
export const held = specimens.find(({ state }) => state === 'held')!.vin;

export const statusOf = (target: Target, path: string, headers: Record<string, string> = {}) =>
  get(target.service.port, path, headers, 60_000).then(
    ({ status }) => status,
    () => 0,
  );

export const labelStatus = (target: Target, vin: string, headers: Record<string, string> = {}) =>
  statusOf(target, `/api/sticker/${vin}`, headers);

/** Lets a source send this response for a new car. Returns its VIN. */
export function offer(
  target: Target,
  sourceId: string,
  responseFor: (vin: string) => HostileResponse | HostileWriter,
): string {
  const vin = carOf(sourceId);
  target.source.set(vin, responseFor(vin));
  return vin;
}

/** Requests a label that must not be served. Returns null if it isn't. */
export async function isNotServed(target: Target, vin: string): Promise<string | null> {
  const status = await labelStatus(target, vin);
  return status === 503 || status === 404 ? null : `${status} instead of 503`;
}

/** Requests a label that the source has, as another client. Returns null if it is served. */
export async function isServed(
  target: Target,
  vin: string,
  headers: Record<string, string> = {},
): Promise<string | null> {
  const status = await labelStatus(target, vin, headers);
  return status === 200 ? null : `another client’s label: ${status}`;
}

/** Requests new labels of a source, one every `everyMs`, while something else goes on. Returns null if `min` are served. */
export async function areServed(
  target: Target,
  sourceId: string,
  during: Promise<unknown>,
  when: {
    count: number;
    min: number;
    afterMs: number;
    everyMs: number;
    headers?: () => Record<string, string>;
  },
): Promise<string | null> {
  const { count, min, afterMs, everyMs, headers = () => ({}) } = when;
  const results = Array.from({ length: count }, async (_, i) => {
    await sleep(afterMs + i * everyMs);
    return isServed(target, carOf(sourceId), headers());
  });
  const served = (await Promise.all(results)).filter((failure) => failure === null).length;
  await during;
  return served >= min ? null : `${served} of ${count} others got their label`;
}

/** Calls `send` a number of times without awaiting it, one every `everyMs`. */
export async function flood(count: number, everyMs: number, send: (n: number) => unknown): Promise<void> {
  for (let n = 0; n < count; n++) {
    send(n);
    await sleep(everyMs);
  }
}

/** Leaves connections open for a while, then closes them. Nothing has to be checked: the service must survive. */
export async function holdOpen(sockets: readonly net.Socket[], ms: number): Promise<null> {
  await sleep(ms);
  for (const socket of sockets) socket.destroy();
  return null;
}

/** Counts equal failures among several results; null if all passed. */
export async function failuresOf(results: Promise<string | null>[]): Promise<string | null> {
  const failures = (await Promise.all(results)).filter((failure) => failure !== null);
  const counted = Map.groupBy(failures, (failure) => failure);
  return failures.length === 0
    ? null
    : Array.from(counted, ([failure, { length }]) => `${length} × ${failure}`).join(', ');
}

/** Writes requests without reading the responses. `headers` are lines, each with its line end. */
export async function pipeline(port: number, path: string, bytes: number, headers = ''): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  const chunk = `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`.repeat(100);
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += chunk.length) {
    if (!socket.write(chunk))
      await once(socket, 'drain', { signal: AbortSignal.timeout(20) }).catch(() => {});
  }
  return socket;
}

export function post(
  port: number,
  ip: string,
  body: string,
  { path = '/mcp', type = 'application/json' } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': type,
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': ip,
    };
    const request = http.request({ port, host: '127.0.0.1', path, method: 'POST', headers }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode!));
    });
    request.on('error', () => resolve(0)).end(body);
  });
}
