import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf } from '../../../../test/label-page.ts';
import { linesOf } from './lines.ts';
import { addOption, readPriceList } from './price-list.ts';
import { proofOf } from './money.ts';
import { blankLabel } from './reader.ts';
import type { Label } from './types.ts';

test('taxes, levies, fees and discounts are told from equipment, in both languages', () => {
  const lines: Record<string, [name: string, price: number | null][]> = {
    taxes: [
      ['Federal A/C Excise Tax', 10_000],
      ['TAXE ACCISE FEDERALE – CLIMATISEUR', 10_000],
      ['GAS GUZZLER TAX', 10_000],
      ['*** GAS GUZZLER TAX ***', 10_000],
      ['Federal Green Levy', 10_000],
      ['ECOPRELEVEMENT FEDERAL', 10_000],
    ],
    fees: [
      ['Ontario Tire Surcharge', 1_000],
      ['MAXIMUM DEALER FEE', 1_000],
      ['Frais de recyclage', 1_000],
      ['Tire Recycling Fee', 1_000],
      ['ENVIRONMENTAL FEE / FRAIS ENVIRONNEMENTAUX', 1_000],
    ],
    discounts: [
      ['ACTIVE MID DISCOUNT', -100_000],
      ['Package Savings', -100_000],
      ['TAX SAVINGS', -100_000],
      ['ÉCONOMIES', -100_000],
    ],
    options: [
      ['Federal Blue', 10_000],
      ['TIRE REPAIR KIT', 10_000],
      ['FREE-FLOW EXHAUST', 10_000],
      ['SUPER CRUISE, FEES APPLY AFTER 3 YEARS', 10_000],
      ['FEDERAL EV TAX CREDIT', -10_000],
      ['Customer Preferred Package 27L', 10_000],
      ['REAR SEAT DELETE', -10_000],
      ['Package Savings', null],
      ['GAS GUZZLER TAX', null],
    ],
  };
  for (const [list, expected] of Object.entries(lines))
    for (const [name, price] of expected) {
      const { prices } = blankLabel('Kia');
      addOption(prices, { name, price, children: [] });
      assert.equal(prices[list as 'options'][0]?.name, name);
    }
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
