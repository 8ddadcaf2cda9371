import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { BARCODE_WORKER, encoded, registerBarcodeAssets, sendEncoded } from './assets.ts';
import type { PageEnv } from './page-context.ts';

const text = 'body { color: black }\n'.repeat(50);

test('a file is sent in the encoding that the client accepts, Brotli before gzip', async () => {
  const file = encoded(text);
  const send = async (accepted?: string) => {
    const response = await sendEncoded(file, 'text/css', accepted);
    return {
      encoding: response.headers.get('content-encoding'),
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
  const brotli = await send('gzip, deflate, br, zstd');
  assert.equal(brotli.encoding, 'br');
  assert.equal(brotliDecompressSync(brotli.body).toString(), text);
  const gzip = await send('gzip');
  assert.equal(gzip.encoding, 'gzip');
  assert.equal(gunzipSync(gzip.body).toString(), text);
  for (const accepted of [undefined, '', 'identity', 'br;q=0, gzip;q=0'])
    assert.deepEqual(await send(accepted), { encoding: null, body: Buffer.from(text) });
});

test('a file is compressed once per encoding', async () => {
  const file = encoded(text);
  await sendEncoded(file, 'text/css', 'br');
  const compressed = file.brotli;
  assert.ok(compressed);
  await sendEncoded(file, 'text/css', 'br');
  assert.equal(file.brotli, compressed);
});

test('clients that receive a file slowly share its bytes', async () => {
  const app = new Hono<PageEnv>();
  registerBarcodeAssets(app);
  const pages = getRequestListener(app.fetch);
  const sent = new Set<ArrayBufferLike>();
  const server = createServer((req, res) => {
    const end = res.end.bind(res) as (body: Uint8Array) => typeof res;
    res.end = ((body: Uint8Array) => {
      sent.add(body.buffer);
      return end(body);
    }) as typeof res.end;
    void pages(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BARCODE_WORKER.replace('worker.js', 'reader.wasm')}`;
  try {
    for (const encoding of ['identity', 'gzip']) {
      sent.clear();
      for (let n = 0; n < 3; n++) {
        const response = await fetch(url, { headers: { 'accept-encoding': encoding } });
        assert.ok((await response.bytes()).length > 900_000);
      }
      assert.equal(sent.size, 1, encoding);
    }
  } finally {
    server.close();
  }
});
