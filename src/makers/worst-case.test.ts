import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from '../reading/extracted-text.ts';
import type { LabelText, TextItem } from '../reading/types.ts';
import { readText } from './read.ts';
import { isLong } from '../../test/size.ts';

/** Linear code takes some hundred milliseconds for each of these; quadratic code took 6 to 13 seconds. */
const LIMIT_MS = 3000;
/** As many as the extractor ever hands out. */
const MAX_RUNS = 20_000;
const MAX_CHARACTERS = 120_000;
const MAX_LINE_LENGTH = 2000;
/** Of anchors and prices. */
const PAGES = 5;

const MAKES = ['Jeep', 'GMC', 'Ford', 'Kia', 'Genesis', 'Subaru', 'Lexus', undefined];

const ANCHORS = [
  'Base Price: $1',
  'Exterior Color:',
  'EXTERIOR:',
  'EXTERIOR',
  'INTERIOR:',
  'STANDARD EQUIPMENT',
  'STANDARD VEHICLE PRICE',
  'OPTIONS & PRICING',
  'OPTIONAL EQUIPMENT',
  'TOTAL VEHICLE PRICE* $2',
  'PRICE INFORMATION',
  'VEHICLE DESCRIPTION',
  'ADDED FEATURES:',
  'Destination Charge',
  'MODEL/OPT.CODE:',
  'DESC.:',
  'CLR:',
  "BASE MANUFACTURER'S SUGGESTED RETAIL PRICE $1",
  "MANUFACTURER'S SUGGESTED RETAIL PRICE",
  'DELIVERY, PROCESSING AND HANDLING FEE',
  'TOTAL SUGGESTED RETAIL PRICE $2',
  '2T.',
  '- ITEM',
  'and more',
  '2026 MODEL YEAR',
  '2',
  '$1,000.00',
  '1,000.00',
  '-',
  'NO CHARGE',
];

const pageOf = (items: TextItem[]): LabelText => ({
  version: 0,
  positioned: true,
  pages: [{ width: 1224, height: 792, items }],
});

/** Processor time, so that a busy machine changes nothing. */
function readQuickly(what: string, text: LabelText, makes = MAKES, limitMs = LIMIT_MS): void {
  for (const make of makes) {
    const began = process.cpuUsage();
    readText(text, make ? { make } : {});
    const { user, system } = process.cpuUsage(began);
    const took = Math.round((user + system) / 1000);
    assert.ok(took < limitMs, `${what} took ${make ?? 'an unknown make'} ${took} ms`);
  }
}

/**
 * Half a page in a quarter of the time shows whether the time is quadratic. With `TEST_SIZE=long`, the reader for unknown
 * makes also reads the full page, and each make's reader reads every page, not only those whose turn it is.
 */
function readRunsQuickly(what: string, turn: number, textOf: (runs: number) => LabelText): void {
  if (isLong) readQuickly(what, textOf(MAX_RUNS), [undefined]);
  const makes = MAKES.filter((make, at) => !make || isLong || at % PAGES === turn % PAGES);
  readQuickly(`half of ${what}`, textOf(MAX_RUNS / 2), makes, LIMIT_MS / 4);
}

const item = (text: string, x: number, y: number, size = 8): TextItem => ({
  text,
  x,
  y,
  width: text.length * 4,
  size,
});

/** The anchors of all readers, again and again. */
const anchorsAt = (place: (at: number) => [x: number, y: number]) => (runs: number) =>
  pageOf(Array.from({ length: runs }, (_, at) => item(ANCHORS[at % ANCHORS.length]!, ...place(at))));

test('thousands of anchors in one spot, a row, a column or all over the page are read quickly', () => {
  readRunsQuickly(
    'a heap',
    0,
    anchorsAt(() => [100, 100]),
  );
  readRunsQuickly(
    'a row',
    1,
    anchorsAt((at) => [at * 200, 100]),
  );
  readRunsQuickly(
    'a column',
    2,
    anchorsAt((at) => [100, at * 10]),
  );
  readRunsQuickly(
    'a sheet',
    3,
    anchorsAt((at) => [(at % 100) * 120, Math.floor(at / 100) * 9]),
  );
});

test('thousands of prices are read quickly', () => {
  readRunsQuickly('prices', 4, (runs) =>
    pageOf([
      ...['Base Price: $1', 'EXTERIOR: RED', 'Exterior Color: RED'].map((head, at) =>
        item(head, 40, 20 + 10 * at),
      ),
      ...Array.from({ length: runs }, (_, at) => item('$1,000.00', 300 + (at % 3) * 200, 60 + at * 3)),
    ]),
  );
});

test('type of any size is read quickly', () => {
  for (const size of [0, 1e-9, 1e9, Number.MAX_SAFE_INTEGER])
    readQuickly(
      `size ${size}`,
      pageOf(Array.from({ length: 2000 }, (_, at) => item('EXTERIOR: RED 1,000.00', at, at, size))),
    );
});

test('no line makes a pattern slow, however long', () => {
  const pieces = [
    'EXTERIOR: ',
    'INTERIOR ',
    '/ ',
    '( ',
    '[',
    '1, ',
    '1,000',
    '$',
    '- ',
    '. ',
    'A ',
    ': ',
    'w/ ',
    'VIN',
  ];
  for (const piece of pieces) {
    const text = piece.repeat(MAX_LINE_LENGTH / piece.length);
    // A slow pattern shows on a quarter of the lines too.
    const share = isLong ? 1 : 1 / 4;
    const runs = Array.from({ length: (MAX_CHARACTERS / MAX_LINE_LENGTH) * share }, (_, at) => ({
      ...item(text, 40 + at * 8000, 40),
      width: 8000,
    }));
    readQuickly(`a line of ${piece}`, pageOf([item('EXTERIOR: ', 1, 40), ...runs]), MAKES, LIMIT_MS * share);
    readQuickly(`a recorded line of ${piece}`, plainText(`EXTERIOR: ${text}\nBase Price: ${text}`));
  }
});
