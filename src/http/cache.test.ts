import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createMetrics } from '../lib/metrics.ts';
import { createResponseCache } from './cache.ts';
import { createHeaders } from './headers.ts';
import { labelOf } from './testing.ts';

const MB = 1024 * 1024;

function opened(pdfCacheBytes: number, beforeRead = async () => {}) {
  const reads: string[] = [];
  let time = 0;
  const cache = createResponseCache({
    readPdf: async ({ vin, bytes }) => {
      reads.push(vin);
      await beforeRead();
      return Buffer.alloc(bytes, vin);
    },
    pdfCacheBytes,
    headerSets: createHeaders('http://labels.example'),
    metrics: createMetrics(),
    now: () => time,
  });
  const label = (vin: string, bytes: number) => cache.setLabel({ ...labelOf(vin, Buffer.from(vin)), bytes });
  return { cache, reads, label, pass: (ms: number) => (time += ms) };
}

test('a file is read once while it is in memory, for any number of concurrent requests', async () => {
  const { cache, reads, label } = opened(MB);
  const a = label('A', 400);
  const taken = await Promise.all([cache.pdf(a), cache.pdf(a), cache.pdf(a)]);
  assert.equal(taken[0].length, 400);
  await cache.pdf(cache.label('A')!);
  assert.deepEqual(reads, ['A']);
});

test('the least recently used files are evicted', async () => {
  const { cache, reads, label } = opened(4 * MB);
  // Lookups and labels have 16 MB besides.
  for (let n = 0; n < 8; n++) await cache.pdf(label(`V${n}`, 3 * MB));
  reads.length = 0;
  await cache.pdf(cache.label('V7')!);
  assert.deepEqual(reads, []);
  assert.equal(cache.label('V0'), undefined);
});

test('at most 64 MB of files are being read at once, and the others wait', async () => {
  const waiting: (() => void)[] = [];
  const { cache, reads, label } = opened(0, () => new Promise((resolve) => waiting.push(resolve)));
  const pdfs = Array.from({ length: 5 }, (_, n) => cache.pdf(label(`V${n}`, 20 * MB)));
  const again = cache.pdf(label('V0', 20 * MB));
  assert.deepEqual(reads, ['V0', 'V1', 'V2']);
  for (let done = waiting.shift(); done; done = waiting.shift()) {
    done();
    await setImmediate();
  }
  assert.deepEqual(
    new Set((await Promise.all([...pdfs, again])).map((pdf) => pdf.length)),
    new Set([20 * MB]),
  );
  assert.deepEqual(reads, ['V0', 'V1', 'V2', 'V3', 'V4']);
});

test('after ten minutes the store is read again, and a replaced label is forgotten at once', () => {
  const { cache, label, pass } = opened(MB);
  label('A', 400);
  cache.setLookup('A', '{}');
  pass(599_000);
  assert.notEqual(cache.lookup('A'), undefined);
  pass(2000);
  assert.deepEqual([cache.lookup('A'), cache.label('A')], [undefined, undefined]);
  cache.setLookup('A', '{}');
  cache.drop('A');
  assert.equal(cache.lookup('A'), undefined);
});
