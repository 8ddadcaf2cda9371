import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASKINGS_A_MINUTE, createAskingLimit } from './asking-limit.ts';

test('twenty VINs a minute may be asked for, the next one has to wait for the first to be a minute old', () => {
  let now = 0;
  const limit = createAskingLimit(() => now);
  for (let n = 0; n < ASKINGS_A_MINUTE; n++) {
    now = n * 1000;
    assert.equal(limit.take('here', `vin ${n}`), true);
  }
  assert.deepEqual(limit.take('here', 'one more'), { inSeconds: 41 });
  assert.equal(limit.take('there', 'one more'), true, 'another address has a share of its own');
  now = 60_000;
  assert.equal(limit.take('here', 'one more'), true);
  assert.deepEqual(limit.take('here', 'and another'), { inSeconds: 1 });
});

test('asking again for the same VIN costs nothing', () => {
  const limit = createAskingLimit(() => 0, 1);
  for (let n = 0; n < 100; n++) assert.equal(limit.take('here', 'the same'), true);
  assert.notEqual(limit.take('here', 'another'), true);
});

test('the address that was quiet longest is forgotten, not the busy one', () => {
  const limit = createAskingLimit(() => 0, 1);
  limit.take('quiet', 'a');
  limit.take('busy', 'a');
  for (let n = 0; n < 9_999; n++) {
    limit.take(`address ${n}`, 'a');
    limit.take('busy', 'a');
  }
  assert.notEqual(limit.take('busy', 'b'), true);
  assert.equal(limit.take('quiet', 'b'), true);
});

test('an address is forgotten a minute after its last asking', () => {
  let now = 0;
  const limit = createAskingLimit(() => now);
  limit.take('early', 'a');
  now = 30_000;
  limit.take('late', 'a');
  now = 60_000;
  limit.forget();
  assert.equal(limit.size(), 1);
  now = 90_000;
  limit.forget();
  assert.equal(limit.size(), 0);
});
