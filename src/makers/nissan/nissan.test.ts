import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source as nissan } from './source.ts';

test('the stamp of the unofficial copy is known, also when it is broken over lines', () => {
  const stamp = '**Not actual Monroney Label. Provided for\ninformational purposes only. Unofficial Copy**';
  assert.match(stamp, nissan.picture!.notice);
  assert.doesNotMatch('Unofficial Copy', nissan.picture!.notice);
});

test('nobody reads its labels, as they are pictures', () => {
  assert.equal(nissan.reader, null);
});
