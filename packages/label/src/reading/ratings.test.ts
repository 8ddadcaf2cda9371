import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, type Run } from '../../../../test/label-page.ts';
import { phrasesOf } from './phrases.ts';
import { ratingsOf } from './ratings.ts';
import type { Shape } from './types.ts';

const headings: Run[] = [
  [836, 221, 'Fuel Economy & Greenhouse Gas Rating', 10],
  [1073, 221, 'Smog Rating', 10],
];

/** The figures at the ends of both bars. */
const ends: Run[] = [
  [844, 258, '1', 15],
  [1037, 258, '10', 15],
  [1078, 254, '1', 10],
  [1148, 254, '10', 10],
];

function read(runs: Run[], shapes: Shape[]): (number | null)[] {
  const [page] = pageOf(...runs).pages;
  const { greenhouse, smog } = ratingsOf({ ...page!, shapes }, phrasesOf(page!));
  return [greenhouse, smog];
}

const box = (x: number, y: number, width: number, height: number, light = false): Shape => ({
  kind: 'box',
  x,
  y,
  width,
  height,
  ...(light ? { light } : {}),
});

/** Ford's bars and the positions of its markers. */
const bars = [
  box(837.7, 243.9, 22, 17.5),
  box(860.2, 243.9, 175, 17.5),
  box(1035.7, 243.9, 22, 17.5),
  box(1069.8, 243.8, 22, 13),
  box(1092.3, 243.8, 49, 13),
  box(1141.8, 243.8, 22, 13),
];
const marker = (center: number, ten = false): Shape[] => [
  box(center - 12.3, 226.2, 24.6, 25.9),
  box(center - (ten ? 9 : 5), 229.3, ten ? 18.1 : 10, 14.4, true),
];
const small = (center: number, ten = false): Shape[] => [
  box(center - 8.25, 231.3, 16.5, 17.8),
  box(center - (ten ? 6 : 3.3), 233.1, ten ? 12 : 6.6, 9.7, true),
];

test('the position of a drawn marker on the bar is its rating', () => {
  assert.deepEqual(read(headings, [...bars, ...marker(920.9), ...small(1114.2)]), [4, 5]);
  assert.deepEqual(read(headings, [...bars, ...marker(1024.6, true), ...small(1135.8, true)]), [10, 10]);
  assert.deepEqual(read(headings, [...bars, ...marker(972.7), ...small(1127.2)]), [7, 8]);
});

test('a position between two ratings is not read, and neither are two markers', () => {
  assert.deepEqual(read(headings, [...bars, ...marker(929.5), ...small(1116.4)]), [null, null]);
  assert.deepEqual(read(headings, [...bars, ...marker(920.9), ...marker(972.7)]), [null, null]);
  // The figure on the marker is as wide as a 10.
  assert.deepEqual(read(headings, [...bars, ...marker(920.9, true)])[0], null);
});

test('a plug-in hybrid has a second marker for CO2 below the bar', () => {
  const below = [box(1012.3, 247.8, 24.6, 25.9), box(1016.3, 256.5, 18.1, 14.4, true)];
  const called: Run[] = [...headings, [994, 270, 'CO', 11]];
  assert.deepEqual(read(called, [...bars, ...marker(1007.3), ...below])[0], 10);
  assert.deepEqual(read(headings, [...bars, ...marker(1007.3), ...below])[0], null);
});

test('a marker pasted as a picture has slightly different positions', () => {
  const pasted = (x: number, width: number): Shape => ({
    kind: 'picture',
    x,
    y: 232,
    width,
    height: width * 1.06,
  });
  const long = [box(837, 243.7, 220.6, 17.4), box(860.2, 243.9, 175, 17.1)];
  assert.deepEqual(read(headings, [...long, pasted(915, 15.4)])[0], 4);
  assert.deepEqual(read(headings, [...long, pasted(852.8, 15.4)])[0], 1);
});

test('a rating in text counts if it is above the ends of its bar', () => {
  assert.deepEqual(read([...headings, ...ends, [916, 242, '4', 20], [1115, 242, '6', 14]], []), [4, 6]);
  // A letter of the symbol font: K is 1.
  assert.deepEqual(read([...headings, ...ends, [916, 242, 'N', 17]], [])[0], 4);
  assert.deepEqual(read([...headings, ...ends, [1020, 242, '2', 20]], [])[0], null);
});

test('the headings may be French', () => {
  const french: Run[] = [
    [836, 221, 'Indice de dioxyde de carbone / Carbon Dioxide Rating', 8],
    [1073, 221, 'Indice de smog / Smog Rating', 8],
  ];
  assert.deepEqual(read(french, [...bars, ...marker(920.9), ...small(1114.2)]), [4, 5]);
});

test('of two ratings in text, the one called CO2 is the greenhouse gas rating', () => {
  const miles: Run[] = [
    [1000, 242, '9', 20],
    [1010, 242, 'MPG', 7],
  ];
  const before: Run[] = [
    [1008, 270, 'CO', 7],
    [1016, 270, '10', 20],
  ];
  const after: Run[] = [
    [1016, 270, '10', 20],
    [1035, 270, 'CO2', 7],
  ];
  for (const gases of [before, after])
    assert.equal(read([...headings, ...ends, ...miles, ...gases], [])[0], 10);
  // The rating for miles per gallon alone says nothing about gases.
  assert.equal(read([...headings, ...ends, ...miles], [])[0], null);
  assert.equal(read([...headings, ...ends, [1000, 242, '9', 20]], [])[0], 9);
  const drawn = [...bars, ...marker(920.9)];
  assert.equal(read([...headings, [936, 242, 'MPG', 7]], drawn)[0], null);
  assert.equal(read([...headings, [1010, 242, 'MPG', 7]], drawn)[0], 4);
});
