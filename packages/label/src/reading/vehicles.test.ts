import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, linesOf } from './lines.ts';
import type { Label, LabelText } from './types.ts';
import {
  isNorthAmerican,
  mapBoxesToFile,
  modelOf,
  nameplateIn,
  pagesOfVehicle,
  printedVin,
} from './vehicles.ts';

const ONE = '1G1YB2D43S5000000';
const OTHER = '1FMUK8DH0TG000000';

const file = (...pages: string[]): LabelText => plainText(pages.join('\f'));
const pagesOf = (text: LabelText, vin?: string): number[] | null => pagesOfVehicle(text, vin)?.pages ?? null;

test('a file of two vehicles is read from the pages of the requested VIN', () => {
  const both = file(`VIN ${OTHER}\nRED`, `VIN ${ONE}\nBLUE`);
  assert.deepEqual(pagesOf(both, ONE), [2]);
  assert.deepEqual(pagesOf(both, OTHER), [1]);
  assert.equal(pagesOf(both), null);
  assert.equal(pagesOf(both, 'JF2SKAGC0RH407132'), null);
  assert.equal(pagesOf(file(`VIN ${OTHER} VIN ${ONE}`), ONE), null);
});

test('pages without the VIN of the label are not part of it', () => {
  assert.deepEqual(pagesOf(file('A letter', `VIN ${ONE}`), ONE), [2]);
  assert.deepEqual(pagesOf(file('A letter', `VIN ${ONE}`)), [2]);
  assert.deepEqual(pagesOf(file('A letter', 'with two pages'), ONE), [1, 2]);
  assert.deepEqual(pagesOf(file(`VIN ${ONE}`), ONE), [1]);
});

test('a label that is printed twice is read once', () => {
  const label = ['2026 MADEUP', `VIN ${ONE}`, ...Array.from({ length: 40 }, (_, at) => `Feature ${at}`)];
  const page = [...label, 'Printed at 10:15'].join('\n');
  const copy = [...label, 'Printed at 10:16'].join('\n');
  assert.deepEqual(pagesOf(file(page, page)), [1]);
  assert.deepEqual(pagesOf(file(page, copy), ONE), [1]);
  // Issued again with another price.
  assert.deepEqual(pagesOf(file(`${page}\n$40,000.00`, `${page}\n$41,000.00`)), [1, 2]);
  const addendum = `VIN ${ONE}\nDealer options`;
  assert.deepEqual(pagesOf(file(page, addendum, page)), [1, 2]);
});

test('boxes are given on the page as it is displayed', () => {
  const box = { page: 1, x: 100, y: 50, width: 40, height: 10 };
  const moved = (turn: number) => {
    const label = {
      places: { model: box },
      prices: { options: [], discounts: [], taxes: [], fees: [] },
    } as unknown as Label;
    const text: LabelText = {
      version: 0,
      positioned: true,
      pages: [{ width: 1224, height: 792, turn, items: [] }],
    };
    mapBoxesToFile(label, { text, pages: [2] });
    return label.places['model'];
  };
  assert.deepEqual(moved(90), { page: 2, x: 732, y: 100, width: 10, height: 40 });
  assert.deepEqual(moved(180), { page: 2, x: 1084, y: 732, width: 40, height: 10 });
  assert.deepEqual(moved(270), { page: 2, x: 50, y: 1084, width: 10, height: 40 });
});

const found = (text: string, expected?: string): string | null =>
  printedVin(linesOf(plainText(text)), expected);

test('a VIN is found among dashes, words and barcode letters', () => {
  assert.equal(found('VIN: 1M8–GDM9AXKP–042788 L4–VON: 1814'), '1M8GDM9AXKP042788');
  assert.equal(found('I1M8GDM9AXKP042788'), '1M8GDM9AXKP042788');
  assert.equal(found('VEHICLE ID NUMBER:   1M8GDM9A0KP042788'), '1M8GDM9A0KP042788');
  assert.equal(found('SAVINGS AND TAXES\nCAR 1M8GDM9AXKP042788 SOLD'), '1M8GDM9AXKP042788');
});

test('seventeen equal characters are no VIN', () => {
  for (const digit of ['0', '1', '9']) assert.equal(found(`VIN ${digit.repeat(17)}`), null);
});

test('without the word VIN, a run with a wrong check digit is not a VIN', () => {
  assert.equal(found('CAR 1M8GDM9A0KP042788 SOLD'), null);
  assert.equal(found('DRIVING AND SAVING STAR STARS STAR'), null);
});

test('the requested VIN is accepted if it is printed', () => {
  assert.equal(found('CAR 1M8-GDM9A0KP-042788', '1M8GDM9A0KP042788'), '1M8GDM9A0KP042788');
  assert.equal(found('VIN 1M8GDM9AXKP042788', '1M8GDM9A0KP042788'), '1M8GDM9AXKP042788');
});

test('the first character of a VIN tells where a car was built', () => {
  for (const vin of ['1G1', '2C3', '3FM', '4S4', '5NM', '7YA']) assert.ok(isNorthAmerican(vin), vin);
  // Australia, Brazil, Korea, Italy; and a label without a VIN.
  for (const vin of ['6G3', '9BD', 'KL4', 'ZAR', null]) assert.ok(!isNorthAmerican(vin), String(vin));
});

test('the nameplate is the longest known name of the make in the line, as printed', () => {
  for (const [make, line, nameplate] of [
    ['Jeep', 'GRAND CHEROKEE L ALTITUDE 4X4', 'GRAND CHEROKEE L'],
    ['Jeep', 'GRAND CHEROKEE LIMITED 4X4', 'GRAND CHEROKEE'],
    ['Chevrolet', 'COUPE CAMARO 1LT', 'CAMARO'],
    ['Chevrolet', 'SILVERADO EV RST', 'SILVERADO EV'],
    ['Cadillac', 'CT5-V BLACKWING', 'CT5-V'],
    ['Ram', 'RAM 1500 BIG HORN QUAD CAB 4X4', 'RAM 1500'],
    ['Hyundai', 'Santa Fe Limited', 'Santa Fe'],
    ['Dodge', 'SWINGER SPECIAL EDITION', 'SWINGER'],
  ] as const)
    assert.equal(nameplateIn(line, make), nameplate, line);
});

test('a name that is not known, or only the beginning of a word, is no nameplate', () => {
  for (const [make, line] of [
    ['Cadillac', 'MADEUP LUXURY'],
    ['Chevrolet', 'CAMAROS'],
    ['Dodge', 'CAMARO SS'],
    ['Porsche', '911 CARRERA'],
  ] as const)
    assert.equal(nameplateIn(line, make), null, line);
});

test('the model is the nameplate, once, and the description without its year', () => {
  assert.equal(modelOf('MUSTANG', '2025 GT COUPE PREMIUM'), 'MUSTANG GT COUPE PREMIUM');
  assert.equal(modelOf('F-150', '2025 F-150 4X4 SUPERCREW'), 'F-150 4X4 SUPERCREW');
  assert.equal(modelOf('F-150', '2025 F-150LIGHTNING'), 'F-150 F-150LIGHTNING');
  assert.equal(modelOf(null, '2020 MODEL YEAR GIULIA'), 'GIULIA');
});
