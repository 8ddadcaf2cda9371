import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDigit, hasRightCheckDigit, isVin, parseVin, repairsOf, tidyVin } from '@monroney/client/vin';

test('VINs are checked and repaired offline', () => {
  assert.ok(isVin('1M8GDM9AXKP042788') && !isVin('1M8GDM9AXKPO42788'));
  assert.equal(checkDigit('1M8GDM9A_KP042788'), 'X');
  assert.equal(hasRightCheckDigit('1M8GDM9A1KP042788'), false);
  assert.equal(tidyVin('1m8gdm9a-xkp 042788'), '1M8GDM9AXKP042788');
  assert.deepEqual(repairsOf('1M8GDM9AXKPO42788'), ['1M8GDM9AXKP042788']);
  const wrong = parseVin('1M8GDM9AXKPO42788');
  assert.ok(!wrong.ok && wrong.position === 12);
});
