import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subaru } from './subaru.ts';

test('its placeholder means none, and so does a page of its website', () => {
  const text =
    'We are sorry, the window sticker for the vehicle you selected is not available at this time. (c:01)';
  assert.ok(subaru.none.some((pattern) => pattern.test(text)));
  assert.equal(subaru.page, 'none');
});
