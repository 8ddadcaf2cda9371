import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf, type Run } from '../../test/label-page.ts';
import { readText } from '../makers/read.ts';

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
