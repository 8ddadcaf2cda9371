import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDrawn, readWords } from '../../../test/drawn-label.ts';
import { source as toyota } from './source.ts';
import { hostsOf } from '../maker.ts';

test('the paint always has its code', async () => {
  const { paint, label, proof } = await readDrawn({ vin: 'JTEVB5BR6S5000000', make: 'Toyota', year: 2025 });
  assert.deepEqual(paint, { color: 'GLACIER MIST', code: '01M4' });
  assert.equal(label.engine, '2.4L 4-CYL TURBO ENGINE');
  assert.equal(label.parts?.engine, 'JAPAN');
  assert.equal(proof?.closes, true);
});

test('Lexus is read the same way', async () => {
  const { paint, label } = await readDrawn({
    vin: '5TDACAC67SS000000',
    make: 'Lexus',
    exterior: 'MOON STONE 2.0',
    paintCode: '08X1',
  });
  assert.deepEqual(paint, { color: 'MOON STONE 2.0', code: '08X1' });
  assert.equal(label.make, 'Lexus');
});

test('name and code come in either order, and nothing else is taken for one', () => {
  for (const [text, color, code] of [
    ['EXTERIOR: MOON STONE (0040)', 'MOON STONE', '0040'],
    ['EXTERIOR: 040 MOON STONE', 'MOON STONE', '040'],
    ['EXTERIOR COLOR: 1G3 - MOON STONE', 'MOON STONE', '1G3'],
    ['EXTERIOR: MOON STONE 089', 'MOON STONE', '089'],
    ['EXT. COLOR: Moon Stone [3U5]', 'Moon Stone', '3U5'],
    ['EXTERIOR: MOON STONE (0040) INTERIOR: BLACK (FB20)', 'MOON STONE', '0040'],
  ] as const) {
    assert.deepEqual(readWords('Toyota', ['2025 MADEUP', text]).paint, { color, code }, text);
  }
  for (const text of [
    'EXTERIOR: MOON STONE',
    'EXTERIOR: MOON STONE (BLK)',
    'EXTERIOR: MOON STONE (00040)',
    'EXTERIOR: 040 MOON STONE (0040)',
    'EXTERIOR: 0040',
    'EXTERIOR: HEATED MIRRORS 4WD',
    'EXTERIOR MOON STONE (0040)',
    'INTERIOR: BLACK (FB20)',
  ]) {
    assert.equal(readWords('Toyota', ['2025 MADEUP', text]).paint, null, text);
  }
});

test('a heading of the equipment before it does not hide the paint', () => {
  const { paint } = readWords('Toyota', ['EXTERIOR:', 'LED HEADLAMPS', 'VIN: X EXTERIOR: MOON STONE (0040)']);
  assert.deepEqual(paint, { color: 'MOON STONE', code: '0040' });
});

test('the paint may be below its name', () => {
  assert.deepEqual(readWords('Toyota', ['EXTERIOR:', 'MOON STONE (0040)']).paint, {
    color: 'MOON STONE',
    code: '0040',
  });
  for (const under of ['INTERIOR: BLACK (FB20)', '200W AUDIO SYSTEM', 'ALLOY WHEELS 18X8'])
    assert.equal(readWords('Toyota', ['EXTERIOR:', under]).paint, null, under);
});

test('every platform is requested in turn, because each has only the cars its dealers sell', () => {
  assert.equal(toyota.strategy, 'try-all');
  assert.equal(hostsOf(toyota).length, 3);
  assert.equal(toyota.notFound, 'none');
});
