import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpus, run, tryRecipe } from '../../tools/drill/fuzz-readers.ts';
import { isLong } from '../size.ts';

for (const [name, recipe] of corpus()) {
  test(`input that once took seconds is now fast: ${name}`, async () => {
    assert.equal(await tryRecipe(recipe), null);
  });
}

test('generated bodies and labels are judged and read quickly', async () => {
  const { failures, figures } = await run({ minutes: isLong ? 0.5 : 0.01, seed: 1, withCorpus: false });
  assert.deepEqual(failures, []);
  assert.ok(Number(figures['tried']) > 0);
});
