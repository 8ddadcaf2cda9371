import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from './memory-cache.ts';

const lengthOf = (text: string) => text.length;

test('all kinds share one bound, and what was used least recently goes first', () => {
  const cache = createMemoryCache(10_000);
  const [pages, cards] = [cache.of('page', lengthOf), cache.of('card', lengthOf)];
  pages.set('old', 'x'.repeat(4000));
  pages.set('used', 'x'.repeat(4000));
  pages.get('old');
  cards.set('new', 'x'.repeat(4000));
  assert.equal(pages.get('used'), undefined);
  assert.equal(pages.get('old')?.length, 4000);
  cards.set('too large', 'x'.repeat(20_000));
  assert.deepEqual([cards.get('too large'), cards.get('new')?.length], [undefined, 4000]);
});
