// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORD, fakeLookup, held, runTool } from '../../test/fake-lookup.ts';

test('a label that cannot be drawn is a tool error with the PDF', async () => {
  const fake = fakeLookup({ findings: { [FORD]: held(FORD) }, preview: null });
  const { text, isError } = await runTool('show_window_sticker', { vin: FORD }, fake);
  assert.equal(isError, true);
  assert.match(text, /Open its PDF instead\. PDF: https:\/\/example\.org\/api\/sticker\//);
});
