import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { unbrotli } from '../src/brotli.ts';
import { bytesOf, textOf } from '../src/text-bytes.ts';
import { vpic } from '../../../test/decoder.ts';

const compress = (bytes: Uint8Array, quality: number): Uint8Array =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
/** With the high bit, as parts are compressed. */
const real = vpic.data.bytes.wmis.subarray(0, 20_000).map((byte) => byte ^ 0x80);

test('brotli is unpacked as Node does, at every quality', () => {
  const repeating = Uint8Array.from({ length: 30_000 }, (_, i) => (i % 7) * (i % 11) + 128 * (i % 2));
  for (let quality = 0; quality <= 11; quality++)
    for (const bytes of [real, repeating, new Uint8Array(100_000), new Uint8Array(1), new Uint8Array(0)])
      assert.ok(
        Buffer.from(bytes).equals(unbrotli(compress(bytes, quality), bytes.length)),
        `quality ${quality}`,
      );
});

test('damaged brotli is an error, never an endless loop', () => {
  const good = compress(real, 11);
  for (let at = 0; at < good.length; at += 97) {
    const bad = Uint8Array.from(good);
    bad[at]! ^= 1 << (at % 8);
    try {
      assert.equal(unbrotli(bad, real.length).length, real.length);
    } catch (error) {
      assert.equal((error as Error).name, 'DataFileError');
    }
  }
  assert.throws(() => unbrotli(good.subarray(0, good.length / 2), real.length), { name: 'DataFileError' });
});

test('bytes survive as text that needs no escapes in a script', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * i * 31 + length * 7) % 256);
    const text = textOf(bytes);
    assert.doesNotMatch(text, /["\\<\s]/);
    assert.deepEqual(bytesOf(text, length), bytes);
  }
});
