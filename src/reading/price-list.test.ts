import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFee, isTax } from './price-list.ts';

test('taxes, levies and fees are told from equipment, in both languages', () => {
  for (const name of [
    'Federal A/C Excise Tax',
    'TAXE ACCISE FEDERALE – CLIMATISEUR',
    'GAS GUZZLER TAX',
    '*** GAS GUZZLER TAX ***',
    'Federal Green Levy',
    'ECOPRELEVEMENT FEDERAL',
  ])
    assert.deepEqual([isTax(name), isFee(name)], [true, false], name);
  for (const name of [
    'Ontario Tire Surcharge',
    'MAXIMUM DEALER FEE',
    'Frais de recyclage',
    'Tire Recycling Fee',
  ])
    assert.deepEqual([isTax(name), isFee(name)], [false, true], name);
  for (const name of [
    'Federal Blue',
    'TIRE REPAIR KIT',
    'FREE-FLOW EXHAUST',
    'Customer Preferred Package 27L',
    'Tax-free',
  ])
    assert.equal(isFee(name), false, name);
});
