import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { Busy } from '../lookup/texts-and-previews.ts';
import { LIMIT } from './limit.ts';
import { createLog } from '../lib/log.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { client, FAILED, HELD, dependenciesWith, pdfOf, fakeLookup, getRequest, serving } from './testing.ts';

test('unknown paths and wrong methods are problems, and say what to do', async () => {
  const documents = new Map([['/api/v1/list', () => ({ type: 'application/json', body: '[]' })]]);
  await serving(dependenciesWith(fakeLookup().lookup, { documents }), async (origin) => {
    const problemOf = async (path: string, method = 'GET') => {
      const response = await fetch(origin + path, { method });
      const { status, reason, detail } = (await response.json()) as {
        status: number;
        reason: string;
        detail: string;
      };
      assert.equal(response.status, status);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      return { reason, detail, allow: response.headers.get('allow') };
    };
    assert.equal((await problemOf('/api/v2/vin/x')).reason, 'not-found');
    assert.equal((await problemOf(`/api/v1/vin/${HELD}/other`)).reason, 'not-found');
    for (const path of [`/api/v1/vin/${HELD}/`, '/api/v1/decode/', '/api/v1/list/'])
      assert.match((await problemOf(path)).detail, /slash/);
    assert.doesNotMatch((await problemOf('/api/v1/other/')).detail, /slash/);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { reason, allow } = await problemOf(`/api/v1/vin/${HELD}`, method);
      assert.deepEqual([reason, allow], ['method-not-allowed', 'GET, HEAD, OPTIONS']);
    }
  });
});

test('a problem document has the VIN of the URL, whatever the problem', async () => {
  const problemAt = async (origin: string, path: string, init?: RequestInit) => {
    const response = await fetch(origin + path, init);
    const text = await response.text();
    assert.equal(response.headers.get('content-length'), String(text.length), path);
    const { vin, reason } = JSON.parse(text) as { vin?: string; reason: string };
    return [response.status, reason, vin];
  };
  const vin = `/api/v1/vin/${HELD}`;
  await serving(dependenciesWith(fakeLookup().lookup), async (origin) => {
    for (const path of [
      `${vin}?sticker=maybe`,
      `${vin}/label?include=x`,
      `/api/sticker/${HELD}/preview?width=5`,
    ])
      assert.deepEqual(await problemAt(origin, path), [400, 'bad-parameter', HELD], path);
    for (const path of [
      vin,
      `${vin}?sticker=0`,
      `${vin}/label`,
      `/api/sticker/${HELD}`,
      `/api/sticker/${HELD}/preview`,
    ]) {
      const other = { headers: { 'If-Match': '"other"' } };
      assert.deepEqual(await problemAt(origin, path, other), [412, 'precondition-failed', HELD], path);
    }
    const post = { method: 'POST' };
    assert.deepEqual(await problemAt(origin, vin.toLowerCase(), post), [405, 'method-not-allowed', HELD]);
    assert.deepEqual(await problemAt(origin, '/api/v1/vin/x', post), [405, 'method-not-allowed', undefined]);
  });
  const limiter = { policy: LIMIT, take: () => ({ allowed: false, remaining: 0, waitMs: 3000 }) };
  await serving(dependenciesWith(fakeLookup().lookup, { limiter }), async (origin) => {
    for (const car of [HELD, FAILED])
      assert.deepEqual(await problemAt(origin, `/api/sticker/${car}`), [429, 'too-many-requests', car]);
    assert.deepEqual(await problemAt(origin, '/api/x'), [429, 'too-many-requests', undefined]);
  });
  for (const [error, status, reason] of [
    [new Error('x'), 500, 'internal'],
    [new StoreUnavailable('x'), 503, 'store-unavailable'],
  ] as const) {
    await serving(dependenciesWith(fakeLookup(pdfOf(10), error).lookup), async (origin) =>
      assert.deepEqual(await problemAt(origin, vin), [status, reason, HELD]),
    );
  }
});

test('a crash is logged, and reveals no internals', async () => {
  const lines: string[] = [];
  const log = createLog('info', (text) => void lines.push(text));
  const { get } = client(fakeLookup(pdfOf(10), new Error('secret place')).lookup, { log });
  const { statusCode, body } = await get(`/api/v1/vin/${HELD}`);
  assert.deepEqual([statusCode, JSON.parse(body).reason], [500, 'internal']);
  assert.doesNotMatch(body, /secret/);
  assert.match(lines.join(''), /secret place/);
});

test('a label whose bytes are missing is a temporary failure', async () => {
  const { lookup } = fakeLookup();
  const pdf = () => Promise.reject(new LabelMissing('not there'));
  await serving(dependenciesWith({ ...lookup, pdf }), async (origin) => {
    const response = await fetch(`${origin}/api/sticker/${HELD}`);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '10');
    assert.equal(((await response.json()) as { reason: string }).reason, 'store-unavailable');
  });
});

test('health responses have an ETag and are not cached', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (origin) => {
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(origin + path);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const etag = response.headers.get('etag')!;
      assert.match(etag, /^"[A-Za-z0-9+/]{43}="$/);
      assert.equal((await fetch(origin + path, { headers: { 'If-None-Match': etag } })).status, 304);
    }
  });
});

test('with a store that is not writable, the service is alive but not ready', async () => {
  const store = { ready: async () => Promise.reject(new StoreUnavailable('read-only')) };
  await serving(dependenciesWith(fakeLookup().lookup, { store }), async (origin) => {
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    const ready = await fetch(`${origin}/readyz`);
    assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '10']);
  });
});

test('a full queue is 503 with Retry-After, never "no preview" and never a reading without a label', async () => {
  const busy = async (): Promise<never> => {
    throw new Busy('too many');
  };
  const lookup = { ...fakeLookup().lookup, preview: busy, reading: busy };
  await serving(dependenciesWith(lookup), async (origin) => {
    for (const path of [`/api/sticker/${HELD}/preview`, `/api/v1/vin/${HELD}/label`]) {
      const response = await fetch(origin + path);
      assert.equal(response.status, 503, path);
      assert.equal(response.headers.get('retry-after'), '5');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const problem = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([problem.reason, problem.retryAfter], ['busy', 5]);
      assert.equal(problem.requestId, response.headers.get('x-request-id'));
    }
  });
});

test('a file that breaks off midway closes the connection and is logged, and so is a client that leaves', async () => {
  const lines: string[] = [];
  const log = createLog('info', (text) => void lines.push(text));
  const large = pdfOf(20_000_000);
  let files = 0;
  const opened: Readable[] = [];
  const pdfStream = async () => {
    const breaks = ++files === 1;
    const file = Readable.from(
      (async function* () {
        yield large.subarray(0, 100_000);
        if (breaks) throw new Error('EIO: i/o error, read');
        yield large.subarray(100_000);
      })(),
    );
    opened.push(file);
    return file;
  };
  const { lookup } = fakeLookup(large);
  await serving(dependenciesWith({ ...lookup, pdfStream }, { log }), async (origin, port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(getRequest(`/api/sticker/${HELD}`));
    assert.ok((await buffer(socket)).length < large.length);
    const leaving = connect(port, '127.0.0.1');
    leaving.write(getRequest(`/api/sticker/${HELD}`));
    await once(leaving, 'data');
    leaving.destroy();
    if (!opened[1]!.closed) await new Promise((resolve) => opened[1]!.once('close', resolve));
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  });
  log.flush();
  assert.match(lines.join(''), /"message":"response: the file broke off".*EIO/);
  assert.match(lines.join(''), /"status":500.*"status":499/s);
});

test('a client that leaves while a file is being opened harms nobody, and the file is closed', async () => {
  const opening = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const file = Readable.from([pdfOf(1000)]);
  const pdfStream = async () => {
    opening.resolve();
    await left.promise;
    return file;
  };
  const lines: string[] = [];
  const log = createLog('info', (text) => void lines.push(text));
  // Too large for the cache of files.
  const { lookup } = fakeLookup(pdfOf(5_000_000));
  await serving(dependenciesWith({ ...lookup, pdfStream }, { log }), async (origin, port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(getRequest(`/api/sticker/${HELD}`));
    await opening.promise;
    socket.destroy();
    // When this has been answered, the server knows that the client left.
    await fetch(`${origin}/healthz`);
    left.resolve();
    await once(file, 'close');
    assert.equal((await fetch(`${origin}/healthz`)).status, 200);
    log.flush();
    assert.match(lines.join(''), /"status":499/);
  });
});

test('an error in anything but the handler is a 500 too, and harms nobody else', async () => {
  const { lookup } = fakeLookup(pdfOf(5_000_000));
  const lines: string[] = [];
  const log = createLog('info', (text) => void lines.push(text));
  const broken = (): never => {
    throw new Error('a fault of ours');
  };
  const { get } = client({ ...lookup, pdfStream: broken }, { log, noteContact: broken });
  assert.equal((await get(`/api/sticker/${HELD}`)).statusCode, 500);
  assert.equal((await get('/healthz?contact=dev@example.org')).statusCode, 500);
  assert.equal((await get('/healthz')).statusCode, 200);
  log.flush();
  assert.equal(lines.join('').match(/"message":"request failed".*a fault of ours/g)?.length, 2);
});
