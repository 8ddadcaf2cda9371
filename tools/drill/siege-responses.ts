/** Attacks by one source with the form of its responses: compression, framing, status codes and time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliBomb, framingFloods, incompressible, largeLabel, twoVehicles } from './hostile-bodies.ts';
import { slow } from './hostile-pdfs.ts';
import { carOf, type HostileResponse, type HostileWriter } from './hostile-source.ts';
import {
  areServed,
  attack,
  failuresOf,
  flood,
  isNotServed,
  isServed,
  labelStatus,
  longAttack,
  offer,
  type Attack,
} from './siege-target.ts';

const SOURCES = ['ford', 'genesis', 'gm', 'hyundai', 'kia', 'nissan', 'stellantis', 'subaru', 'toyota'];

/** A challenge of a firewall: neither an error page nor a block page by its words. */
const CHALLENGE = '<!DOCTYPE html><html><head><script src="challenge.js"></script></head></html>';

/** Responses that look empty or like a page, but say nothing about the label. */
const UNCLEAR: readonly (HostileResponse | HostileWriter)[] = [
  ...[201, 202, 204, 206].map((status) => ({ status, body: '' })),
  ...[202, 206].map((status) => ({ status, body: CHALLENGE })),
  // Only the end of the connection ends this body, so the server may have failed before the first byte.
  (res) => res.socket?.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'),
  // Only the beginning of a long text is judged.
  { body: Buffer.concat([Buffer.alloc(70_000, ' '), twoVehicles(carOf('genesis'), carOf('genesis'))]) },
  // A property that every object has, not an encoding.
  { headers: { 'Content-Encoding': 'constructor' }, body: '' },
];

export const responseAttacks: readonly Attack[] = [
  longAttack('+', 'gzip and brotli bombs of several sources', async (target) => {
    const [large, bomb] = await Promise.all([incompressible(), brotliBomb()]);
    const send = (encoding: string, body: Buffer) => {
      const response = { headers: { 'Content-Encoding': encoding }, body };
      return failuresOf(
        SOURCES.map((source) =>
          isNotServed(
            target,
            offer(target, source, () => response),
          ),
        ),
      );
    };
    const results: (string | null)[] = [];
    for (let round = 0; round < 3; round++) results.push(await send('gzip', large), await send('br', bomb));
    return results.find((result) => result !== null) ?? null;
  }),
  attack('+', 'endless one-byte chunks, chunk extensions, 1xx', async (target) => {
    const began = performance.now();
    const failures = await failuresOf(
      Array.from({ length: 12 }, (_, i) =>
        isNotServed(
          target,
          offer(target, SOURCES[i % 4]!, () => framingFloods[i % framingFloods.length]!),
        ),
      ),
    );
    const ms = performance.now() - began;
    // The timeout is 10 seconds or more.
    return failures ?? (ms < 8000 ? null : `not given up for ${Math.round(ms / 1000)} s`);
  }),
  attack('+', 'empty 2xx responses and challenges as "none"', async (target) => {
    const vins = ['genesis', 'subaru'].flatMap((source) =>
      UNCLEAR.map((response) => offer(target, source, () => response)),
    );
    const failed = await failuresOf(
      vins.map(async (vin) => {
        const status = await labelStatus(target, vin);
        return status === 503 ? null : `${status} instead of 503`;
      }),
    );
    const unasked = vins.filter((vin) => !target.source.requested.includes(vin)).length;
    return failed ?? (unasked === 0 ? null : `${unasked} of ${vins.length} were never requested`);
  }),
  longAttack('+', 'a source sends a slow file every second', (target) => {
    const body = slow(400);
    const send = () =>
      labelStatus(
        target,
        offer(target, 'gm', () => ({ body })),
      );
    const when = { count: 20, min: 20, afterMs: 3000, everyMs: 1000 };
    return areServed(target, 'ford', flood(25, 1000, send), when);
  }),
  longAttack('+', 'two hosts of a source send 16 MB and stall', async (target) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${16 * 2 ** 20}\r\n\r\n%PDF-1.4\n`;
    const stalled = Array.from({ length: 4 }, (_, i) => {
      // Half of them fail at the first host and stall at the second.
      const vin = offer(target, 'stellantis', () => (res, host) => {
        if (i < 2 || host !== 'www.chrysler.com') res.socket?.write(head);
        else res.writeHead(500).end();
      });
      return labelStatus(target, vin);
    });
    await sleep(1000);
    const vin = offer(target, 'ford', (vin) => ({ body: largeLabel(vin, 2e6) }));
    const began = performance.now();
    const failure = await isServed(target, vin);
    const seconds = Math.round((performance.now() - began) / 1000);
    await Promise.all(stalled);
    // After 9 seconds the stalled ones time out, and a waiting one would be served too.
    return failure ?? (seconds < 6 ? null : `the label of another source took ${seconds} s`);
  }),
];
