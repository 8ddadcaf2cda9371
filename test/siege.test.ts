// lane: drill
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../tools/drill/siege.ts';

test('clients that don’t read, leave or send much neither stop the service nor keep others out', async () => {
  // `npm run drill -- siege` also checks memory and response times, which depend on the machine.
  const { failures } = await run({ short: true, measure: false });
  assert.deepEqual(failures, []);
});
