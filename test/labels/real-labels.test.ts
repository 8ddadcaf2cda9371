import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readText } from '@monroney/label/read-text';
import { plainText } from '@monroney/label/reading/lines';
import type { Reading } from '@monroney/label/reading/types';
import { pathOf, rowsOf, skip, textOf } from './recorded.ts';

/** Labels as the manufacturers printed them, against readings that another program made from the same files. */

interface Row {
  code?: string | null;
  name: string;
  price: number | null;
  children?: string[];
}

/** Only what the other program recorded is compared. */
interface Expected {
  file: string;
  vin: string;
  make: string;
  year: number;
  market?: string;
  lang?: string;
  color?: string | null;
  code?: string | null;
  interior?: string | null;
  engine?: string | null;
  transmission?: string | null;
  model?: string | null;
  assembly?: string | null;
  base?: number;
  options?: Row[];
  discounts?: Row[];
  taxes?: Row[];
  fee?: number | null;
  subtotal?: number;
  destination?: number;
  total?: number | null;
  printedTotalOptions?: number;
  fuelEconomy?: object | null;
}

/** The recorded reading names the port; the parts box says where the car was built. */
const IMPORTED: Record<string, string> = { ZARFAMEV6L7625894: 'CASSINO, ITALY' };

/** Dotted lines that the other program took for contents of what stands above them; that is no package, or above a heading. */
const OPTIONS_OF_THEIR_OWN: Record<string, string[]> = {
  '1FA6P8CFXS5410336': ['3.15 RATIO LIMITED SLIP AXLE'],
  '1FA6P8TH7S5131217': [
    '18 MCHND AL W/EBNY BL-PTD PKT',
    '3.15 RATIO LIMITED SLIP AXLE',
    '235/50ZR 18 BSW ALL-SEAS TIRE',
  ],
  '1FDBF2AA2TEC43094': ['REAR VIEW CAMERA & PREP KIT'],
  '1FMCU0E15RUA50610': ['18" MACHINED MAGNETIC ALUM WH', '225/60R18 100H A/S BSW TIRES'],
  '1FMCU0E17RUA07306': ['18" MACHINED MAGNETIC ALUM WH', '225/60R18 100H A/S BSW TIRES'],
  '1FMCU0E17RUA14269': ['18" MACHINED MAGNETIC ALUM WH', '225/60R18 100H A/S BSW TIRES'],
  '1FTEW1KP3SKF71266': ['17" SILVER STEEL WHEELS', '245/70R 17 BSW ALL-SEASON'],
  '1FTEW3K58SKE09725': ['EXTENDED RANGE 36GAL FUEL TAN'],
  '3FMTK3R72SMA57045': ['225/55R19 A/S XL TIRES'],
  '3FMTK3R74SMA31143': ['225/55R19 A/S XL TIRES'],
  '3FMTK3R78SMA55560': ['225/55R19 A/S XL TIRES'],
  '3FTTW8J36TRA09647': ['REAR PARKING SENSORS'],
};

function withOwnOptions({ vin, options = [] }: Expected): Row[] {
  const own = new Set(OPTIONS_OF_THEIR_OWN[vin]);
  return options.flatMap((option) => {
    if (!option.children?.some((child) => own.has(child))) return [option];
    const contents = option.children.filter((child) => !own.has(child));
    const moved = option.children.filter((child) => own.has(child));
    return [{ ...option, children: contents }, ...moved.map((name) => ({ name, price: null, children: [] }))];
  });
}

const AMONG_EQUIPMENT = /^(?:Genesis|Hyundai|Kia|Toyota)$/;

function expectedRows(): Expected[] {
  const readings = new Map(rowsOf<Expected>('labels/readings.jsonl').map((row) => [row.vin, row]));
  // In the first set, the paint of every label is recorded, and the prices of most. Options without a price aren't.
  const first = rowsOf<Expected>('labels/expected.jsonl').map((row) => ({
    ...readings.get(row.vin),
    ...row,
  }));
  return [...first, ...['labels-2', 'labels-3'].flatMap((set) => rowsOf<Expected>(`${set}/readings.jsonl`))];
}

const isFirstSet = ({ file }: Expected): boolean => file.startsWith('labels/');

function compareHeader(expected: Expected, { paint, label }: Reading): void {
  const { vin, color, code } = expected;
  if (color !== undefined) assert.deepEqual(paint, color === null ? null : { color, code }, vin);
  if (!label) return;
  const fields = {
    ...expected,
    language: expected.lang,
    model: expected.model?.replace(/^20\d\d /, ''),
    assembly: IMPORTED[vin] ?? expected.assembly,
  };
  for (const field of ['make', 'year', 'market', 'language', 'interior'] as const)
    if (fields[field] !== undefined) assert.equal(label[field], fields[field], `${vin} ${field}`);
  for (const field of ['engine', 'transmission'] as const)
    // The other program didn't look for them among the equipment.
    if (fields[field] !== undefined && (fields[field] || !AMONG_EQUIPMENT.test(expected.make)))
      assert.equal(label[field], fields[field], `${vin} ${field}`);
  for (const field of ['model', 'assembly'] as const)
    if (fields[field]) assert.equal(label[field], fields[field], `${vin} ${field}`);
  const { fuelEconomy } = expected;
  if (fuelEconomy) assert.partialDeepStrictEqual(label.fuelEconomy, fuelEconomy, vin);
  else if (fuelEconomy === null) assert.equal(label.fuelEconomy, null, vin);
  // The figures of the fuel economy box are close to the last column.
  const equipment = label.standard.flatMap(({ items }) => items);
  assert.ok(!equipment.some((item) => /^[$\d.,% ]+$|^(?:TM|®)$/.test(item)), `${vin} ${equipment.join()}`);
}

function comparePrices(expected: Expected, { label, proof }: Reading): void {
  const { vin, discounts = [], taxes = [] } = expected;
  const options = withOwnOptions(expected);
  assert.ok(label && proof, vin);
  const { prices } = label;
  if (expected.total == null) {
    // A warning sheet for a truck that needs no label: no prices, so nothing on it is an option.
    assert.deepEqual([prices.base, prices.options, prices.destination, prices.total], [null, [], null, null]);
    return;
  }
  for (const field of ['base', 'destination', 'total'] as const)
    assert.equal(prices[field], expected[field], `${vin} ${field}`);
  if (expected.subtotal) assert.equal(prices.subtotal, expected.subtotal, vin);
  const listed = (lines: Row[]) => lines.map(({ code = null, name, price }) => ({ code, name, price }));
  const priced = (lines: Row[]) =>
    isFirstSet(expected) ? listed(lines).filter(({ price }) => price !== null) : listed(lines);
  assert.deepEqual(priced(prices.options), priced(options), vin);
  assert.deepEqual(listed(prices.discounts), listed(discounts), vin);
  assert.deepEqual(listed(prices.taxes), listed(taxes), vin);
  const fees = prices.fees.reduce((sum, fee) => sum + fee.price!, 0);
  assert.equal(fees, expected.fee ?? 0, vin);
  for (const { name, price, children } of options) {
    const ours = prices.options.find((option) => option.name === name && option.price === price);
    if (children) assert.deepEqual(ours?.children, children, `${vin} ${name}`);
    else if (expected.make === 'Ford' && !isFirstSet(expected))
      assert.deepEqual(ours?.children, [], `${vin} ${name}`);
  }
  assert.equal(proof.closes, true, vin);
  if (expected.printedTotalOptions !== undefined)
    assert.equal(proof.options?.printed, expected.printedTotalOptions, vin);
  assert.notEqual(proof.options?.closes, false, vin);
  assert.notEqual(proof.fuelEconomy?.closes, false, vin);
}

test('every recorded label is read exactly, with and without its make', { skip }, async () => {
  const rows = expectedRows();
  assert.ok(rows.length >= 110, String(rows.length));
  for (const expected of rows) {
    const { file, make, vin } = expected;
    const text = await textOf(file);
    const readings = [readText(text, { make, vin }), readText(text)];
    for (const reading of readings) {
      compareHeader(expected, reading);
      if (reading.label) assert.equal(reading.vin, vin);
      if (expected.options) comparePrices(expected, reading);
      const json = JSON.stringify(reading.label);
      assert.doesNotMatch(json, /sitedealer|"maker|DEALER NO/, `${vin}: hidden text`);
    }
  }
});

test("the color of each of Ford's recorded descriptions is read", { skip }, () => {
  const blocks = JSON.parse(readFileSync(pathOf('labels/ford/description-blocks.json'), 'utf8')) as {
    vin: string;
    text: string;
    color: string;
  }[];
  for (const { vin, text, color } of blocks)
    assert.deepEqual(readText(plainText(text), { make: 'Ford' }).paint, { color, code: null }, vin);
});

/** Words of each item, counted on the printed labels, which are alike. */
const TACOMA_EQUIPMENT = [
  ['MECHANICAL & PERFORMANCE', 5, 3, 9, 5, 3],
  ['SAFETY & CONVENIENCE', 5, 3, 10, 9],
  ['EXTERIOR', 3, 6, 7],
  ['INTERIOR', 6, 13, 3],
];

test("Toyota's equipment is complete, and its pictures have no facts", { skip }, async () => {
  for (const { file, vin } of expectedRows().filter(({ make }) => make === 'Toyota')) {
    const { label } = readText(await textOf(file), { vin });
    assert.deepEqual(
      label?.standard.map(({ section, items }) => [section, ...items.map((item) => item.split(' ').length)]),
      TACOMA_EQUIPMENT,
      vin,
    );
    assert.deepEqual([label.fuelEconomy, label.safety], [null, null], vin);
  }
});
