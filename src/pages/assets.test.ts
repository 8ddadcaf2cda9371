import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { createHeaders } from '../http/headers.ts';
import { assetResponse, BARCODE_BASE, findAsset, textAsset, type Asset } from './assets.ts';

const text = 'body { color: black }\n'.repeat(50);

async function get(asset: Asset, accepted?: string) {
  const server = { headerSets: createHeaders('https://example.org') };
  const request = { headers: { 'accept-encoding': accepted }, server } as unknown as FastifyRequest;
  const { headers, body } = await assetResponse(request, asset);
  return { encoding: headers['content-encoding'] ?? null, body: body as Buffer };
}

test('a file is sent in the encoding that the client accepts, Brotli before gzip', async () => {
  const file = textAsset('text/css', text);
  const brotli = await get(file, 'gzip, deflate, br, zstd');
  assert.equal(brotli.encoding, 'br');
  assert.equal(brotliDecompressSync(brotli.body).toString(), text);
  const gzip = await get(file, 'gzip');
  assert.equal(gzip.encoding, 'gzip');
  assert.equal(gunzipSync(gzip.body).toString(), text);
  for (const accepted of [undefined, '', 'identity', 'br;q=0, gzip;q=0'])
    assert.deepEqual(await get(file, accepted), { encoding: null, body: Buffer.from(text) });
});

test('the bar code reader is sent as gzip or plain, never as Brotli', async () => {
  const file = findAsset(`${BARCODE_BASE}worker.js`)!;
  assert.equal((await get(file, 'br, gzip')).encoding, 'gzip');
  assert.equal((await get(file, 'br')).encoding, null);
});

test('clients that receive a file slowly share its bytes, in each encoding', async () => {
  for (const file of [textAsset('text/css', text), findAsset(`${BARCODE_BASE}reader.wasm`)!])
    for (const accepted of ['identity', 'gzip', 'br'])
      assert.equal((await get(file, accepted)).body, (await get(file, accepted)).body, accepted);
});
