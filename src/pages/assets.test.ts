import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { encoded, sendEncoded } from './assets.ts';

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
  for (const accepted of [undefined, '', 'identity'])
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
