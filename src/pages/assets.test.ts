import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { createCompressor } from '../http/representation.ts';
import { createHeaders, type HttpResponse } from '../http/response.ts';
import { createMemoryCache } from '../lib/memory-cache.ts';
import { assetResponse, BARCODE_BASE, findAsset, STYLES } from './assets.ts';

const server = { headerSets: createHeaders('https://example.org') };

test('clients that receive a file slowly share its bytes, in each encoding', async () => {
  const compress = createCompressor(createMemoryCache());
  for (const path of [STYLES, `${BARCODE_BASE}reader.wasm`])
    for (const accepted of ['identity', 'gzip', 'br']) {
      const bytes = async () => {
        const request = { headers: {}, path, server } as unknown as FastifyRequest;
        const sent = (await assetResponse(request, findAsset(path)!)) as HttpResponse;
        return (await compress(accepted, sent)).body;
      };
      const [first, second] = await Promise.all([bytes(), bytes()]);
      assert.equal(first, second, accepted);
      assert.equal(await bytes(), first, accepted);
    }
});
