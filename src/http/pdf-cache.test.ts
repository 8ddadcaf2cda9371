import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SharedBody } from './response.ts';
import { createPdfCache } from './pdf-cache.ts';
import { labelOf } from './testing.ts';

function cache(maxBytes: number, maxLingeringBytes?: number) {
  const reads: string[] = [];
  const files = new Map<string, Buffer>();
  const pdfs = createPdfCache({
    read: async (label) => {
      reads.push(label.vin);
      return files.get(label.vin)!;
    },
    maxBytes,
    maxLingeringBytes,
  });
  const label = (vin: string, bytes: number) => {
    files.set(vin, Buffer.alloc(bytes, vin));
    return labelOf(vin, files.get(vin)!);
  };
  return { pdfs, reads, label };
}

test('a file is read once while it is in memory, for any number of concurrent requests', async () => {
  const { pdfs, reads, label } = cache(1000);
  const a = label('A', 400);
  const taken = await Promise.all([pdfs.take(a), pdfs.take(a), pdfs.take(a)]);
  assert.equal(taken[0]!.bytes.length, 400);
  await pdfs.take(a);
  assert.deepEqual(reads, ['A']);
});

test('the least recently used file is evicted', async () => {
  const { pdfs, reads, label } = cache(1000);
  const [a, b, c] = [label('A', 400), label('B', 400), label('C', 400)];
  for (const one of [a, b, a, c, a, b]) (await pdfs.take(one))!.done();
  assert.deepEqual(reads, ['A', 'B', 'C', 'B']);
  assert.deepEqual(pdfs.bytes(), { kept: 800, lingering: 0 });
});

test('bytes used by slow readers are counted until they are done', async () => {
  const { pdfs, label } = cache(500);
  const slow = [await pdfs.take(label('A', 400)), await pdfs.take(label('A', 400))];
  const other = await pdfs.take(label('B', 400));
  assert.deepEqual(pdfs.bytes(), { kept: 400, lingering: 400 });
  slow[0]!.done();
  assert.equal(pdfs.bytes().lingering, 400);
  slow[1]!.done();
  assert.equal(pdfs.bytes().lingering, 0);
  other!.done();
});

test('beyond the bound for slow readers, files are streamed', async () => {
  const { pdfs, label } = cache(0, 1000);
  const slow: SharedBody[] = [];
  slow.push((await pdfs.take(label('A', 400)))!, (await pdfs.take(label('B', 400)))!);
  assert.equal(await pdfs.take(label('C', 400)), null);
  slow[0]!.done();
  assert.notEqual(await pdfs.take(label('C', 400)), null);
});

test('a failed read is retried the next time, and leaks nothing', async () => {
  let fail = true;
  const pdfs = createPdfCache({
    read: async () => {
      if (fail) throw new Error('gone');
      return Buffer.from('A');
    },
    maxBytes: 100,
  });
  const label = labelOf('A', Buffer.from('A'));
  await assert.rejects(async () => pdfs.take(label), /gone/);
  assert.deepEqual(pdfs.bytes(), { kept: 0, lingering: 0 });
  fail = false;
  assert.equal((await pdfs.take(label))!.bytes.toString(), 'A');
});

test('a buffer is reused only after its last reader is done', async () => {
  const pdfs = createPdfCache({
    read: async (label, allocate) => allocate().fill(label.vin),
    maxBytes: 5000,
  });
  const take = async (vin: string) => (await pdfs.take(labelOf(vin, Buffer.alloc(4000, vin))))!;
  const [slow, gone] = [await take('A'), await take('B')];
  gone.done();
  const others = [await take('C'), await take('D'), await take('E')];
  for (const [index, vin] of ['C', 'D', 'E'].entries())
    assert.equal(others[index]!.bytes.toString('latin1', 0, 1), vin);
  assert.ok(slow.bytes.equals(Buffer.alloc(4000, 'A')), 'still being read');
  slow.done();
  for (const other of others) other.done();
  const reread = await take('F');
  assert.ok(reread.bytes.equals(Buffer.alloc(4000, 'F')));
});

test('a request that waited for a file which was evicted meanwhile gets the right bytes', async () => {
  const pdfs = createPdfCache({ read: async (label, allocate) => allocate().fill(label.vin), maxBytes: 0 });
  const label = (vin: string) => labelOf(vin, Buffer.alloc(4000, vin));
  const results = ['A', 'A', 'B', 'A', 'B'].map(async (vin) => {
    const taken = (await pdfs.take(label(vin)))!;
    const right = taken.bytes.equals(Buffer.alloc(4000, vin));
    taken.done();
    return right;
  });
  assert.deepEqual(await Promise.all(results), [true, true, true, true, true]);
  assert.equal(pdfs.bytes().lingering, 0);
});

test('synchronously read files are cached on the second request, and not by a scan of all files', async () => {
  const reads: string[] = [];
  const pdfs = createPdfCache({
    read: (label, allocate) => {
      reads.push(label.vin);
      return allocate().fill(label.vin);
    },
    maxBytes: 1_000_000,
  });
  const take = async (vin: string) => {
    const taken = (await pdfs.take(labelOf(vin, Buffer.alloc(4000, vin))))!;
    assert.ok(taken.bytes.equals(Buffer.alloc(4000, vin)));
    taken.done();
  };
  for (let n = 0; n < 2000; n++) await take(`V${n % 1000}`);
  assert.ok(reads.length > 1990, `${reads.length} reads`);
  const { kept, lingering } = pdfs.bytes();
  assert.ok(kept < 10 * 4000 && lingering === 0);
  const before = reads.length;
  for (let n = 0; n < 5; n++) await take('A');
  assert.deepEqual(reads.slice(before), ['A', 'A']);
  assert.equal(pdfs.bytes().kept, kept + 4000);
});
