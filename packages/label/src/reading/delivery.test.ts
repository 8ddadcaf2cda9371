import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf, type Run } from '../../../../test/label-page.ts';
import { readDealer } from './delivery.ts';
import { linesOf } from './lines.ts';
import { blankLabel } from './reader.ts';

function dealerOn(...runs: Run[]) {
  const lines = linesOf(pageOf(...runs));
  const label = blankLabel('Kia');
  readDealer(
    label,
    lines,
    lines.find(({ text }) => text.startsWith('SOLD TO')),
    'XX001',
  );
  return label;
}

const heading: Run = [380, 56, 'SOLD TO: XX001'];
const address = (...lines: string[]) => columnOf(380, 68, lines);

test('name, street and town below a heading are the dealer, with their place', () => {
  const label = dealerOn(
    heading,
    ...address('A DEALER, INC.', '1 EXAMPLE STREET', 'SAINT ANNE, TX 00000-1234'),
  );
  assert.deepEqual(label.delivery.dealer, {
    name: 'A DEALER, INC.',
    street: '1 EXAMPLE STREET',
    city: 'SAINT ANNE',
    state: 'TX',
    zip: '00000-1234',
    code: 'XX001',
  });
  assert.ok(label.places['delivery.dealer']);
});

test('state and code may be a field of their own, and Canadian', () => {
  const dealer = (...town: Run[]) =>
    dealerOn(heading, ...address('A DEALER', '1 EXAMPLE STREET'), ...town).delivery.dealer;
  assert.partialDeepStrictEqual(dealer([380, 92, 'ANYTOWN'], [432, 92, 'NV00000']), {
    city: 'ANYTOWN',
    zip: '00000',
  });
  assert.partialDeepStrictEqual(dealer([380, 92, 'ANYTOWN, PQ X0X 0X0']), { state: 'PQ', zip: 'X0X 0X0' });
});

test("a maker's own office is no dealer", () => {
  for (const office of [
    'KIA AMERICA, INC.',
    'KMA EASTERN REGION OFFICE',
    'GENERAL MOTORS LLC',
    'HYUNDAI MOTOR AMERICA',
  ])
    assert.equal(
      dealerOn(heading, ...address(office, '1 STREET', 'ANYTOWN CA 00000')).delivery.dealer,
      null,
      office,
    );
});

test('an address that is not complete, too far away or wider than its box is none', () => {
  const next: Run = [480, 56, 'SHIP TO: XX002'];
  for (const runs of [
    [heading, ...address('A DEALER', '1 STREET')],
    // Without its name, the street would be the name.
    [heading, ...columnOf(380, 80, ['1 STREET', 'ANYTOWN CA 00000'])],
    [heading, [380, 68, 'A DEALER'], [380, 92, 'ANYTOWN CA 00000']],
    [heading, next, ...address('A DEALER WHOSE NAME REACHES', '1 STREET', 'ANYTOWN CA 00000')],
  ] as Run[][])
    assert.equal(dealerOn(...runs).delivery.dealer, null);
});
