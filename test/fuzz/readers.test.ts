import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpus, run, tryRecipe } from '../../tools/drill/fuzz-readers.ts';

for (const [name, made] of corpus()) {
  test(`what once took seconds takes little time: ${name}`, async () => {
    assert.equal(await tryRecipe(made), null);
  });
}

// `.ci/run` does this for half a minute.
test('made-up bodies and labels are judged and read in little time', async () => {
  const { failures, figures } = await run({ minutes: 0.01, seed: 1, withCorpus: false });
  assert.deepEqual(failures, []);
  assert.ok(Number(figures['tried']) > 0);
});
