// lane: service
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { createLog } from '../lib/log.ts';
import { createLongWork, type LongWork } from '../lib/long-work.ts';
import {
  appWith,
  dependenciesWith,
  fakeLookup,
  getRequest,
  NO_SOURCE,
  openSocket,
  serving,
  turn,
} from './testing.ts';

/** Batches and lists, which run in the line of `lib/long-work.ts`. */

const { vpic } = dependenciesWith(fakeLookup().lookup);
const LIST = '/vpic/api/vehicles/GetAllMakes';
const MAKES = Array.from({ length: 1000 }, (_, id) => ({ id, name: `MAKE ${id}` }));
const VINS = Array.from({ length: 50 }, () => NO_SOURCE);

/** Every request that takes long, and how many results it has. */
const REQUESTS: readonly (readonly [request: InjectOptions & { url: string }, results: number])[] = [
  [{ url: LIST }, MAKES.length],
  [{ url: '/vpic/api/vehicles/GetModelsForMake/ford' }, MAKES.length],
  [
    { method: 'POST', url: '/vpic/api/vehicles/DecodeVINValuesBatch/', payload: `data=${VINS.join(';')}` },
    VINS.length,
  ],
  [{ method: 'POST', url: '/api/v1/decode', payload: JSON.stringify({ vins: VINS }) }, VINS.length],
];

test('batches and NHTSA’s lists run in pieces, with a rest after each', async () => {
  let ms = 0;
  let rests = 0;
  const longWork = createLongWork({ now: () => ms++, rest: async () => void rests++ });
  const modelsInParts = () => MAKES.map((make) => [{ id: 1, name: 'A', make, vehicleType: null }]);
  const { lookup } = fakeLookup();
  const app = appWith(
    dependenciesWith(lookup, {
      vpic: { ...vpic, makes: () => MAKES, modelsInParts },
      longWork,
      limiter: null,
    }),
  );
  for (const [request, count] of REQUESTS) {
    rests = 0;
    const { statusCode, body } = await app.inject(request);
    const { Count = count, Results, results = Results } = JSON.parse(body);
    assert.deepEqual([statusCode, Count, results.length], [200, count, count], request.url);
    assert.ok(rests >= 2, `${request.url}: ${rests} rests`);
  }
});

/** An app whose line rests until `wake`. */
function restingApp(more: Parameters<typeof dependenciesWith>[1] = {}) {
  let wake = () => {};
  const rest = () => new Promise<void>((resolve) => (wake = resolve));
  // Every job is one piece.
  const longWork = createLongWork({ now: () => 0, rest, maxWaiting: 2 });
  const dependencies = dependenciesWith(fakeLookup().lookup, { longWork, limiter: null, ...more });
  return { dependencies, longWork, wake: () => wake() };
}

test('when too many batches and lists wait, more are told to come again', async () => {
  for (const [request] of REQUESTS) {
    const { dependencies, wake } = restingApp();
    const app = appWith(dependencies);
    // After it, the line rests.
    assert.equal((await app.inject({ url: LIST })).statusCode, 200);
    const waiting = [app.inject({ url: LIST }), app.inject({ url: LIST })];
    await turn();
    const { statusCode, headers, body } = await app.inject(request);
    const { reason, detail } = JSON.parse(body);
    assert.deepEqual([statusCode, headers['retry-after'], reason], [503, '5', 'busy'], request.url);
    assert.equal(detail, 'Too many batches and lists are waiting. Try again in 5 seconds.');
    wake();
    assert.equal((await waiting[0]!).statusCode, 200);
    wake();
    assert.equal((await waiting[1]!).statusCode, 200);
  }
});

test('the list of a client that has left is not made, and nothing is logged', async () => {
  const lines: string[] = [];
  const log = createLog('warn', (text) => void lines.push(text));
  const { dependencies, longWork, wake } = restingApp({
    log,
    vpic: { ...vpic, makes: () => MAKES.slice(1) },
  });
  const secondEntered = Promise.withResolvers<AbortSignal>();
  let entered = 0;
  const made = new Set<number>();
  const watched: LongWork = {
    ...longWork,
    map(client, items, each, left) {
      const number = ++entered;
      const eachOfThem: typeof each = (item) => (made.add(number), each(item));
      const result = longWork.map(client, items, eachOfThem, left);
      if (number === 2) secondEntered.resolve(left!);
      return result;
    },
  };
  await serving({ ...dependencies, longWork: watched }, async (origin, port) => {
    assert.equal((await fetch(origin + LIST)).status, 200);
    const leaving = await openSocket(port);
    leaving.write(getRequest(LIST));
    const left = await secondEntered.promise;
    leaving.destroy();
    await once(left, 'abort');
    wake();
    const third = fetch(origin + LIST);
    assert.equal((await third).status, 200);
  });
  assert.deepEqual([...made], [1, 3]);
  log.flush();
  assert.deepEqual(lines, []);
});
