import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, columnOf, type Run } from '../../../test/label-page.ts';
import { drawLabel } from '../../../tools/specimens/draw.ts';
import { extractText } from './pdf/text.ts';
import { plainText } from './reading/lines.ts';
import type { LabelText, Label } from './reading/types.ts';
import { readerVersionOf, readText, withoutContradictions } from './read-text.ts';
import { blankLabel } from './reading/reader.ts';

test('an unknown layout gives a reading that says so', () => {
  const reading = readText(plainText('A letter\nwith some lines'), {});
  assert.deepEqual(
    [reading.readable, reading.reason, reading.paint, reading.label],
    [false, 'unknown-layout', null, null],
  );
});

test('a page of another make is not read as its own', () => {
  const reading = readText(plainText('A letter\nwith some lines'), { make: 'Jeep' });
  assert.deepEqual(
    [reading.reader, reading.readable, reading.reason],
    [readerVersionOf('Jeep'), false, 'unknown-layout'],
  );
});

test('a label that is a picture has no paint, whatever text it contains', () => {
  const reading = readText(plainText('EXTERIOR: GUN METALLIC'), { make: 'NISSAN' });
  assert.deepEqual([reading.readable, reading.reason, reading.paint], [false, 'picture', null]);
  assert.equal(readText(pageOf(), { make: 'Ram' }).reason, 'no-text');
});

test('no text makes a reader throw', () => {
  const broken = {
    version: 1,
    positioned: true,
    pages: [{ width: 0, height: 0, items: [{ text: 'Base Price:', x: NaN, y: NaN, width: NaN, size: NaN }] }],
  };
  for (const make of ['Jeep', 'GMC', 'Ford', 'Kia', 'Genesis', 'Subaru', 'Lexus', undefined]) {
    assert.equal(typeof readText(broken, make ? { make } : {}).readable, 'boolean');
    // A kept text of an older shape must not stop a lookup.
    assert.equal(readText(JSON.parse('{}'), make ? { make } : {}).readable, false);
  }
});

test('only makes whose labels print a paint code get one', () => {
  const words = 'EXTERIOR: ICE CAP (0040)\nINTERIOR: BLACK\nVIN 5TDAAAB50SS000000';
  assert.equal(readText(plainText(words), { make: 'Toyota' }).paint?.code, '0040');
  assert.equal(readText(plainText(`2024 X\n${words}`), { make: 'GMC' }).paint?.code, null);
});

test('prices that do not add up are left out for a make without real labels, though a sister make has some', async () => {
  const vin = '1FMUK8DH0TG000000';
  const text = await extractText(drawLabel({ vin, make: 'Ford' }));
  const total = readText(text, { make: 'Ford', vin }).label!.prices.total!;
  const printed = `$${(total / 100).toLocaleString('en-US')}.00`;
  const wrong: LabelText = {
    ...text,
    pages: text.pages.map((page) => ({
      ...page,
      items: page.items.map((item) => ({ ...item, text: item.text.replaceAll(printed, '$99,999.00') })),
    })),
  };
  const ford = readText(wrong, { make: 'Ford', vin });
  assert.deepEqual([ford.proof!.closes, ford.label!.prices.total], [false, 9_999_900]);
  assert.equal(readText(wrong, { make: 'Lincoln', vin }).label!.prices.total, null);
  assert.equal(readText(text, { make: 'Lincoln', vin }).label!.prices.total, total);
});

const header: Run[] = [
  [447, 63, '2025 COUPE', 20],
  ...columnOf(692, 57, ['EXTERIOR: ARCTIC WHITE', 'INTERIOR: JET BLACK'], 12),
  ...columnOf(890, 57, ['ENGINE, 2.0L TURBO', 'TRANSMISSION, 8-SPD AUTOMATIC'], 12),
  [870, 683, 'FINAL ASSEMBLY:', 6],
  [870, 690, 'LANSING, MI', 6],
  [918, 690, 'U.S.A.', 6],
];

const read = (...more: Run[]) => {
  const { paint, label } = readText(pageOf(...header, ...more), { make: 'Chevrolet' });
  const { interior = null, engine = null, assembly = null } = label ?? {};
  return { color: paint?.color ?? null, interior, engine, assembly };
};

const whole = {
  color: 'ARCTIC WHITE',
  interior: 'JET BLACK',
  engine: 'ENGINE, 2.0L TURBO',
  assembly: 'LANSING, MI U.S.A.',
};

test('words after a wide gap, an amount, and words printed over a value leave it out, and nothing else', () => {
  assert.deepEqual(read(), whole);
  // The drawn letters are 5.4 points wide, so that the color ends at 811.
  assert.deepEqual(read([818, 57, 'DEMO', 12]), { ...whole, color: null });
  assert.deepEqual(read([813, 57, '$500.00', 12]), { ...whole, color: null });
  assert.deepEqual(read([740, 60, 'SOLD', 12]), { ...whole, color: null });
  assert.deepEqual(read([740, 71, 'SOLD', 12]), { ...whole, interior: null });
  assert.deepEqual(read([900, 59, 'SOLD', 12]).color, 'ARCTIC WHITE');
  assert.equal(read([900, 59, 'SOLD', 12]).engine, null);
  assert.deepEqual(read([875, 691, 'SOLD', 6]).assembly, null);
});

test('words near a value, in other rows or at a distance, change nothing', () => {
  assert.deepEqual(read([692, 30, 'SOLD', 12], [692, 110, 'DEMO', 12], [600, 57, 'SOLD', 8]), whole);
});

test('the ratio of an axle is part of a value, and an amount is not', () => {
  const engine = (text: string) => {
    const runs = header.map((run): Run =>
      run[2] === 'ENGINE, 2.0L TURBO' ? [run[0], run[1], text, 12] : run,
    );
    return readText(pageOf(...runs), { make: 'Chevrolet' }).label?.engine;
  };
  assert.equal(engine('ENGINE, 6.6L 3.73 AXLE'), 'ENGINE, 6.6L 3.73 AXLE');
  for (const amount of ['395.00', '1,395.00', '5.00', '$395'])
    assert.equal(engine(`ENGINE, 6.6L ${amount} AXLE`), null, amount);
});

const at = { page: 1, x: 1, y: 1, width: 1, height: 1 };

function label(change: Partial<Label> = {}, prices: Partial<Label['prices']> = {}): Label {
  const blank = blankLabel('Ford');
  const options = [{ name: 'TOW PACKAGE', price: 100_000, children: [] }];
  return {
    ...blank,
    model: '2026 MADEUP',
    year: 2026,
    exterior: { color: 'MOSS GREEN', code: null },
    interior: 'BLACK CLOTH',
    prices: { ...blank.prices, base: 4_000_000, options, destination: 200_000, total: 4_300_000, ...prices },
    places: { exterior: at, 'prices.base': at, 'prices.options.0': at },
    ...change,
  };
}

test('prices that add up stay, and so does what could not be checked', () => {
  const whole = withoutContradictions(label(), null, { printed: 100_000, sum: 100_000 }, false);
  assert.deepEqual([whole.label, whole.proof.closes, whole.proof.options?.closes], [label(), true, true]);
  const half = withoutContradictions(label({}, { total: null }), null, undefined, false);
  assert.deepEqual([half.label.prices.base, half.proof.closes], [4_000_000, false]);
  assert.equal(
    withoutContradictions(label({}, { total: null }), null, undefined, true).label.prices.base,
    null,
  );
});

test('prices that do not add up stay with the difference told, unless the reader was never tested on a real label', () => {
  const off = label({}, { total: 4_300_100 });
  const kept = withoutContradictions(off, null, undefined, false);
  assert.deepEqual([kept.label.prices, kept.proof.difference], [off.prices, -100]);
  const { label: checked, proof } = withoutContradictions(off, null, undefined, true);
  assert.deepEqual(checked.prices, blankLabel('Ford').prices);
  assert.deepEqual(Object.keys(checked.places), ['exterior']);
  assert.deepEqual(proof, { closes: false, reason: 'sum-differs', sum: null, total: null, difference: null });
  assert.equal(checked.exterior?.color, 'MOSS GREEN');
});

test('without its year or model a whole label has no color; a form without equipment keeps it', () => {
  for (const missing of [{ year: null }, { model: null }]) {
    const { label: checked } = withoutContradictions(label(missing), null, undefined, false);
    assert.deepEqual(
      [checked.exterior, checked.interior, checked.places['exterior']],
      [null, null, undefined],
    );
  }
  const form = { ...label({ year: null, model: null }), prices: blankLabel('Chevrolet').prices };
  assert.equal(withoutContradictions(form, null, undefined, false).label.exterior?.color, 'MOSS GREEN');
});
