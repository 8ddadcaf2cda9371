import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toyota } from './toyota.ts';
import { hostsOf } from './source.ts';

test('every platform is asked in turn, since each knows only the cars its dealers sell', () => {
  assert.equal(toyota.turn, 'each');
  assert.equal(hostsOf(toyota).length, 3);
  assert.equal(toyota.notFound, 'none');
});
