import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, columnOf, type Run } from '../../../../test/label-page.ts';
import { plainText } from './extracted-text.ts';
import { linesOf } from './lines.ts';
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
