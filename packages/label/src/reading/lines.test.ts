import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, columnOf, type Run } from '../../../../test/label-page.ts';
import { clean, linesOf, plainText } from './lines.ts';
import { boxOf } from './reader.ts';
import { below, rightOf } from './line-search.ts';
import type { LabelText } from './types.ts';

test('columns are read one by one', () => {
  const lines = linesOf(pageOf([40, 100, 'A1'], [40, 112, 'A2'], [240, 100, 'B1'], [240, 112, 'B2']));
  assert.deepEqual(
    lines.map((line) => line.text),
    ['A1', 'A2', 'B1', 'B2'],
  );
});

test('a gap makes cells, and a step down a new line', () => {
  const text = pageOf([40, 100, 'SUNROOF'], [200, 100, '995.00'], [40, 111, '20', 72], [40, 122, 'city', 8]);
  const lines = linesOf(text);
  assert.deepEqual(
    lines.map((line) => line.cells.map((cell) => cell.text)),
    [['SUNROOF', '995.00'], ['20'], ['city']],
  );
});

test('runs close together are one cell, with a space only where there is one', () => {
  const text = pageOf([40, 100, 'On']);
  text.pages[0]!.items = [
    { text: 'On', x: 40, y: 100, width: 10, size: 10 },
    { text: 'Star', x: 50.2, y: 100, width: 18, size: 10 },
    { text: 'plan', x: 71, y: 100, width: 18, size: 10 },
  ];
  assert.deepEqual(linesOf(text)[0]!.cells, [{ text: 'OnStar plan', x: 40, right: 89 }]);
});

test('two titles side by side on nearly one height are two lines', () => {
  const text = pageOf([400, 62, '2024 COUPE', 20], [692, 58, 'EXTERIOR: BLACK', 12]);
  assert.equal(linesOf(text).length, 2);
});

test('recorded text has lines but no positions', () => {
  const [line] = linesOf(plainText('Engine: 2.0L\n'));
  assert.equal(line?.text, 'Engine: 2.0L');
  assert.equal(boxOf(line), undefined);
});

test('a box is drawn around its lines, and stops at a column break', () => {
  const lines = linesOf(pageOf([40, 100, 'NAME'], [40, 112, 'GOES ON'], [240, 20, 'IN THE NEXT COLUMN']));
  assert.deepEqual(boxOf(...lines.slice(0, 2)), { page: 1, x: 40, y: 92, width: 31.5, height: 22 });
  assert.deepEqual(boxOf(lines[1], lines[2]), { page: 1, x: 40, y: 104, width: 31.5, height: 10 });
});

const shuffled = (text: LabelText): LabelText => ({
  ...text,
  pages: text.pages.map((page) => ({
    ...page,
    items: page.items.toSorted(
      (one, other) => ((one.x * 7 + one.y * 13) % 11) - ((other.x * 7 + other.y * 13) % 11),
    ),
  })),
});

const page: Run[] = [
  [40, 40, 'A TITLE ACROSS BOTH COLUMNS OF THE PAGE', 24],
  ...columnOf(40, 100, ['STANDARD EQUIPMENT', 'WHEELS', 'SEATS FOR FIVE PEOPLE', 'DOORS'], 10, 200),
  ...columnOf(300, 102, ['OPTIONS', ['SUNROOF', '995.00'], 'WITH SHADE', ['CREDIT', '-50.00']], 10, 200),
];

test('columns are read one after the other, whatever the order of the content', () => {
  const expected = [
    'A TITLE ACROSS BOTH COLUMNS OF THE PAGE',
    'STANDARD EQUIPMENT',
    'WHEELS',
    'SEATS FOR FIVE PEOPLE',
    'DOORS',
    'OPTIONS',
    'SUNROOF 995.00',
    'WITH SHADE',
    'CREDIT -50.00',
  ];
  const text = pageOf(...page);
  for (const way of [text, shuffled(text)])
    assert.deepEqual(
      linesOf(way).map((line) => line.text),
      expected,
    );
});

test('an amount alone in its column is not the amount of a line in the column beside it', () => {
  const lines = linesOf(
    pageOf(
      [40, 100, 'STANDARD'],
      [40, 122, '• SEATS'],
      [240, 100, 'STANDARD VEHICLE PRICE /'],
      [240, 110, 'PRIX DE BASE'],
      [380, 122, '$40,190.00'],
    ),
  );
  assert.ok(lines.some((line) => line.text === '• SEATS'));
});

test('a price ends its line, even close to the next column, however its runs are split', () => {
  const prices: Run[][] = [
    [[210, 100, '395.00', 8]],
    [
      [210, 100, '395.', 8],
      [224.4, 100, '00', 8],
    ],
    [
      [210, 100, '3', 8],
      [213.6, 100, '95.00', 8],
    ],
  ];
  for (const price of prices) {
    const lines = linesOf(pageOf([40, 100, 'TYRES'], ...price, [234, 100, 'FLOOR MATS', 8]));
    assert.deepEqual(
      lines.map((line) => line.text),
      ['TYRES 395.00', 'FLOOR MATS'],
    );
  }
});

test('a sentence goes on with its amount, however its runs are split', () => {
  const text = pageOf([40, 100, 'Up']);
  text.pages[0]!.items = [
    { text: 'Up ', x: 40, y: 100, width: 12, size: 10 },
    { text: 'to ', x: 52, y: 100, width: 10, size: 10 },
    { text: '$500', x: 65, y: 100, width: 20, size: 10 },
  ];
  assert.deepEqual(
    linesOf(text)[0]!.cells.map((cell) => cell.text),
    ['Up to $500'],
  );
});

test('words drawn twice to look bold are read once', () => {
  const lines = linesOf(pageOf([40, 100, 'TOTAL'], [40.4, 100, 'TOTAL']));
  assert.deepEqual(
    lines.map((line) => line.text),
    ['TOTAL'],
  );
});

test('neighbors are found by their place, indented or not', () => {
  const lines = linesOf(
    pageOf(
      [40, 100, 'EXTERIOR'],
      [78, 111, 'MOSS GREEN'],
      [40, 123, 'INTERIOR'],
      [40, 135, 'BLACK'],
      [240, 100, 'ENGINE'],
      [320, 100, '2.0L'],
    ),
  );
  const at = (text: string) => lines.find((line) => line.text === text)!;
  assert.equal(below(lines, at('EXTERIOR'))?.text, 'MOSS GREEN');
  assert.equal(below(lines, at('BLACK')), null);
  assert.deepEqual(
    rightOf(lines, at('ENGINE')).map((line) => line.text),
    ['2.0L'],
  );
});

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
