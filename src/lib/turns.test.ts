import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.ts';

test('one piece runs per turn of the event loop, in the order of the calls', async () => {
  const turn = createTurns();
  const events: string[] = [];
  const work = async (name: string) => {
    for (let piece = 1; piece <= 2; piece++) {
      await turn();
      events.push(`${name}${piece}`);
      setImmediate(() => events.push('other'));
    }
  };
  await Promise.all([work('a'), work('b')]);
  await turn();
  assert.deepEqual(events, ['a1', 'b1', 'other', 'a2', 'other', 'b2', 'other', 'other']);
});
