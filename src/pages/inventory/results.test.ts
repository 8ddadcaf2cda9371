import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TABLE_FIELDS } from '../../tables/fields.ts';
import { NOTHING, STICKER_COLUMNS, readText } from '../../tables/browser.ts';
import { listOfText } from './list.ts';
import { missingOf } from './reasons.ts';
import { ADDED_COLUMNS, csvOf, type Decoded, type Found } from './results.ts';
import { restore, save } from './saved.ts';
import { progressWords, snippetsFile } from './view.ts';

const FORD = '1FMUK8DH0TG000000';
const HONDA = '1HGCV3F53MA000000';
const MISTYPED = '1FMUK8DH1TG000000';

const decodedAs = (make: string, more: Partial<Decoded> = {}): Decoded => ({
  vehicle: null,
  name: `2026 ${make}`,
  make: make.toUpperCase(),
  warning: null,
  suggested: null,
  isStored: false,
  ...more,
});
const list = listOfText(`VIN\tPrice\n${FORD}\t$49,410\n${HONDA}\t\n${MISTYPED}\t\nnothing\t\n`);
const results = new Map<string, Found>([
  [FORD, { decoded: decodedAs('Ford'), cells: { ...NOTHING, sticker: 'available', total: 5_041_050 } }],
  [
    HONDA,
    {
      decoded: decodedAs('Honda'),
      cells: { ...NOTHING, sticker: 'unsupported', reason: 'make-not-supported' },
    },
  ],
  [MISTYPED, { decoded: decodedAs('Ford', { suggested: FORD }), cells: null }],
]);

test('the columns are those of `enrich`', () => {
  const enriched = ['vin', ...TABLE_FIELDS, 'error', ...STICKER_COLUMNS.map(({ name }) => name)];
  assert.deepEqual(
    ADDED_COLUMNS,
    enriched.map((name) => `vin_${name}`),
  );
});

test('the CSV has all rows, prices in dollars, the difference, and why a row has no VIN', () => {
  const { columns, rows } = readText(csvOf(list, results));
  assert.deepEqual(columns, ['VIN', 'Price', ...ADDED_COLUMNS]);
  const cell = (row: number, name: string) => rows[row]![columns.indexOf(name)];
  assert.deepEqual(
    ['vin_sticker', 'vin_total', 'vin_asking_difference'].map((name) => cell(0, name)),
    ['available', '50410.50', '-1000.50'],
  );
  assert.equal(cell(1, 'vin_reason'), 'make-not-supported');
  assert.equal(cell(2, 'vin_suggested'), FORD);
  assert.deepEqual([cell(3, 'Price'), cell(3, 'vin_reason')], ['', 'bad-vin']);
  assert.match(cell(3, 'vin_error')!, /17 characters/);
});

test('a CSV that was enriched before gets new columns in place of the old ones', () => {
  const again = listOfText(csvOf(list, results));
  assert.deepEqual(readText(csvOf(again, results)).columns, ['VIN', 'Price', ...ADDED_COLUMNS]);
});

test('what is missing is grouped by what to do about it', () => {
  const groups = missingOf(list, results);
  assert.deepEqual(
    groups.map(({ title, cars, canRetry }) => [title, cars.length, canRetry]),
    [
      ['These rows have no VIN', 1, false],
      ['These VINs probably have a typo, so we didn’t look them up', 1, false],
      ['Honda doesn’t publish window stickers', 1, false],
    ],
  );
  assert.equal(groups[1]!.cars[0]!.note, `Did you mean ${FORD}?`);
});

test('sources that failed can be asked again, and a sticker without a price is said', () => {
  const one = (make: string, sticker: string, reason: string | null): Found => ({
    decoded: decodedAs(make),
    cells: { ...NOTHING, sticker, reason },
  });
  const some = new Map([
    ['A', one('Ford', 'unknown', 'source-failed')],
    ['B', one('Kia', 'unknown', 'source-refused')],
    ['C', one('Nissan', 'available', 'picture')],
    ['D', one('Gmc', 'none', 'no-label')],
    ['E', one('Kia', 'unknown', 'source-off')],
  ]);
  assert.deepEqual(
    missingOf({ ...list, rows: [] }, some).map(({ title, canRetry }) => [title, canRetry]),
    [
      ['We couldn’t get an answer from Ford and Kia', true],
      ['No sticker for these cars from GMC', false],
      ['We’ve paused lookups for Kia', true],
      ['These stickers have no price that we can read', false],
    ],
  );
});

test('progress says how many are done and how long the rest takes', () => {
  const cars = [FORD, HONDA, MISTYPED].map((vin) => [vin, null] as const);
  assert.equal(progressWords(cars, results, false), 'Done: 3 of 3 cars, 1 with a sticker.');
  const half = new Map([...results].slice(0, 1));
  assert.equal(progressWords(cars, half, false), '1 of 3 cars, 1 with a sticker · a few seconds left');
  assert.equal(progressWords(cars, half, true), '1 of 3 cars, 1 with a sticker · paused');
});

test('a list is saved in this browser and restored, and a browser without room says so', () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  assert.equal(restore(storage), null);
  const lot = { list, results, isPaused: true };
  assert.equal(save(storage, lot), true);
  assert.deepEqual(restore(storage), lot);
  const full = {
    ...storage,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  assert.equal(save(full, lot), false);
  items.set([...items.keys()][0]!, '{broken');
  assert.equal(restore(storage), null);
});

test('the file of snippets has the card and the badge of every car, with its name escaped', () => {
  const named = new Map([[FORD, { decoded: decodedAs('<Ford>'), cells: null }]]);
  const text = snippetsFile('https://stickers.example', [[FORD, null]], named);
  assert.match(
    text,
    new RegExp(
      `<iframe src="https://stickers.example/embed/${FORD}" title="Window sticker of the 2026 &lt;Ford&gt;"`,
    ),
  );
  assert.match(text, new RegExp(`<img src="https://stickers.example/badge/${FORD}.svg"`));
});
