// lane: service
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Busy } from '../lookup/texts-and-previews.ts';
import { createLog } from '../lib/log.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { client, HELD, dependenciesWith, pdfOf, fakeLookup, getRequest, serving } from './testing.ts';

const fail = (error: Error) => (): never => {
  throw error;
};

/** A log, and what was written to it. */
function recordingLog() {
  const lines: string[] = [];
  const log = createLog('info', (text) => void lines.push(text));
  return { log, logged: () => (log.flush(), lines.join('')) };
}

test('a crash is logged, and reveals no internals', async () => {
  const { log, logged } = recordingLog();
  const { lookup } = fakeLookup();
  const crash = fail(new Error('secret place'));
  const { get } = client({ ...lookup, find: crash }, { log, noteContact: crash });
  // In a handler, and around one.
  for (const path of [`/api/v1/vin/${HELD}`, `/api/sticker/${HELD}`, '/healthz?contact=dev@example.org']) {
    const { statusCode, body } = await get(path);
    assert.deepEqual([statusCode, JSON.parse(body).reason], [500, 'internal'], path);
    assert.doesNotMatch(body, /secret/);
  }
  assert.equal((await get('/healthz')).statusCode, 200);
  assert.equal(logged().match(/"message":"request failed".*secret place/g)?.length, 3);
});

test('what may work again soon is 503 with Retry-After and the VIN, never "none"', async () => {
  const { lookup } = fakeLookup();
  const [store, missing] = [fail(new StoreUnavailable('read-only')), fail(new LabelMissing('not there'))];
  const busy = fail(new Busy('too many'));
  const found = client(
    { ...lookup, preview: busy, reading: busy, pdf: missing },
    { store: { ready: store, onReplaced() {} } },
  );
  const lost = client({ ...lookup, find: store });
  for (const [{ get }, path, reason, seconds] of [
    [lost, `/api/v1/vin/${HELD}`, 'store-unavailable', 10],
    [found, `/api/sticker/${HELD}`, 'store-unavailable', 10],
    [found, `/api/sticker/${HELD}/preview`, 'busy', 5],
    [found, `/api/v1/vin/${HELD}/label`, 'busy', 5],
  ] as const) {
    const response = await get(path);
    const problem = response.json<Record<string, unknown>>();
    assert.deepEqual([response.statusCode, problem.reason, problem.vin], [503, reason, HELD], path);
    assert.deepEqual([response.headers['retry-after'], problem.retryAfter], [String(seconds), seconds], path);
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.equal(problem.requestId, response.headers['x-request-id']);
  }
  const ready = await found.get('/readyz');
  assert.deepEqual([ready.statusCode, ready.headers['retry-after']], [503, '10']);
  assert.equal((await found.get('/healthz')).statusCode, 200);
});

test('a client that leaves while a file is being read harms nobody', async () => {
  const reading = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const { lookup } = fakeLookup();
  const pdf = async () => {
    reading.resolve();
    await left.promise;
    return pdfOf(300_000);
  };
  const { log, logged } = recordingLog();
  await serving(dependenciesWith({ ...lookup, pdf }, { log }), async (origin, port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(getRequest(`/api/sticker/${HELD}`));
    await reading.promise;
    socket.destroy();
    // When this has been answered, the server knows that the client left.
    await fetch(`${origin}/healthz`);
    left.resolve();
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    assert.match(logged(), /"status":499/);
  });
});
