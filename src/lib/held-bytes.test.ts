import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldBytes } from './held-bytes.ts';

test('beyond the maximum, the owner with most bytes loses those that have been there longest', () => {
  const givenUp: string[] = [];
  const held = createHeldBytes<string>(100, (key) => givenUp.push(key));
  held.add('a', 30, 'honest');
  held.add('b', 40, 'greedy');
  held.add('c', 30, 'greedy');
  assert.deepEqual(givenUp, []);
  held.add('d', 10, 'new');
  assert.deepEqual(givenUp, ['b']);
  held.remove('c');
  held.remove('c');
  held.add('e', 60, 'greedy');
  assert.deepEqual(givenUp, ['b']);
  held.add('f', 200, 'other');
  assert.deepEqual(givenUp, ['b', 'f']);
});

test('what several hold counts once, but as a whole for each of them', () => {
  const givenUp: string[] = [];
  const held = createHeldBytes<string>(100, (key) => givenUp.push(key));
  held.add('a', 60, 'first', 'file');
  held.add('b', 60, 'second', 'file');
  held.remove('a');
  held.add('c', 30, 'third');
  assert.deepEqual(givenUp, []);
  held.add('d', 40, 'third');
  assert.deepEqual(givenUp, ['c']);
});
