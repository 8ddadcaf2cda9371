import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from '../../../test/label-page.ts';
import { drawLabel } from '../../../tools/specimens/draw.ts';
import { extractText } from './pdf/text.ts';
import { plainText } from './reading/extracted-text.ts';
import type { LabelText } from './reading/types.ts';
import { readerVersionOf, readText } from './read-text.ts';

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
