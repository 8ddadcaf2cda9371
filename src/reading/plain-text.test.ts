import assert from 'node:assert/strict';
import test from 'node:test';
import { plainText } from './plain-text.ts';

const printed = (text: string) => plainText(text).pages.map((page) => page.items.map((item) => item.text));

test('every line is an item that ends a line, blank ones too, whatever ends the lines', () => {
  assert.deepEqual(printed('\ufeffONE\r\n\nTWO\rTHREE\n'), [['ONE', '', 'TWO', 'THREE']]);
  assert.ok(plainText('ONE\nTWO').pages[0]!.items.every((item) => item.eol));
});

test('a form feed begins a page, but not at the end', () => {
  assert.deepEqual(printed('ONE\n\fTWO\n\f'), [['ONE'], ['TWO']]);
});

test('lines are placed one below the other, without real positions', () => {
  const text = plainText('ONE\nTWO\nTHREE');
  assert.equal(text.positioned, false);
  const heights = text.pages[0]!.items.map((item) => item.y);
  assert.deepEqual(
    heights,
    heights.toSorted((one, other) => one - other),
  );
  assert.equal(new Set(heights).size, 3);
});

test('recorded text is cleaned as a PDF’s is', () => {
  assert.deepEqual(printed('A\u202eB\u0000C'), [['ABC']]);
});
