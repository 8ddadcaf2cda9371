/** Attacks by one source with the form of its responses: compression, framing, status codes and time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliBomb, framingFloods, incompressible, largeLabel, twoVehicles } from './hostile-bodies.ts';
import { slow } from './hostile-pdfs.ts';
import { carOf, type HostileResponse, type HostileWriter } from './hostile-source.ts';
import { failuresOf, isNotServed, statusOf, type Attack, type Target } from './siege-target.ts';

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

/** Requests a label that the source has. Returns null if it is served. */
async function isServed(target: Target, vin: string): Promise<string | null> {
  const status = await statusOf(target, `/api/sticker/${vin}`);
  return status === 200 ? null : `${status} for a label of another source`;
}

export const responseAttacks: readonly Attack[] = [
  {
    number: '+',
    name: 'gzip and brotli bombs of several sources',
    long: true,
    async run(target) {
      const [large, bomb] = await Promise.all([incompressible(), brotliBomb()]);
      const send = (encoding: string, body: Buffer) =>
        failuresOf(
          SOURCES.map((source) => {
            const vin = carOf(source);
            target.source.set(vin, { headers: { 'Content-Encoding': encoding }, body });
            return isNotServed(target, vin);
          }),
        );
      const results: (string | null)[] = [];
      for (let round = 0; round < 3; round++) results.push(await send('gzip', large), await send('br', bomb));
      return results.find((result) => result !== null) ?? null;
    },
  },
  {
    number: '+',
    name: 'endless one-byte chunks, chunk extensions, 1xx',
    async run(target) {
      const vins = Array.from({ length: 12 }, (_, i) => carOf(SOURCES[i % 4]!));
      vins.forEach((vin, i) => target.source.set(vin, framingFloods[i % framingFloods.length]!));
      const began = performance.now();
      const failures = await failuresOf(vins.map((vin) => isNotServed(target, vin)));
      const ms = performance.now() - began;
      // The timeout is 10 seconds or more.
      return failures ?? (ms < 8000 ? null : `not given up for ${Math.round(ms / 1000)} s`);
    },
  },
  {
    number: '+',
    name: 'empty 2xx responses and challenges as "none"',
    async run(target) {
      const vins = ['genesis', 'subaru'].flatMap((source) =>
        UNCLEAR.map((response) => {
          const vin = carOf(source);
          target.source.set(vin, response);
          return vin;
        }),
      );
      const failed = await failuresOf(
        vins.map(async (vin) => {
          const status = await statusOf(target, `/api/sticker/${vin}`);
          return status === 503 ? null : `${status} instead of 503`;
        }),
      );
      const unasked = vins.filter((vin) => !target.source.requested.includes(vin)).length;
      return failed ?? (unasked === 0 ? null : `${unasked} of ${vins.length} were never requested`);
    },
  },
  {
    number: '+',
    name: 'a source sends a slow file every second',
    long: true,
    async run(target) {
      const file = slow(400);
      const flood = (async () => {
        for (let n = 0; n < 25; n++) {
          const vin = carOf('gm');
          target.source.set(vin, { body: file });
          void statusOf(target, `/api/sticker/${vin}`);
          await sleep(1000);
        }
      })();
      const others = Array.from({ length: 20 }, async (_, i) => {
        await sleep(3000 + i * 1000);
        return isServed(target, carOf('ford'));
      });
      const failures = await failuresOf(others);
      await flood;
      return failures;
    },
  },
  {
    number: '+',
    name: 'two hosts of a source send 16 MB and stall',
    long: true,
    async run(target) {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${16 * 2 ** 20}\r\n\r\n%PDF-1.4\n`;
      const stalled = Array.from({ length: 4 }, (_, i) => {
        const vin = carOf('stellantis');
        target.source.set(vin, (res, host) => {
          // Half of them fail at the first host and stall at the second.
          if (i < 2 || host !== 'www.chrysler.com') res.socket?.write(head);
          else res.writeHead(500).end();
        });
        return statusOf(target, `/api/sticker/${vin}`);
      });
      await sleep(1000);
      const vin = carOf('ford');
      target.source.set(vin, { body: largeLabel(vin, 2e6) });
      const began = performance.now();
      const failure = await isServed(target, vin);
      const seconds = Math.round((performance.now() - began) / 1000);
      await Promise.all(stalled);
      // After 9 seconds the stalled ones time out, and a waiting one would be served too.
      return failure ?? (seconds < 6 ? null : `the label of another source took ${seconds} s`);
    },
  },
];
