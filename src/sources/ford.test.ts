import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ford } from './ford.ts';

const says = (text: string) => ford.none.some((pattern) => pattern.test(text));

test('Ford’s two sentences about an unreleased label mean none', () => {
  assert.ok(says('The window sticker for this vehicle has not yet been released.'));
  assert.ok(says('Please check back later'));
});

test('words that stand on a real Ford label do not mean none', () => {
  assert.ok(!says('VEHICLE DESCRIPTION F-150 EXTERIOR THIS LABEL IS AFFIXED PURSUANT TO THE FEDERAL ACT'));
});

test('a miss is asked for again after a day, as an unreleased label may be there tomorrow', () => {
  assert.deepEqual(ford.noneHours, { recent: 24, older: 24 });
});
