import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldBytes } from './held-bytes.ts';

/** Adds downloads of 10 bytes, each with its speed, and returns those that were given up for a maximum of 30 bytes. */
function givenUp(downloads: readonly { owner: string; speed: number }[]): number[] {
  const lost: number[] = [];
  const held = createHeldBytes<number>(
    30,
    (key) => lost.push(key),
    (key) => downloads[key]!.speed,
  );
  downloads.forEach(({ owner }, key) => held.add(key, 10, owner));
  return lost;
}

const download = (owner: string, speed: number) => ({ owner, speed });

test('the owner with most bytes gives up its slowest, however slow the others are', () => {
  const owners = [download('small', 1), download('large', 9), download('large', 8), download('large', 9)];
  assert.deepEqual(givenUp(owners), [2]);
});

test('of owners with equally many bytes, the slowest gives up first', () => {
  const owners = [download('a', 5), download('b', 7), download('c', 3), download('d', 9)];
  assert.deepEqual(givenUp(owners), [2]);
});

test('of equally slow ones, the one that has been there longest is given up first', () => {
  const owners = ['a', 'b', 'c', 'd', 'e'].map((owner) => download(owner, 4));
  assert.deepEqual(givenUp(owners), [0, 1]);
});
