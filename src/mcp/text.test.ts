import assert from 'node:assert/strict';
import { test } from 'node:test';
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
