import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { readBody } from './body.ts';

const MEBIBYTE = 1024 * 1024;
const bounds = { maxBytes: 4 * MEBIBYTE, reserve: () => Promise.resolve(() => {}) };

function responseOf(body: Buffer, encoding: string): IncomingMessage {
  const headers = { 'content-encoding': encoding, 'content-length': String(body.length) };
  return Object.assign(Readable.from([body]), { headers, complete: true }) as unknown as IncomingMessage;
}

test('bodies are decompressed one at a time, because each takes a multiple of its size', async (t) => {
  const created: zlib.Gunzip[] = [];
  let overlapping = 0;
  const original = zlib.createGunzip;
  t.mock.method(zlib, 'createGunzip', (options: zlib.ZlibOptions) => {
    overlapping += created.filter((other) => !other.readableEnded && !other.destroyed).length;
    created.push(original(options));
    return created.at(-1)!;
  });
  const plain = Buffer.alloc(3 * MEBIBYTE, 'a label ');
  const bodies = [plain, Buffer.alloc(5 * MEBIBYTE), plain, Buffer.from('not compressed'), plain];
  const read = await Promise.all(
    bodies.map((body, index) =>
      readBody(responseOf(index === 3 ? body : zlib.gzipSync(body), 'gzip'), bounds),
    ),
  );
  assert.deepEqual(
    read.map((body) => (body.ok ? body.body.equals(plain) : body.reason)),
    [true, 'too-large', true, 'bad-encoding', true],
  );
  assert.deepEqual([created.length, overlapping], [5, 0]);
});
