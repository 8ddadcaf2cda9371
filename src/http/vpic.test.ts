import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependenciesWith, fakeLookup, serving } from './testing.ts';

test('of NHTSA’s lists that were requested at once, each is sent before the next is made', async () => {
  let [unsent, mostUnsent] = [0, 0];
  const makes = () => {
    mostUnsent = Math.max(mostUnsent, ++unsent);
    // Slow, so that the others are waiting meanwhile.
    for (const start = performance.now(); performance.now() < start + 20;);
    return [];
  };
  const dependencies = dependenciesWith(fakeLookup().lookup);
  dependencies.vpic = { ...dependencies.vpic, makes };
  await serving(dependencies, async (origin) => {
    const request = async () => {
      await fetch(`${origin}/vpic/api/vehicles/GetAllMakes`);
      unsent--;
    };
    await Promise.all(Array.from({ length: 10 }, request));
    assert.ok(mostUnsent < 5, `${mostUnsent} lists were made and not sent`);
  });
});
