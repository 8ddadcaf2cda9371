import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from '../../test/label-page.ts';
import { plainText } from './extracted-text.ts';
import { linesOf } from './lines.ts';
import { boxOf } from './boxes.ts';

test('columns are read one by one', () => {
  const lines = linesOf(pageOf([40, 100, 'A1'], [40, 112, 'A2'], [240, 100, 'B1'], [240, 112, 'B2']));
  assert.deepEqual(
    lines.map((line) => line.text),
    ['A1', 'A2', 'B1', 'B2'],
  );
});

test('a gap makes cells, and a step down a new line even without an end of line', () => {
  const text = pageOf([40, 100, 'SUNROOF'], [200, 100, '995.00'], [40, 111, '20', 72], [40, 122, 'city', 8]);
  for (const item of text.pages[0]!.items) delete item.eol;
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
    { text: 'plan', x: 71, y: 100, width: 18, size: 10, eol: true },
  ];
  assert.deepEqual(linesOf(text)[0]!.cells, [{ text: 'OnStar plan', x: 40, right: 89 }]);
});

test('two titles side by side on nearly one height are two lines', () => {
  const text = pageOf([400, 62, '2024 COUPE', 20], [692, 58, 'EXTERIOR: BLACK', 12]);
  delete text.pages[0]!.items[0]!.eol;
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
