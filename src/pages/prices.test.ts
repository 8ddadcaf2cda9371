// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORD, readingOf } from '../../test/fake-lookup.ts';
import { blankLabel } from '@monroney/label/reading/reader';
import { proofOf } from '@monroney/label/reading/money';
import type { Label, LabelText, PriceLine } from '@monroney/label/reading/types';
import { factBoxes } from './label-sections.ts';
import { hasPrices, optionTable, priceTable } from './prices.ts';
import { priceBar } from './price-bar.ts';
import { lineIds } from './highlights.ts';

/** A label whose prices add up, with these changes. */
function labelWith(change: Partial<Label['prices']>): Label {
  const { prices } = readingOf(FORD).label!;
  const changed = { ...prices, ...change };
  const lines: PriceLine[] = [...changed.options, ...changed.discounts, ...changed.taxes, ...changed.fees];
  const sum = lines.reduce((total, { price }) => total + (price ?? 0), 0);
  return {
    ...readingOf(FORD).label!,
    prices: { ...changed, total: changed.base! + sum + changed.destination! },
  };
}

const NONE = new Map();
const barOf = (label: Label) => String(priceBar(label, proofOf(label), NONE));
const words = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const keyOf = (bar: string) => [...bar.matchAll(/<li>([^]*?)<\/li>/g)].map(([, item]) => words(item!));
const rectsOf = (bar: string) =>
  [
    ...bar.matchAll(
      /class="slice slice-(\w+)( taken)?"[^]*?\sx="([\d.]+)"\s+y="([\d.]+)"\s+width="([\d.]+)"/g,
    ),
  ].map(([, part, taken, x, y, width]) => ({
    part,
    taken: Boolean(taken),
    x: Number(x),
    y: Number(y),
    width: Number(width),
  }));

test('in the price bar nothing is drawn over something else, and savings are beside the total', () => {
  const rects = rectsOf(
    barOf(
      labelWith({
        discounts: [
          { name: 'TREMOR DISCOUNT', price: -57_000 },
          { name: 'LARIAT DISCOUNT', price: -90_000 },
        ],
      }),
    ),
  );
  assert.deepEqual(
    rects.map(({ part }) => part),
    ['base', 'options', 'destination', 'discounts', 'discounts'],
  );
  for (const row of [rects.filter(({ taken }) => !taken), rects.filter(({ taken }) => taken)])
    for (const [index, { x }] of row.slice(1).entries())
      assert.ok(x >= row[index]!.x + row[index]!.width, `${x} begins inside the slice before it`);
  const added = rects.find(({ taken }) => !taken)!;
  assert.ok(rects.filter(({ taken }) => taken).every(({ y }) => y > added.y + 39));
});

test('every color of the price bar is in its legend, and the legend adds up to the total', () => {
  const label = labelWith({
    options: [
      { name: 'TOW PACKAGE', price: 140_000, children: [] },
      { name: 'DELETE SPARE TIRE', price: -9_500, children: [] },
    ],
    discounts: [{ name: 'DISCOUNT', price: -50_000 }],
  });
  assert.deepEqual(keyOf(barOf(label)), [
    'Base price $40,000',
    'Options $1,400',
    'Destination $1,995',
    'Credits −$95',
    'Savings −$500',
  ]);
});

test('a package lists five of its contents and unfolds the others', () => {
  const table = (count: number) => {
    const children = Array.from({ length: count }, (_, index) => `PART ${index + 1} OF IT`);
    const label = labelWith({ options: [{ name: 'PACKAGE', price: 100_000, children }] });
    return String(priceTable(label, proofOf(label), NONE));
  };
  assert.match(words(table(16)), /Part 5 of It PART 5 OF IT 11 more Part 6 of It/);
  assert.equal(table(16).match(/<li>/g)!.length, 16);
  assert.doesNotMatch(table(6), /<details/);
  assert.doesNotMatch(table(0), /<ul class="children/);
});

test('a sticker without prices says so, and never "not found" or "included"', () => {
  const { prices, ...label } = readingOf(FORD).label!;
  const unpriced: Label = {
    ...label,
    prices: {
      ...prices,
      base: null,
      destination: null,
      total: null,
      options: [{ name: 'AIR BRAKES', price: null, children: [] }],
    },
  };
  assert.equal(hasPrices(unpriced), false);
  assert.equal(hasPrices({ ...label, prices }), true);
  const textWith = (text: string): LabelText => ({
    version: 1,
    positioned: true,
    pages: [{ width: 1, height: 1, items: [{ text, x: 0, y: 0, width: 1, size: 1 }] }],
  });
  const table = words(String(optionTable(unpriced, textWith('Annual fuel cost $1,750'), NONE)));
  assert.match(table, /^This sticker has no prices\./);
  assert.match(table, /Air Brakes/);
  assert.doesNotMatch(table, /not found|included|\$/);
  // It may have prices that the reader missed.
  assert.match(String(optionTable(unpriced, textWith('45,675.00'), NONE)), /We couldn’t find the prices/);
});

test('lines are numbered in the order of the table, from the base price to the total', () => {
  const label = labelWith({
    discounts: [{ name: 'DISCOUNT', price: -50_000 }],
    fees: [{ name: 'FEE', price: 10_000 }],
  });
  assert.deepEqual(
    [...lineIds(label)].map(([path, id]) => `${id} ${path}`),
    [
      'line-1 prices.base',
      'line-2 prices.options.0',
      'line-3 prices.options.1',
      'line-4 prices.discounts.0',
      'line-5 prices.fees.0',
      'line-6 prices.destination',
      'line-7 prices.total',
    ],
  );
  // A line that isn't on the first page has no frame, but its link leads to its row.
  assert.match(String(priceTable(label, proofOf(label), NONE)), /<tr id="line-5">/);
});

test('names are written out, with the printed words behind a switch', () => {
  const label: Label = {
    ...blankLabel('Ford'),
    exterior: { color: 'STAR WHITE METALLIC TRI-COA', code: null },
    transmission: 'ECVT TRANSMISSION',
    warranty: ['3YR/36,000 BUMPER / BUMPER'],
  };
  const facts = String(factBoxes(label, new Map()));
  for (const [name, printed] of [
    ['Star White Metallic Tri-Coa', 'STAR WHITE METALLIC TRI-COA'],
    ['Electronic Continuously Variable Transmission', 'ECVT TRANSMISSION'],
    ['3-Year/36,000 Bumper to Bumper', '3YR/36,000 BUMPER / BUMPER'],
  ])
    assert.ok(
      facts.includes(`<span class="name-plain">${name}</span><span class="name-printed">${printed}</span>`),
      name,
    );
  const isSwitched = (shown: Label) => /Names as printed/.test(String(priceTable(shown, null, new Map())));
  assert.equal(isSwitched(label), true, 'although no line of the table differs');
  assert.equal(isSwitched(blankLabel('Ford')), false);
  label.prices.options = [{ name: 'STAR WHITE METALLIC TRI-COAT', price: null, children: [] }];
  assert.match(String(factBoxes({ ...label }, new Map())), /plain">Star White Metallic Tri-Coat</);
  assert.match(String(optionTable(label, null, new Map())), /Names as printed/);
});
