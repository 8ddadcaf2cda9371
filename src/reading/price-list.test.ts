import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf } from '../../test/label-page.ts';
import { linesOf } from './lines.ts';
import { isFee, isTax, readPriceList } from './price-list.ts';
import { proofOf } from './proof.ts';
import { blankLabel } from './reader.ts';
import type { Label } from './types.ts';

test('taxes, levies and fees are told from equipment, in both languages', () => {
  for (const name of [
    'Federal A/C Excise Tax',
    'TAXE ACCISE FEDERALE – CLIMATISEUR',
    'GAS GUZZLER TAX',
    '*** GAS GUZZLER TAX ***',
    'Federal Green Levy',
    'ECOPRELEVEMENT FEDERAL',
  ])
    assert.deepEqual([isTax(name), isFee(name)], [true, false], name);
  for (const name of [
    'Ontario Tire Surcharge',
    'MAXIMUM DEALER FEE',
    'Frais de recyclage',
    'Tire Recycling Fee',
  ])
    assert.deepEqual([isTax(name), isFee(name)], [false, true], name);
  for (const name of [
    'Federal Blue',
    'TIRE REPAIR KIT',
    'FREE-FLOW EXHAUST',
    'Customer Preferred Package 27L',
    'Tax-free',
  ])
    assert.equal(isFee(name), false, name);
});

function read(
  options: (string | [string, string])[],
  mark?: RegExp,
  base: (string | [string, string])[] = [['BASE', '$30,000.00']],
): Label {
  const label = blankLabel('Kia');
  const list = [...base, 'ADDED:', ...options, ['FREIGHT', '$1,000.00'], ['TOTAL', '$32,500.00']];
  const lines = linesOf(pageOf(...columnOf(40, 40, list as [string, string][], 10, 250)));
  const words = { base: /^BASE/, options: /^ADDED/, destination: /^FREIGHT/, total: /^TOTAL/ };
  assert.ok(readPriceList(label, lines, mark ? { ...words, mark } : words));
  return label;
}

const optionsIn = (label: Label): unknown =>
  label.prices.options.map(({ name, price, children }) => [name, price, children]);

test('the name of an option may take two lines, with its price on the second', () => {
  const plain = read([
    ['Roof Rails', '$500.00'],
    '- Crossbars',
    'Floor Mats (Front, Rear and',
    ['Cargo Area)', '$1,000.00'],
  ]);
  assert.deepEqual(optionsIn(plain), [
    ['Roof Rails', 50_000, ['Crossbars']],
    ['Floor Mats (Front, Rear and Cargo Area)', 100_000, []],
  ]);
  const marked = read(
    [['*Roof Rails', '$500.00'], '*Floor Mats with', ['Cargo Cover', '$1,000.00']],
    /^\*\s*/,
  );
  assert.deepEqual(optionsIn(marked), [
    ['Roof Rails', 50_000, []],
    ['Floor Mats with Cargo Cover', 100_000, []],
  ]);
  for (const label of [plain, marked]) assert.equal(proofOf(label).closes, true);
});

test('a line that is complete is not part of the next option', () => {
  const label = read([['*Roof Rails', '$500.00'], '*Floor Mats', ['WHITE(W1) Paint', '$1,000.00']], /^\*\s*/);
  assert.deepEqual(optionsIn(label), [
    ['Roof Rails', 50_000, []],
    ['Floor Mats', null, []],
    ['WHITE(W1) Paint', 100_000, []],
  ]);
});

test('a bare number under the words of a price is not its amount', () => {
  assert.equal(read([], undefined, ['BASE', '17']).prices.base, null);
  assert.equal(read([], undefined, ['BASE', '$30,000.00']).prices.base, 3_000_000);
});
