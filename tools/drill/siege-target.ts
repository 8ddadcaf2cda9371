/** Helpers for the attacks of the siege. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { sources } from '../../src/makers/index.ts';
import { vinOf } from '../bench/filled-store.ts';
import { send, type BehaviorFunction } from '../simulator/behaviors.ts';
import { get } from './drill.ts';
import type { SimulatedService } from './simulated-service.ts';

/** The service under attack, and the sources it contacts. */
export interface Target extends SimulatedService {
  /** Sends a tenth of the requests, for the tests. */
  short: boolean;
}

export interface Attack {
  /** The threat's number; `+` if it was added later. */
  number: string;
  name: string;
  /** Returns null if the service withstood it, otherwise what broke. */
  run(target: Target): Promise<string | null>;
  /** Left out of short runs, because it is slow or needs the machine to itself. */
  long?: true;
  /** Settings of the service. */
  env?: Record<string, string>;
}

export const attack = (number: string, name: string, run: Attack['run']): Attack => ({ number, name, run });
export const longAttack = (...args: Parameters<typeof attack>): Attack => ({
  ...attack(...args),
  long: true,
});

export const BASE_URL = 'http://localhost';

/** The VIN of a stored label. */
export const held = specimens.find(({ state }) => state === 'held')!.vin;

let serial = 10_000;
/** A new VIN of the source's example model. */
export const carOf = (sourceId: string): string =>
  vinOf(++serial, sources.find(({ id }) => id === sourceId)!.example);

export const statusOf = (target: Target, path: string, headers: Record<string, string> = {}) =>
  get(target.service.port, path, headers, 60_000).then(
    ({ status }) => status,
    () => 0,
  );

export const labelStatus = (target: Target, vin: string, headers: Record<string, string> = {}) =>
  statusOf(target, `/api/sticker/${vin}`, headers);

/** A response with this body. */
export const sends =
  (bodyFor: (vin: string) => Buffer | string, headers: Record<string, string> = {}): BehaviorFunction =>
  (response, { vin }) =>
    send(response, { type: 'application/pdf', headers, body: bodyFor(vin) });

/** Lets a source respond so for a new car. Returns its VIN. */
export function offer({ simulator }: Target, sourceId: string, response: BehaviorFunction): string {
  const vin = carOf(sourceId);
  simulator.set(vin, response);
  return vin;
}

/** Requests labels that must not be served. Returns null if none is. */
export async function areRefused(target: Target, vins: readonly string[]): Promise<string | null> {
  const statuses = await Promise.all(vins.map((vin) => labelStatus(target, vin)));
  const wrong = statuses.filter((status) => status !== 503 && status !== 404);
  return wrong.length === 0 ? null : `${wrong.join(', ')} instead of 503`;
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
  const statuses = Array.from({ length: count }, async (_, i) => {
    await sleep(afterMs + i * everyMs);
    return labelStatus(target, carOf(sourceId), headers());
  });
  const served = (await Promise.all(statuses)).filter((status) => status === 200).length;
  await during;
  return served >= min ? null : `${served} of ${count} others got their label`;
}

/** Calls `request` a number of times without awaiting it, one every `everyMs`. */
export async function flood(count: number, everyMs: number, request: () => unknown): Promise<void> {
  for (let n = 0; n < count; n++) {
    request();
    await sleep(everyMs);
  }
}

/** Leaves connections open for a while, then closes them. Nothing has to be checked: the service must survive. */
export async function holdOpen(opening: readonly Promise<net.Socket>[], ms: number): Promise<null> {
  const sockets = await Promise.all(opening);
  await sleep(ms);
  for (const socket of sockets) socket.destroy();
  return null;
}

/** Writes a request again and again, at least `bytes` bytes, without reading the responses. */
export async function pipeline(port: number, request: string, bytes = 1): Promise<net.Socket> {
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

export const getRequest = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
