// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JEEP, readingOf } from '../../../test/fake-lookup.ts';
import { barDrawing, grossOf } from '../price-bar.ts';
import { cardOf, comparisonCard, textWidth } from './draw.ts';

const { label, proof } = readingOf(JEEP);
const bar = (full: number) => String(barDrawing(label!, proof, full));
const car = {
  name: 'Jeep',
  vin: JEEP,
  total: '$64,725',
  facts: '',
  hasPicture: true,
  without: 'No window sticker',
};
/** The rule of the ruler after each group, and the ends of its frame. */
const RULES = /<path d="M\d+ \d+v\d+" stroke=/g;

test('a car’s card has its price bar and its VIN in cells, left of the sticker', () => {
  const { svg, stickers } = cardOf({ ...car, bar: bar(grossOf(label!)) });
  assert.equal(svg.match(RULES)?.length, 5);
  const [, x, width] = /<svg x="(\d+)" y="\d+" width="(\d+)" height="\d+"\s+class="bar-drawing"/.exec(svg)!;
  assert.ok(Number(x) + Number(width) < stickers[0]!.left);
  for (const part of ['slice-base', 'slice-options', 'slice-destination', 'bar-total']) {
    assert.ok(svg.includes(`class="slice ${part}"`) || svg.includes(`class="${part}"`), part);
    assert.match(svg, new RegExp(`\\.${part}[^{]*\\{fill:#`), part);
  }
});

test('without a price bar or a sticker, the VIN is still in cells', () => {
  for (const hasPicture of [true, false]) {
    const { svg } = cardOf({ ...car, hasPicture, bar: null });
    assert.equal(svg.match(RULES)?.length, 5);
    assert.doesNotMatch(svg, /bar-drawing/);
  }
});

test('a comparison’s card has a price bar per car, above its sticker', () => {
  const full = 2 * grossOf(label!);
  const cars = [bar(full), null, bar(full)].map((one) => ({ ...car, hasPicture: true, bar: one }));
  const { svg, stickers } = comparisonCard('Three cars, side by side', cars);
  const bars = [...svg.matchAll(/<svg x="(\d+)" y="(\d+)" width="\d+" height="(\d+)"/g)];
  assert.deepEqual(
    bars.map(([, x]) => Number(x)),
    [stickers[0]!.left, stickers[2]!.left],
  );
  for (const [, , y, height] of bars) assert.ok(Number(y) + Number(height) < stickers[0]!.top);
});

test('a long result is written smaller rather than cut off', () => {
  const title = 'The 2025 Escalade ESV Premium Luxury cost the most, $59,130 more than the 2025 F-150 XL';
  assert.ok(textWidth(title, 50, 'semibold') > 2 * 1000);
  const { svg } = comparisonCard(title, [
    { ...car, bar: null },
    { ...car, bar: null },
  ]);
  const letters = title.replaceAll(' ', '').length;
  const lines = svg.split('<g ').slice(2, 4);
  const drawn = lines.join('').match(/<path transform="translate\(\d+\)" d="M/g)!.length;
  assert.equal(drawn, letters);
});

test('four cars whose names begin alike have them in full', () => {
  const trims = ['XL SuperCrew 4x2', 'XLT SuperCrew 4x2', 'XLT SuperCrew 4x4', 'XL SuperCrew 4x4'];
  const cars = trims.map((trim) => ({ ...car, name: `2025 F-150 ${trim}`, bar: bar(grossOf(label!)) }));
  const { svg, stickers } = comparisonCard('Four cars', cars);
  const letters = [
    ...svg.matchAll(/<g transform="translate\((\d+) \d+\) scale\([^"]*" fill="#504e47">(.*?)<\/g>/g),
  ];
  for (const [index, { name }] of cars.entries()) {
    const { left, top, width } = stickers[index]!;
    const own = letters.filter(([, x]) => Number(x) === left);
    const drawn = own.map(([, , paths]) => paths!.match(/<path/g)!.length);
    // A break takes the place of one space.
    assert.equal(
      drawn.reduce((sum, count) => sum + count, 0),
      name.length - 1,
    );
    assert.ok(width > 0 && top < 630);
  }
});
