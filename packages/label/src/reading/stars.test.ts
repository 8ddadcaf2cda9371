import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, type Run } from '../../../../test/label-page.ts';
import { phrasesOf } from './phrases.ts';
import { starsInWords, starsOf } from './stars.ts';
import type { Safety, Shape, TextItem } from './types.ts';

const FIELDS = ['overall', 'frontalDriver', 'frontalPassenger', 'sideFront', 'sideRear', 'rollover'] as const;

function read(runs: Run[], shapes: Shape[] = [], items: TextItem[] = []): unknown[] | null {
  const [page] = pageOf(...runs).pages;
  const whole = { ...page!, items: [...page!.items, ...items], shapes };
  const found: Safety | null = starsOf(whole, phrasesOf(whole));
  return found && FIELDS.map((field) => found[field]);
}

/** Baselines of the six names, as GM sets them. */
const ROWS = [454, 508.7, 520.7, 564.7, 576.7, 609.5];
const names: Run[] = [
  [582, 432, 'GOVERNMENT 5-STAR SAFETY RATINGS', 14],
  [548, 454, 'Overall Vehicle Score', 12],
  [656, 508.7, 'Driver', 12],
  [656, 520.7, 'Passenger', 12],
  [656, 564.7, 'Front seat', 12],
  [656, 576.7, 'Rear seat', 12],
  [548, 609.5, 'Rollover', 12],
  [548, 620, 'Based on the risk of rollover in a single-vehicle crash.', 9],
];

const star = (x: number, y: number, light = false): Shape => ({
  kind: 'star',
  x,
  y,
  width: 10.6,
  height: 10.2,
  ...(light ? { light } : {}),
});
const row = (count: number, baseline: number): Shape[] =>
  Array.from({ length: count }, (_, at) => star(758 + at * 15.5, baseline - 8.5));
const legend = Array.from({ length: 5 }, (_, at) => star(699.5 + at * 10.8, 631.6, true));

test('stars drawn as shapes are counted, and those of the legend are not', () => {
  const shapes = [5, 4, 3, 2, 1, 5].flatMap((count, at) => row(count, ROWS[at]!));
  assert.deepEqual(read(names, [...shapes, ...legend]), [5, 4, 3, 2, 1, 5]);
  assert.deepEqual(read(names.toReversed(), [...legend, ...shapes].toReversed()), [5, 4, 3, 2, 1, 5]);
});

test('"not rated" and "not read" are different results', () => {
  const words: Run[] = [0, 1, 3].map((at): Run => [758, ROWS[at]!, 'Not Rated', 12]);
  assert.deepEqual(read([...names, ...words], row(3, ROWS[5]!)), [
    'not-rated',
    'not-rated',
    null,
    'not-rated',
    null,
    3,
  ]);
  assert.deepEqual(read(names), [null, null, null, null, null, null]);
  assert.equal(read([[40, 40, 'Rollover', 12]]), null);
  const none: Run[] = [
    [582, 432, 'GOVERNMENT 5–STAR SAFETY RATINGS', 14],
    [560, 500, 'This vehicle has not been rated by the goverment for overall', 10],
  ];
  assert.deepEqual(read(none), Array(6).fill('not-rated'));
  const later = ROWS.map((y): Run => [758, y, 'To Be Rated', 12]);
  assert.deepEqual(read([...names, ...later]), Array(6).fill('not-rated'));
});

test('a run of a symbol font without letters is as many stars as it is wide', () => {
  const run = (count: number, baseline: number): TextItem => ({
    text: '',
    x: 847,
    y: baseline + 3,
    width: count * 12.24,
    size: 15,
  });
  assert.deepEqual(read(names, [], [run(5, ROWS[0]!), run(4, ROWS[1]!), run(3, ROWS[5]!)]), [
    5,
    4,
    null,
    null,
    null,
    3,
  ]);
  assert.deepEqual(read(names, [], [run(4.5, ROWS[0]!)])?.[0], null);
});

test('older labels paint over the stars of a strip of five', () => {
  const strip = (baseline: number): TextItem => ({
    text: 'A',
    x: 852,
    y: baseline + 36,
    width: 71.8,
    size: 12.6,
  });
  const cover = (x: number, baseline: number): Shape => ({
    kind: 'box',
    x,
    y: baseline - 11,
    width: 924 - x,
    height: 13,
    light: true,
  });
  const found = read(
    names,
    [cover(909, ROWS[1]!), cover(895, ROWS[5]!)],
    [strip(ROWS[0]!), strip(ROWS[1]!), strip(ROWS[5]!)],
  );
  assert.deepEqual(found, [5, 4, null, null, null, 3]);
});

test('if the names are drawn as outlines, three rules separate the ratings', () => {
  const rule = (y: number): Shape => ({ kind: 'box', x: 691, y, width: 298, height: 2 });
  const rules = [rule(444), rule(498), rule(545)];
  const at = [402, 455, 468, 510, 522, 556];
  const stars = (counts: number[]): Shape[] =>
    counts.flatMap((count, index) =>
      Array.from({ length: count }, (_, one) => star(867 + one * 18, at[index]! - 5)),
    );
  assert.deepEqual(read([], [...rules, ...stars([5, 4, 5, 3, 4, 4])]), [5, 4, 5, 3, 4, 4]);
  // One of two rows is missing, so it is unclear which one is left.
  assert.deepEqual(read([], [...rules, ...stars([5, 4, 0, 3, 4, 4])]), [5, null, null, 3, 4, 4]);
  const words: Run[] = [[867, 405, 'Not Rated', 12]];
  assert.deepEqual(read(words, [...rules, ...stars([0, 4, 5, 3, 4, 4])]), ['not-rated', 4, 5, 3, 4, 4]);
});

test('text without positions only shows that a vehicle has not been rated', () => {
  const none = starsInWords('This vehicle has not been rated by the government for overall');
  assert.equal(none?.rollover, 'not-rated');
  assert.equal(starsInWords('GOVERNMENT 5-STAR SAFETY RATINGS\nOverall Vehicle Score')?.overall, null);
  assert.equal(starsInWords('Exterior Color: Blue'), null);
});
