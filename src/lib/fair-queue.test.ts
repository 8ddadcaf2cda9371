import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/property.ts';
import { createFairQueue } from './fair-queue.ts';
import { visitorOf } from './limits.ts';

const CLIENTS = [
  '192.0.2.1',
  '192.0.2.2',
  '2001:db8:0:1201',
  '2001:db8:0:1202',
  '2001:db8:0:3401',
  '2001:db8:1:0',
  visitorOf('www.cars.example', '192.0.2.1'),
  visitorOf('www.cars.example', '192.0.2.2'),
  visitorOf('cars.example', '192.0.2.1'),
  visitorOf('', '192.0.2.1'),
];

type Step = { do: 'add' | 'remove' | 'evict'; client: string } | { do: 'next' };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('add' as const, 'add' as const, 'remove' as const, 'evict' as const),
      client: fc.constantFrom(...CLIENTS),
    }),
    fc.constant({ do: 'next' as const }),
  ),
  { maxLength: 60 },
);

interface Item {
  client: string;
}

test('every item leaves the queue once, in the order of its client, whatever happens in between', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const queue = createFairQueue<Item>();
      const waiting: Item[] = [];
      const leave = (item: Item | null | undefined) => item && waiting.splice(waiting.indexOf(item), 1);
      for (const step of taken) {
        if (step.do === 'next') {
          const item = queue.next();
          assert.equal(item === undefined, waiting.length === 0);
          if (item)
            assert.equal(
              item,
              waiting.find(({ client }) => client === item.client),
            );
          leave(item);
        } else if (step.do === 'add') {
          const item = { client: step.client };
          waiting.push(item);
          queue.add(step.client, item);
        } else if (step.do === 'remove') {
          const item = waiting.find(({ client }) => client === step.client) ?? { client: step.client };
          assert.equal(queue.remove(step.client, item), waiting.includes(item));
          if (waiting.includes(item)) leave(item);
        } else if (waiting.length > 0) {
          const item = queue.evictFor(step.client);
          if (item)
            assert.equal(
              item,
              waiting.findLast(({ client }) => client === item.client),
            );
          leave(item);
        }
        assert.equal(queue.size, waiting.length);
      }
      while (queue.size > 0) leave(queue.next());
      assert.deepEqual(waiting, []);
    }),
  );
});

test('of clients with equally many items, the one whose turn is last loses its newest', () => {
  const queue = createFairQueue<{ name: string }>();
  const add = (client: string, name: string) => queue.add(client, { name });
  for (const name of ['a1', 'a2', 'a3']) add('192.0.2.1', name);
  for (const name of ['b1', 'b2', 'b3']) add('192.0.2.2', name);
  const evicted = () => queue.evictFor('192.0.2.3')?.name;
  assert.deepEqual(
    [evicted(), evicted(), evicted(), evicted(), evicted()],
    ['b3', 'a3', 'b2', 'a2', undefined],
  );
  for (const [client, name] of [
    ['192.0.2.1', 'a4'],
    ['192.0.2.2', 'b4'],
  ] as const)
    add(client, name);
  add('192.0.2.1', 'a5');
  assert.equal(queue.next()?.name, 'a1');
  assert.deepEqual([evicted(), evicted(), evicted()], ['a5', 'b4', undefined]);
});

test('who isn’t ready keeps its turn and delays nobody', () => {
  const queue = createFairQueue<{ name: string; isReady: boolean }>();
  const late = { name: 'a1', isReady: false };
  queue.add('192.0.2.1', late);
  for (const name of ['b1', 'b2']) queue.add('192.0.2.2', { name, isReady: true });
  const next = () => queue.next(({ isReady }) => isReady)?.name;
  assert.equal(next(), 'b1');
  late.isReady = true;
  assert.deepEqual([next(), next(), next()], ['a1', 'b2', undefined]);
  queue.add('192.0.2.1', { name: 'a2', isReady: false });
  assert.deepEqual([next(), queue.size], [undefined, 1]);
});

test('the source that has cost least is next, until the queue was empty', () => {
  const queue = createFairQueue<{ name: string }, { source: string; client: string }>(
    ({ source, client }) => [source, client],
  );
  const add = (source: string, client: string, name: string) => queue.add({ source, client }, { name });
  const charge = (source: string, cost: number) => queue.charge({ source, client: 'whoever' }, cost);
  const fill = () => {
    for (const name of ['slow1', 'slow2']) add('slow', 'one', name);
    add('slow', 'other', 'slow3');
    for (const name of ['quick1', 'quick2', 'quick3']) add('quick', 'one', name);
  };
  const order = () => Array.from({ length: 6 }, () => queue.next()!.name);
  fill();
  charge('slow', 8000);
  charge('quick', 100);
  assert.deepEqual(order(), ['quick1', 'quick2', 'quick3', 'slow1', 'slow3', 'slow2']);
  fill();
  assert.deepEqual(order(), ['slow1', 'quick1', 'slow3', 'quick2', 'slow2', 'quick3']);
});
