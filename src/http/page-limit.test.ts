import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageLimit, MAX_PAGES_PER_MINUTE, MAX_CONCURRENT_PAGES } from './page-limit.ts';

test('300 in a minute, then none until the first of them are a minute old', () => {
  let now = 12_345;
  const { enter, leave } = createPageLimit(() => now);
  const visit = (client = 'here') => {
    const wait = enter(client);
    if (wait === null) leave(client);
    return wait;
  };
  for (let n = 0; n < MAX_PAGES_PER_MINUTE; n++) assert.equal(visit(), null);
  now += 20_500;
  assert.equal(visit(), 40);
  assert.equal(visit('there'), null, 'another client is not concerned');
  now += 39_499;
  assert.equal(visit(), 1);
  now += 1;
  assert.equal(visit(), null);
});

test('twenty at once, and one more when one is finished', () => {
  const { enter, leave } = createPageLimit(() => 0);
  for (let n = 0; n < MAX_CONCURRENT_PAGES; n++) assert.equal(enter('here'), null);
  assert.equal(enter('here'), 2);
  leave('here');
  assert.equal(enter('here'), null);
});
