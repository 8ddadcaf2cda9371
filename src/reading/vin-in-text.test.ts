import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from './extracted-text.ts';
import { linesOf } from './lines.ts';
import { vinIn } from './vin-in-text.ts';

const found = (text: string, expected?: string): string | null => vinIn(linesOf(plainText(text)), expected);

test('a VIN is found among dashes, words and barcode letters', () => {
  assert.equal(found('VIN: 1M8–GDM9AXKP–042788 L4–VON: 1814'), '1M8GDM9AXKP042788');
  assert.equal(found('I1M8GDM9AXKP042788'), '1M8GDM9AXKP042788');
  assert.equal(found('VEHICLE ID NUMBER:   1M8GDM9A0KP042788'), '1M8GDM9A0KP042788');
  assert.equal(found('SAVINGS AND TAXES\nCAR 1M8GDM9AXKP042788 SOLD'), '1M8GDM9AXKP042788');
});

test('without the word VIN, a run with a wrong check digit is not a VIN', () => {
  assert.equal(found('CAR 1M8GDM9A0KP042788 SOLD'), null);
  assert.equal(found('DRIVING AND SAVING STAR STARS STAR'), null);
});

test('the requested VIN is accepted if it is printed', () => {
  assert.equal(found('CAR 1M8-GDM9A0KP-042788', '1M8GDM9A0KP042788'), '1M8GDM9A0KP042788');
  assert.equal(found('VIN 1M8GDM9AXKP042788', '1M8GDM9A0KP042788'), '1M8GDM9AXKP042788');
});
