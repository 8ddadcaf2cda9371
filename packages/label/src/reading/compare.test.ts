import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Label, OptionLine, Reading } from './types.ts';
import { compareEquipment, compareLines, headline, leadWords, namesApart } from './compare.ts';
import { blankLabel } from './reader.ts';

function option(name: string, price: number | null): OptionLine {
  return { name, price, children: [] };
}

function label(base: number, options: OptionLine[], items: string[] = []): Label {
  const blank = blankLabel('Jeep');
  return {
    ...blank,
    year: 2026,
    exterior: { color: 'Hydro Blue Pearl–Coat', code: null },
    prices: { ...blank.prices, base, options, destination: 199_500 },
    standard: [{ section: null, items }],
  };
}

test('differences come first, the largest first, whatever their sign', () => {
  const lines = compareLines([
    label(5_298_000, [option('Hard Top', 249_500), option('Bedliner', 37_500)]),
    label(5_259_500, [option('Cold Weather Group', 109_500), option('BED–LINER', 37_500)]),
  ]);
  assert.deepEqual(
    lines.map(({ name, difference, same }) => [name, difference, same]),
    [
      ['Hard Top', 249_500, false],
      ['Cold Weather Group', -109_500, false],
      ['Base price', 38_500, false],
      ['Bedliner', 0, true],
      ['Destination', 0, true],
    ],
  );
});

test('one option is the same under other dashes and capitals, and paint is paint', () => {
  const lines = compareLines([
    label(1, [option('Trailer–Tow Package', 39_500), option('Hydro Blue Pearl–Coat', 59_500)]),
    label(1, [option('TRAILER-TOW PACKAGE', 39_500), option('Hydro Blue Pearl-Coat', 59_500)]),
  ]);
  assert.ok(lines.every(({ same }) => same));
  assert.deepEqual(
    lines.map(({ name }) => name),
    ['Base price', 'Trailer–Tow Package', 'Exterior paint', 'Destination'],
  );
});

test('for three cars the spread is told', () => {
  const [line] = compareLines([label(300, []), label(100, []), label(200, [])]);
  assert.deepEqual(line, { name: 'Base price', prices: [300, 100, 200], difference: 200, same: false });
});

test('equipment that all have is left out', () => {
  const each = compareEquipment([
    label(1, [], ['Hill-Start Assist', 'Roof Rails']),
    label(1, [], ['Hill–Start Assist']),
  ]);
  assert.deepEqual(each, [{ only: ['Roof Rails'] }, { only: [] }]);
});

test('the heading is the answer', () => {
  const cars = ['Rubicon', 'Mojave'];
  for (const [names, totals, heading] of [
    [cars, [6_472_500, 6_127_000], 'The Rubicon cost $3,455 more than the Mojave'],
    [cars, [6_127_000, 6_472_500], 'The Rubicon cost $3,455 less than the Mojave'],
    [['a', 'b', 'c'], [100, 300, 200], 'The b cost the most, $2 more than the a'],
    [cars, [6_127_000, 6_127_000], 'Both cost $61,270 new'],
    [cars, [null, 1], 'The Rubicon and the Mojave, side by side'],
  ] as [string[], (number | null)[], string][])
    assert.equal(headline(names, totals), heading);
});

test('cars are told apart by the least that does it, equal names by their paint, else by their order', () => {
  const jeep = (year: string, model: string, trim: string) => ({ year, make: 'Jeep', model, trim });
  const chevrolet = (model: string, trim: string, paint: string | null, make = 'Chevrolet') => ({
    year: '2025',
    make,
    model,
    trim,
    paint,
  });
  const zr1 = (paint: string | null) => chevrolet('Corvette', 'ZR1 3LZ Convertible', paint);
  const charger = (paint: string) => chevrolet('Charger', 'Scat Pack', paint);
  const unknown = { year: null, make: null, model: null, trim: null };
  for (const [first, second, ...names] of [
    [jeep('2024', 'Gladiator', 'Rubicon'), jeep('2024', 'Gladiator', 'Mojave'), 'Rubicon', 'Mojave'],
    [jeep('2024', 'Gladiator', 'Sport'), jeep('2024', 'Wrangler', 'Sport'), 'Gladiator', 'Wrangler'],
    [
      jeep('2023', 'Gladiator', 'Sport'),
      jeep('2024', 'Gladiator', 'Sport'),
      '2023 Gladiator Sport',
      '2024 Gladiator Sport',
    ],
    [unknown, unknown, 'first car', 'second car'],
    [zr1('ARCTIC WHITE'), zr1('RIPTIDE BLUE METALLIC'), 'Arctic White ZR1', 'Riptide Blue ZR1'],
    [
      charger('Granite Clear–Coat Exterior Paint'),
      charger('Velvet Red Pearl Coat'),
      'Granite Charger',
      'Velvet Red Charger',
    ],
    // Only the finish differs.
    [zr1('BLACK METALLIC'), zr1('BLACK'), 'Black Metallic ZR1', 'Black ZR1'],
    [zr1('BLACK'), zr1('BLACK'), 'first ZR1', 'second ZR1'],
    [charger('BLACK'), zr1(null), 'Charger', 'Corvette'],
    [chevrolet('1500', 'Big Horn', 'BLACK', 'Ram'), zr1(null), 'Ram 1500', 'Corvette'],
  ] as const)
    assert.deepEqual(namesApart([first, second]), names);
});

test('a plural and a singular are one line, unless a label lists both', () => {
  const both = compareLines([
    label(1, [option('RED SEAT BELT', 50_000)]),
    label(1, [option('RED SEAT BELTS', 50_000)]),
  ]);
  assert.ok(both.every(({ same }) => same));
  const unclear = compareLines([
    label(1, [option('KEY RING COVER', 1_000), option('KEY RING COVERS', 2_000)]),
    label(1, [option('KEY RING COVERS', 2_000)]),
  ]);
  assert.deepEqual(unclear.map(({ name, prices }) => [name, prices]).slice(0, 1), [
    ['KEY RING COVER', [1_000, 'none']],
  ]);
  const equipment = compareEquipment([label(1, [], ['FLOOR MAT']), label(1, [], ['Floor mats'])]);
  assert.deepEqual(equipment, [{ only: [] }, { only: [] }]);
});

test('an option that is included costs the same as one without charge', () => {
  const [line] = compareLines([label(1, [option('ROOF', null)]), label(1, [option('ROOF', 0)])]).filter(
    ({ name }) => name === 'ROOF',
  );
  assert.deepEqual([line!.prices, line!.same], [['included', 0], true]);
});

test('an option printed with a colon is named without it', () => {
  const labels = [label(1, [option('TRACK DAY PACKAGE:', 634_500)]), label(1, [])];
  const readings = labels.map((one) => ({ label: one, proof: { closes: true } }) as Reading);
  assert.match(leadWords(readings, compareLines(labels), ['GT', 'XLT']), /Track Day Package \+\$6,345\.$/);
});

test('names that differ by a word like "front" are one line, and included paint is not "none"', () => {
  const first = label(1, [option('LICENSE PLATE BRACKET', 0), option('Bright White', 49_500)]);
  const second = label(1, [option('FRONT LICENSE PLATE BRACKET', 0)]);
  first.exterior = { color: 'Bright White', code: null };
  second.exterior = { color: 'Granite', code: null };
  const lines = compareLines([first, second]);
  assert.deepEqual(
    lines.filter(({ name }) => /BRACKET/.test(name)).map(({ prices, same }) => [prices, same]),
    [[[0, 0], true]],
  );
  assert.deepEqual(lines.find(({ name }) => name === 'Exterior paint')?.prices, [49_500, 'included']);
});

test('a priced paint that is listed with its code is the paint, not another option', () => {
  const coded = label(1, [option('SAVANNA GOLD(SG7) Paint', 150_000)]);
  coded.exterior = { color: 'SAVANNA GOLD', code: 'SG7' };
  const plain = label(1, []);
  plain.exterior = { color: 'Granite', code: null };
  const lines = compareLines([coded, plain]);
  assert.deepEqual(
    lines.filter(({ same }) => !same).map(({ name, prices }) => [name, prices]),
    [['Exterior paint', [150_000, 'included']]],
  );
});

test('equipment is not compared with a label that lists none', () => {
  const listed = { ...label(1, []), standard: [{ section: 'Safety', items: ['Rear camera'] }] };
  const unlisted = { ...label(1, []), standard: [] };
  assert.deepEqual(compareEquipment([listed, unlisted]), [{ only: [] }, { only: [] }]);
});
