import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pdfOf, sha256Of, temporaryFolder } from '../testing.ts';
import { openBucket } from './bucket.ts';
import { labelBytes, openDiskCache } from './label-bytes.ts';

const onLinux = process.platform === 'linux' ? false : 'skipped: only Linux lists the open files';

void test('a client that leaves before the first byte leaves no file open', { skip: onLinux }, async (t) => {
  const cache = openDiskCache(temporaryFolder(t), 2 ** 24);
  const pdf = pdfOf('1FTFW1E80PFA00001', 1_000_000);
  const sha256 = sha256Of(pdf);
  await cache.put(sha256, pdf);
  const bytes = labelBytes(openBucket('s3+http://key:secret@127.0.0.1:9/labels'), cache);
  for (const end of [pdf.length - 1, 1000]) (await bytes.pdfStream(sha256, 0, end)).destroy();
  const isOpen = (fd: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes(sha256);
    } catch {
      return false;
    }
  };
  await sleep(100);
  assert.deepEqual(readdirSync('/proc/self/fd').filter(isOpen), []);
});

void test('a client that leaves before the first byte ends the download from the bucket', async (t) => {
  let download: ServerResponse | undefined;
  const s3 = createServer((_, response) => {
    download = response.writeHead(206, { 'Content-Range': 'bytes 0-999999/1000000' });
    response.write('%PDF-1.7');
  });
  await new Promise<void>((resolve) => s3.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    s3.close();
    s3.closeAllConnections();
  });
  const { port } = s3.address() as AddressInfo;
  const cache = openDiskCache(temporaryFolder(t), 2 ** 24);
  const bytes = labelBytes(openBucket(`s3+http://key:secret@127.0.0.1:${port}/labels`), cache);
  const sha256 = sha256Of(Buffer.from('a label'));
  for (const end of [999_999, 1000]) {
    const stream = await bytes.pdfStream(sha256, 0, end);
    const ended = once(download!, 'close').then(() => 'ended');
    stream.destroy();
    assert.equal(await Promise.race([ended, sleep(2000, 'still open', { ref: false })]), 'ended');
  }
});
