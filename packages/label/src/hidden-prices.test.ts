// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideEachPrice } from '../../../test/hidden-prices.ts';
import { readWords } from '../../../test/drawn-label.ts';
import { drawLabel, drawnMakes } from '../../../tools/specimens/draw.ts';
import { extractText } from './pdf/text.ts';
import { readText, readerVersionOf } from './read-text.ts';

const VIN = '1FMUK8DH0TG000000';
const readable = drawnMakes.filter(readerVersionOf);
const drawn = (make: string) => extractText(drawLabel({ vin: VIN, make }));

test('a reading that leaves out a price is never called right, on any of our drawings', async () => {
  assert.ok(readable.length >= 4);
  for (const make of readable) {
    const text = await drawn(make);
    assert.equal(readText(text, { make, vin: VIN }).proof?.closes, true, make);
    const hidden = hideEachPrice(text, { make, vin: VIN });
    assert.ok(hidden.length > 0, make);
    for (const { name, reason } of hidden) assert.notEqual(reason, null, `${make} ${name}`);
  }
});

const kia = (...prices: string[]) =>
  readWords('Kia', [
    '2025 MADEUP LX',
    'EXTERIOR COLOR: MOSS GREEN',
    "MANUFACTURER'S SUGGESTED RETAIL PRICE $30,000.00",
    ...prices,
    'INLAND FREIGHT AND HANDLING $1,000.00',
    "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE $31,500.00",
  ]).proof;

test('a printed subtotal must be the sum of what was read', () => {
  const options = ['ADDITIONAL INSTALLED EQUIPMENT:', 'Floor Mats $200.00', 'Cargo Net $300.00'];
  assert.equal(kia(...options, 'MSRP INCLUDING OPTIONS $30,500.00')?.closes, true);
  const proof = kia(...options, 'MSRP INCLUDING OPTIONS $30,400.00');
  assert.deepEqual([proof?.closes, proof?.reason, proof?.difference], [false, 'subtotal-differs', 0]);
});

test('a price that belongs to nothing makes the sum worthless', () => {
  const options = ['ADDITIONAL INSTALLED EQUIPMENT:', 'Floor Mats $500.00'];
  assert.equal(kia('Window Tint $300.00', ...options)?.reason, 'unread-priced-lines');
  for (const harmless of [
    'Floor Liner $0.00',
    'Alarm INCLUDED',
    'Axle Ratio 3.55',
    'Annual fuel cost $1,850',
  ])
    assert.equal(kia(harmless, ...options)?.reason, null, harmless);
});

test('a label that is followed by one with other prices is not called right', async () => {
  const text = await drawn('Ford');
  const [page] = text.pages;
  const dearer = page!.items.map((item) => ({
    ...item,
    text: item.text.replace(/(\d),(\d{3})\.00/, '$1,$29.00'),
  }));
  const prices = [
    page!,
    { ...page!, items: dearer.map((item) => ({ ...item, text: item.text.replace(/29\.00/, '00.00') })) },
  ];
  assert.equal(readText({ ...text, pages: [page!, page!] }, { make: 'Ford', vin: VIN }).proof?.closes, true);
  assert.equal(
    readText({ ...text, pages: prices }, { make: 'Ford', vin: VIN }).proof?.reason,
    'unread-priced-lines',
  );
});

test('prices elsewhere on the page or on another page are not the label’s', async () => {
  for (const make of readable) {
    const text = await drawn(make);
    const [page] = text.pages;
    const note = (words: string, y: number) => ({ text: words, x: 20, y, width: 80, size: 6 });
    const amount = (words: string, y: number) => ({ text: words, x: 120, y, width: 30, size: 6 });
    const addendum = {
      ...page!,
      items: [note(`VIN ${VIN}`, 20), note('Window tint', 40), amount('$399.00', 40)],
    };
    const above = [note('15,000 miles at', 8), amount('$4.30', 8)];
    const reading = readText(
      { ...text, pages: [{ ...page!, items: [...page!.items, ...above] }, addendum] },
      { make, vin: VIN },
    );
    assert.deepEqual([reading.proof?.closes, reading.proof?.reason], [true, null], make);
  }
});
