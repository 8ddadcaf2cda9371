/** Helpers for the attacks of the siege. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { atOnce, freshIp, get, type RunningService } from './drill.ts';
import type { HostileSource } from './hostile-source.ts';

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

export const BASE_URL = 'http://localhost';

/** The VIN of a stored label. */
export const held = specimens.find(({ state }) => state === 'held')!.vin;

export const statusOf = (target: Target, path: string, headers: Record<string, string> = {}) =>
  get(target.service.port, path, headers, 60_000).then(
    ({ status }) => status,
    () => 0,
  );

/** Requests a label that must not be served. Returns null if it isn't. */
export async function isNotServed(target: Target, vin: string): Promise<string | null> {
  const status = await statusOf(target, `/api/sticker/${vin}`);
  return status === 503 || status === 404 ? null : `${status} instead of 503`;
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

/** Sends `count` requests from one IP address. Returns null if some get 429. */
export async function isLimited(target: Target, count: number, send: (ip: string) => Promise<number>) {
  const ip = freshIp();
  let refused = 0;
  await atOnce(
    Array.from({ length: target.short ? count / 5 : count }, (_, i) => i),
    10,
    async () => {
      if ((await send(ip)) === 429) refused++;
    },
  );
  return refused > 0 ? null : `${count} requests from one IP address, and none was limited`;
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
