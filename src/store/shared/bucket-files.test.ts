// lane: service
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { listen } from '../../lib/testing.ts';
import { LabelCorrupted, StoreUnavailable } from '../errors.ts';
import { labelBytes } from '../label-bytes.ts';
import { newLabel, sha256Of } from '../testing.ts';
import { openBucket } from './bucket.ts';
import { bucketFiles } from './bucket-files.ts';

const pdf = randomBytes(1_000_000);
const label = { ...newLabel('1FTFW1E80PFA00001'), bytes: pdf.length, sha256: sha256Of(pdf) };

type Send = (response: ServerResponse) => void;

/** A bucket that responds to every request in this way. */
async function bucketThat(t: TestContext, send: Send) {
  const port = await listen(
    t,
    createServer((_request, response) => send(response)),
  );
  return openBucket(`s3+http://key:secret@127.0.0.1:${port}/labels`);
}

const bucketWith = async (t: TestContext, send: Send) => labelBytes(bucketFiles(await bucketThat(t, send)));

void test('a label that the server changed is not returned', async (t) => {
  const damaged = Buffer.from(pdf);
  damaged[500_000]! ^= 1;
  for (const body of [damaged, pdf.subarray(1), Buffer.concat([pdf, pdf])]) {
    const bytes = await bucketWith(t, (response) => response.end(body));
    await assert.rejects(bytes.get(label), LabelCorrupted);
  }
});

/** Sends until the connection is closed. */
function sendForever(stream: Writable): void {
  while (!stream.destroyed && stream.write(pdf));
  stream.once('drain', () => sendForever(stream));
}

void test('a label that is longer than its row says is not read to the end, whatever its length is said to be', async (t) => {
  const responses: ServerResponse[] = [];
  const endless: [string, Send][] = [
    [
      'too long, and nothing follows',
      (response) => response.writeHead(200, { 'content-length': '1200000000' }).flushHeaders(),
    ],
    ['unknown', sendForever],
    [
      'that of what is compressed',
      (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.pipe(response);
        response.once('close', () => gzip.destroy());
        sendForever(gzip);
      },
    ],
  ];
  for (const [length, send] of endless) {
    const bytes = await bucketWith(t, (response) => {
      responses.push(response);
      send(response);
    });
    await assert.rejects(bytes.get(label), LabelCorrupted, length);
    assert.equal(await bytes.check(label), 'corrupted', length);
    assert.equal(await bytes.row(label.vin), null, length);
  }
  for (const response of responses) if (!response.closed) await once(response, 'close');
});

void test('an error that never ends is given up', async (t) => {
  const bucket = await bucketThat(t, (response) => sendForever(response.writeHead(403)));
  await assert.rejects(bucket.get('labels/1.pdf', pdf.length), StoreUnavailable);
  await assert.rejects(bucket.list('labels/').next(), StoreUnavailable);
});

void test('a bucket that stops sending in the middle of a label is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stalled = Promise.withResolvers<void>();
  let pulls = 0;
  const body = new ReadableStream({
    pull: (stream) => (++pulls === 1 ? stream.enqueue(pdf.subarray(0, 1000)) : stalled.resolve()),
  });
  t.mock.method(globalThis, 'fetch', async () => new Response(body));
  const bucket = openBucket('s3+http://key:secret@bucket.example/labels');
  const errors: unknown[] = [];
  void bucket.get('labels/1.pdf', pdf.length).catch((error: unknown) => errors.push(error));
  await stalled.promise;
  await setImmediate();
  assert.equal(errors.length, 0);
  t.mock.timers.tick(5000);
  await setImmediate();
  assert.ok(errors[0] instanceof StoreUnavailable);
});

void test('the page that a failing server sends with its error is not left half read', async (t) => {
  const responses: ServerResponse[] = [];
  const bucket = await bucketThat(t, (response) => {
    responses.push(response);
    // Without an end: a proxy's page may be of any length.
    response.writeHead(502).write('<html>');
  });
  await assert.rejects(bucket.get('labels/1.pdf', pdf.length), StoreUnavailable);
  assert.equal(responses.length, 2);
  for (const response of responses) if (!response.closed) await once(response, 'close');
});
