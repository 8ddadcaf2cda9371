import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createMetrics } from '../lib/metrics.ts';
import { fakeTime } from '../../test/fake-time.ts';
import { createResponseCache } from './cache.ts';
import { createHeaders } from './response.ts';
import { labelOf } from './testing.ts';

const MB = 1024 * 1024;

function opened(pdfCacheBytes: number, beforeRead = async (_vin: string) => {}) {
  const reads: string[] = [];
  const cache = createResponseCache({
    lookup: {
      async pdf({ vin, bytes }) {
        reads.push(vin);
        await beforeRead(vin);
        return Buffer.alloc(bytes, vin);
      },
      switches: { onWithheldChange() {} },
    },
    store: { onReplaced() {} },
    pdfCacheBytes,
    headerSets: createHeaders('http://labels.example'),
    metrics: createMetrics(),
  });
  const label = (vin: string, bytes: number) => cache.setLabel({ ...labelOf(vin, Buffer.from(vin)), bytes });
  return { cache, reads, label };
}

test('a file is read once while it is in memory, for any number of concurrent requests', async () => {
  const { cache, reads, label } = opened(MB);
  const a = label('A', 400);
  const taken = await Promise.all([cache.pdf(a), cache.pdf(a), cache.pdf(a)]);
  assert.equal(taken[0].length, 400);
  await cache.pdf(cache.label('A')!);
  assert.deepEqual(reads, ['A']);
});

test('the least recently used files are evicted, and a very large one displaces none', async () => {
  const { cache, reads, label } = opened(8 * MB);
  // Lookups and labels have 16 MB besides.
  for (let n = 0; n < 9; n++) await cache.pdf(label(`V${n}`, 3 * MB));
  reads.length = 0;
  await cache.pdf(cache.label('V8')!);
  assert.deepEqual(reads, []);
  assert.equal(cache.label('V0'), undefined);
  await cache.pdf(label('large', 4 * MB + 1));
  await cache.pdf(cache.label('large')!);
  assert.deepEqual(reads, ['large', 'large']);
});

test('at most 64 MB of files are being read at once, and the others wait in order', async () => {
  const reading = new Map<string, PromiseWithResolvers<void>>();
  const { cache, reads, label } = opened(0, (vin) => {
    reading.set(vin, Promise.withResolvers());
    return reading.get(vin)!.promise;
  });
  const ended: string[] = [];
  const request = (vin: string, bytes: number) =>
    cache.pdf(label(vin, bytes)).then(
      (pdf) => ended.push(`${vin} ${pdf.length === bytes}`),
      () => ended.push(`${vin} failed`),
    );
  for (const vin of ['A', 'B', 'C', 'D', 'E']) void request(vin, 20 * MB);
  // It would fit now.
  void request('small', MB);
  void request('A', 20 * MB);
  void request('D', 20 * MB);
  await setImmediate();
  assert.deepEqual(reads, ['A', 'B', 'C']);
  // That one can't be read concerns those alone who requested it.
  reading.get('A')!.reject(new Error('lost'));
  await setImmediate();
  assert.deepEqual(reads, ['A', 'B', 'C', 'D']);
  reading.get('B')!.resolve();
  await setImmediate();
  assert.deepEqual(reads, ['A', 'B', 'C', 'D', 'E', 'small']);
  for (const one of reading.values()) one.resolve();
  await setImmediate();
  assert.deepEqual(ended.toSorted(), [
    'A failed',
    'A failed',
    'B true',
    'C true',
    'D true',
    'D true',
    'E true',
    'small true',
  ]);
});

test('after ten minutes the store is read again, and a replaced label is forgotten at once', (t) => {
  const { pass } = fakeTime(t);
  const { cache, label } = opened(MB);
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
