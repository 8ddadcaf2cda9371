import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf, type Run } from '../../test/label-page.ts';
import { below, rightOf } from './line-search.ts';
import { linesOf } from './lines.ts';
import type { LabelText } from './types.ts';

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

test('a price ends its line, even close to the next column', () => {
  const lines = linesOf(pageOf([40, 100, 'TYRES'], [210, 100, '395.00', 8], [234, 100, 'FLOOR MATS', 8]));
  assert.deepEqual(
    lines.map((line) => line.text),
    ['TYRES 395.00', 'FLOOR MATS'],
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
