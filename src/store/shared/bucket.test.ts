import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { StoreUnavailable } from '../store.ts';
import { openBucket } from './bucket.ts';

void test('the page that a failing server sends with its error is not left half read', async (t) => {
  const responses: ServerResponse[] = [];
  const s3 = createServer((_, response) => {
    responses.push(response);
    // Without an end: a proxy's page may be of any length.
    response.writeHead(502).write('<html>');
  });
  await new Promise<void>((resolve) => s3.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    s3.close();
    s3.closeAllConnections();
  });
  const { port } = s3.address() as AddressInfo;
  const bucket = openBucket(`s3+http://key:secret@127.0.0.1:${port}/labels`);
  await assert.rejects(bucket.get('labels/1.pdf'), StoreUnavailable);
  assert.equal(responses.length, 2);
  for (const response of responses) if (!response.closed) await once(response, 'close');
});
