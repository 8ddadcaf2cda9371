import assert from 'node:assert/strict';
import test from 'node:test';
import { clean, plainText } from './extracted-text.ts';

test('what a label prints stays exactly as it is printed', () => {
  for (const text of [
    'Granite Crystal Metallic Clear–Coat Exterior Paint',
    'Couleur extérieure : GRIS DESTROYER',
    'Alcantara® Seats with “Red” stitching ™ ½" • 19\' £ € ½ ¬¡¬',
    '  two  spaces, kept  ',
    '日本 한국어 Ä̈',
  ]) {
    assert.equal(clean(text), text);
  }
});

test('marks that turn or hide text are taken out', () => {
  assert.equal(clean('RED\u202e EULB\u202c'), 'RED EULB');
  assert.equal(clean('\u2066A\u2069\u200e\u200f\u061cB'), 'AB');
  assert.equal(clean('A\u200b\u200c\u200d\u2060\ufeffB\u034f\ufe0f\u3164C'), 'ABC');
  assert.equal(clean('A\u{e0041}\u{e0042}B'), 'AB');
});

test('controls, private use, broken halves and unassigned characters are taken out', () => {
  assert.equal(clean('A\u0000\u0007\u001b[31mB\u007f\u009b'), 'A[31mB');
  assert.equal(clean('A\ue000\uf8ff\u{f0000}B\ud800C\ufffd\uffff'), 'ABC');
});

test('every kind of blank is a space, so that French prices and wrapped lines read alike', () => {
  assert.equal(clean('60\u00a0895\u202f$\tX\nY\u2028Z\u3000'), '60 895 $ X Y Z ');
});

test('a soft hyphen that was drawn is a hyphen', () => {
  assert.equal(clean('CLEAR\u00adCOAT'), 'CLEAR-COAT');
});

const printed = (text: string) => plainText(text).pages.map((page) => page.items.map((item) => item.text));

test('every line is an item, blank ones too, whatever ends the lines', () => {
  assert.deepEqual(printed('\ufeffONE\r\n\nTWO\rTHREE\n'), [['ONE', '', 'TWO', 'THREE']]);
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
