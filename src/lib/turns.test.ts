import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from './turns.ts';

test('one piece runs per turn of the event loop, in the order of the calls', async () => {
  const { next: turn } = createTurns();
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
  assert.deepEqual(events, ['a1', 'other', 'b1', 'other', 'a2', 'other', 'b2', 'other']);
});

test('work that has begun comes before work that has not', async () => {
  const { next, nextOfSame } = createTurns();
  const events: string[] = [];
  const work = async (name: string) => {
    await next();
    events.push(`${name}1`);
    await nextOfSame();
    events.push(`${name}2`);
  };
  await Promise.all([work('a'), work('b'), work('c')]);
  assert.deepEqual(events, ['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
});

test('a long piece is followed by a rest of the same length', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const { next } = createTurns(() => now);
  let done = 0;
  const work = async () => {
    await next();
    now += 30;
    done++;
  };
  const both = Promise.all([work(), work()]);
  const passTurns = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  await passTurns();
  t.mock.timers.tick(29);
  await passTurns();
  assert.equal(done, 1);
  t.mock.timers.tick(1);
  await both;
});
