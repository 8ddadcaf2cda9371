import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { createHeaders } from '../http/headers.ts';
import { assetResponse, BARCODE_BASE, findAsset, textAsset, type Asset } from './assets.ts';

const text = 'body { color: black }\n'.repeat(50);

async function bytesOf(asset: Asset, accepted: string) {
  const server = { headerSets: createHeaders('https://example.org') };
  const request = { headers: { 'accept-encoding': accepted }, server } as unknown as FastifyRequest;
  return (await assetResponse(request, asset)).body;
}

test('clients that receive a file slowly share its bytes, in each encoding', async () => {
  for (const file of [textAsset('text/css', text), findAsset(`${BARCODE_BASE}reader.wasm`)!])
    for (const accepted of ['identity', 'gzip', 'br'])
      assert.equal(await bytesOf(file, accepted), await bytesOf(file, accepted), accepted);
});
