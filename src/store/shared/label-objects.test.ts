import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { StoreUnavailable } from '../errors.ts';
import { newLabel, sha256Of } from '../testing.ts';
import { openBucket } from './bucket.ts';
import { labelObjects } from './label-objects.ts';

const label = {
  ...newLabel('1FTFW1E80PFA00001'),
  bytes: 8_000_000,
  sha256: sha256Of(Buffer.from('a label')),
};

/** A bucket whose responses to ranges begin with `contentRange` and never end. */
async function endlessBucket(t: { after(work: () => void): void }, contentRange: (range: string) => string) {
  const downloads: ServerResponse[] = [];
  const s3 = createServer((request, response) => {
    const range = contentRange(String(request.headers.range).replace('bytes=', ''));
    downloads.push(response.writeHead(206, { 'Content-Range': `bytes ${range}/${label.bytes}` }));
    response.write('%PDF-1.7');
  });
  s3.listen(0, '127.0.0.1');
  await once(s3, 'listening');
  t.after(() => {
    s3.close();
    s3.closeAllConnections();
  });
  const { port } = s3.address() as AddressInfo;
  return { downloads, bytes: labelObjects(openBucket(`s3+http://key:secret@127.0.0.1:${port}/labels`)) };
}

void test('a client that leaves before the first byte ends the download from the bucket', async (t) => {
  const { downloads, bytes } = await endlessBucket(t, (range) => range);
  for (const end of [label.bytes - 1, 1000]) {
    const stream = await bytes.getRange(label, 0, end);
    const ended = once(downloads.at(-1)!, 'close');
    stream.destroy();
    await ended;
  }
});

void test('a bucket that sends another range than requested is unavailable', async (t) => {
  const { bytes } = await endlessBucket(t, () => `0-${label.bytes - 1}`);
  await assert.rejects(bytes.getRange(label, 5, 9), StoreUnavailable);
});
