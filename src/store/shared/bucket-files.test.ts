import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
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

void test('a client that leaves before the first byte ends the download from the bucket', async (t) => {
  const downloads: ServerResponse[] = [];
  const bytes = await bucketWith(t, (response) => {
    response.write('%PDF-1.7');
    downloads.push(response);
  });
  for (const end of [label.bytes - 1, 1000]) {
    const stream = await bytes.getRange(label, 0, end);
    const ended = once(downloads.at(-1)!, 'close');
    stream.destroy();
    await ended;
  }
});

void test('a range is that of the checked bytes, and is cut short if any byte of the label is wrong', async (t) => {
  const ranges = [[0, 0] as const, [5, 700_000] as const, [999_999, 999_999] as const, [0, 999_999] as const];
  const intact = await bucketWith(t, (response) => response.end(pdf));
  for (const [start, end] of ranges)
    assert.ok(pdf.subarray(start, end + 1).equals(await buffer(await intact.getRange(label, start, end))));
  const damaged = Buffer.from(pdf);
  damaged[500_000]! ^= 1;
  const corrupted = await bucketWith(t, (response) => response.end(damaged));
  for (const [start, end] of ranges) {
    const chunks: Buffer[] = [];
    const stream = (await corrupted.getRange(label, start, end)).on('data', (chunk) => chunks.push(chunk));
    const [error] = (await once(stream, 'error')) as [unknown];
    assert.ok(error instanceof LabelCorrupted);
    assert.ok(Buffer.concat(chunks).length < end - start + 1);
  }
});

void test('the page that a failing server sends with its error is not left half read', async (t) => {
  const responses: ServerResponse[] = [];
  const bucket = await bucketThat(t, (response) => {
    responses.push(response);
    // Without an end: a proxy's page may be of any length.
    response.writeHead(502).write('<html>');
  });
  await assert.rejects(bucket.get('labels/1.pdf'), StoreUnavailable);
  assert.equal(responses.length, 2);
  for (const response of responses) if (!response.closed) await once(response, 'close');
});
