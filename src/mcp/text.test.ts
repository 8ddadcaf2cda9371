import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORD, JEEP, fakeLookup, held, readingOf, runTool } from '../../test/fake-lookup.ts';
import { bounded } from './text.ts';

test('a string keeps its first 400 characters, a list its first 250 items', () => {
  const copy = bounded({ text: 'x'.repeat(1000), list: Array.from({ length: 1000 }, () => 1) });
  const { text, list } = copy as { text: string; list: number[] };
  assert.equal(text, `${'x'.repeat(400)}…`);
  assert.equal(list.length, 250);
});

test('the total length of all strings is bounded', () => {
  const rows = Array.from({ length: 250 }, () => Array.from({ length: 250 }, () => 'y'.repeat(300)));
  assert.ok(JSON.stringify(bounded(rows)).length < 70_000);
});

test('control, invisible and bidirectional characters are removed', () => {
  const text = bounded('Paint\u0000\u001B[31m \u202Eder\u202C \u200Bzero\u00AD \u{E0041}tag\nline') as string;
  assert.match(text, /^Paint +\[31m +der +zero +tag line$/);
});

test('numbers, nulls and structure are kept, positions on the page are not', () => {
  const label = { price: -5, none: null, at: { x: 1 }, places: { a: 1 }, options: [{ name: 'a', at: {} }] };
  assert.deepEqual(bounded(label), { price: -5, none: null, options: [{ name: 'a' }] });
});

test('without a label the text says when to try again, and that the VIN may be mistyped', async () => {
  const failed = fakeLookup({
    findings: { [FORD]: { state: 'failed', why: 'timeout', retryAfter: 30 }, [JEEP]: held(JEEP) },
    readings: { [JEEP]: readingOf(JEEP) },
  });
  // One digit off, so the check digit is wrong.
  const mistyped = FORD.replace('X', '1');
  const none = fakeLookup({ findings: { [mistyped]: { state: 'none', why: 'page', until: 0 } } });
  for (const tool of ['show_window_sticker', 'read_window_sticker']) {
    assert.match((await runTool(tool, { vin: FORD }, failed)).text, /\. Try again in 30 seconds\.$/, tool);
    assert.match((await runTool(tool, { vin: mistyped }, none)).text, /\nWarning: The check digit/, tool);
  }
  const { text } = await runTool('compare_window_stickers', { vins: [FORD, JEEP] }, failed);
  assert.match(text, /\. Try again in 30 seconds\.\n/);
});
