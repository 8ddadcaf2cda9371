import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { createBodyBudget, readBody } from './response-body.ts';

const MEBIBYTE = 1024 * 1024;
const bounds = { maxBytes: 4 * MEBIBYTE, reserve: () => Promise.resolve(() => {}) };

function responseOf(body: Buffer, encoding: string): IncomingMessage {
  const headers = { 'content-encoding': encoding, 'content-length': String(body.length) };
  const response = { headers, complete: true, socket: { bytesRead: 0 } };
  return Object.assign(Readable.from([body]), response) as unknown as IncomingMessage;
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

const open = new AbortController().signal;
const settled = async <T>(promise: Promise<T>): Promise<T | 'waiting'> => {
  const later = new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')));
  return Promise.race([promise, later]);
};

test('a source gets half of the budget and does not block others behind it', async () => {
  const budget = createBodyBudget(100);
  const first = (await budget.reserve('a', 40, open))!;
  const second = budget.reserve('a', 40, open);
  assert.equal(await settled(second), 'waiting');
  assert.equal(typeof (await settled(budget.reserve('b', 40, open))), 'function');
  first();
  assert.equal(typeof (await settled(second)), 'function');
});

test('a reservation that is released twice counts once', async () => {
  const budget = createBodyBudget(100);
  const first = (await budget.reserve('a', 50, open))!;
  const second = (await budget.reserve('b', 50, open))!;
  first();
  first();
  const third = budget.reserve('c', 100, open);
  assert.equal(await settled(third), 'waiting');
  second();
  assert.equal(typeof (await settled(third)), 'function');
});

test('an aborted reservation leaves nothing reserved', async () => {
  const budget = createBodyBudget(100);
  const done = (await budget.reserve('a', 100, open))!;
  const leaving = new AbortController();
  const second = budget.reserve('b', 100, leaving.signal);
  leaving.abort();
  assert.equal(await second, null);
  assert.equal(await budget.reserve('b', 100, leaving.signal), null);
  done();
  assert.equal(typeof (await settled(budget.reserve('c', 100, open))), 'function');
});
