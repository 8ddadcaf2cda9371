import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source as nissan } from './source.ts';

test('the stamp of an unofficial copy is recognized, even across line breaks', () => {
  const stamp = '**Not actual Monroney Label. Provided for\ninformational purposes only. Unofficial Copy**';
  assert.match(stamp, nissan.picture!.notice);
  assert.doesNotMatch('Unofficial Copy', nissan.picture!.notice);
});

test('its labels are pictures and have no reader', () => {
  assert.equal(nissan.reader, null);
});
