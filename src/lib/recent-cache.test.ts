import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecentCache } from './recent-cache.ts';

test('the latest entries are kept, and never more than twice as many', () => {
  const recent = createRecentCache<number>(100);
  for (let n = 0; n < 1000; n++) recent.set(`key ${n}`, n);
  const kept = Array.from({ length: 1000 }, (_, n) => recent.get(`key ${n}`)).filter((n) => n !== undefined);
  assert.ok(kept.length >= 100 && kept.length <= 200, String(kept.length));
  assert.ok(kept.every((n) => n >= 800));
});

test('an entry that is used again and again outlives any number of others', () => {
  const recent = createRecentCache<string>(10);
  recent.set('popular', 'kept');
  for (let n = 0; n < 1000; n++) {
    recent.set(`other ${n}`, 'dropped');
    if (n % 5 === 0) assert.equal(recent.get('popular'), 'kept');
  }
});

test('an entry is deleted from both generations', () => {
  const recent = createRecentCache<number>(2);
  recent.set('a', 1);
  recent.set('b', 2);
  recent.set('c', 3);
  recent.delete('a');
  recent.delete('c');
  assert.deepEqual([recent.get('a'), recent.get('b'), recent.get('c')], [undefined, 2, undefined]);
});
