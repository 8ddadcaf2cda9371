import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../tools/drill/upgrade.ts';

void test('instances are killed and upgraded one by one, and clients notice only the kills', async (t) => {
  const { ok, figures, failures } = await run({ seconds: 0.5 });
  if (figures.skipped) return t.skip(String(figures.skipped));
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(failures, []);
  assert.ok(ok);
});
