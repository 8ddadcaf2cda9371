import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldBytes } from './held-bytes.ts';

test('beyond the maximum, those that have been there longest are given up', () => {
  const givenUp: string[] = [];
  const held = createHeldBytes<string>(100, (key) => givenUp.push(key));
  held.add('a', 40);
  held.add('b', 40);
  held.add('a', 20);
  assert.deepEqual(givenUp, []);
  held.remove('b');
  held.remove('b');
  held.add('c', 30);
  assert.deepEqual(givenUp, []);
  held.add('d', 11);
  assert.deepEqual(givenUp, ['a']);
  held.add('e', 200);
  assert.deepEqual(givenUp, ['a', 'c', 'd', 'e']);
  held.add('f', 100);
  assert.deepEqual(givenUp.length, 4);
});
