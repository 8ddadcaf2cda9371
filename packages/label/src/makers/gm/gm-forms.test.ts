import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf } from '../../../../../test/label-page.ts';
import { readWords } from '../../../../../test/drawn-label.ts';
import { readText } from '../../read-text.ts';
import { names } from '../../../../../test/gm-page.ts';

/** Canadian labels, fleet forms and custom-built cars. */

test('Canada prints two languages, a charge for air conditioning and a fee, each over two lines', () => {
  const { label, proof } = readText(
    pageOf(
      [415, 63, '2024 COUPE INVENTEE', 20],
      ...columnOf(
        692,
        57,
        ['EXTERIOR / EXTERIEUR: BLEU RIVAGE', 'METALLISE', 'INTERIOR / INTERIEUR: NOIR JAIS'],
        12,
      ),
      ...columnOf(890, 57, ['MOTEUR 3,6L V6', 'BOITE AUTOMATIQUE'], 12),
      [808, 116, 'Visitez le www.chevrolet.ca', 12],
      [39, 135, 'STANDARD EQUIPMENT/ÉQUIPEMENT DE BASE', 9.5],
      [426, 302, 'STANDARD VEHICLE PRICE /'],
      [426, 312, 'PRIX DE BASE'],
      [550, 302.3, '$40,299.00', 11],
      [426, 338, 'OPTIONS & PRICING / OPTIONS ET PRIX', 9.5],
      ...columnOf(426, 393, ["GROUPE D'EQUIP. 1LT"]),
      ...columnOf(620, 140, [['GROUPE RS', '2,145.00'], 'FREINS RENFORCES1,095.00']),
      ...columnOf(814, 140, [
        'TOTAL OPTIONS/TOTAL EQUIPEMENT $3,240.00',
        ['AIR CONDITIONING CHARGE/', '100.00'],
        'FRAIS DE CLIMATISATION',
        ['SUB TOTAL/TOTAL PARTIEL', '$43,639.00'],
        ['DESTINATION CHARGE/', '2,000.00'],
        'FRAIS DE TRANSPORT',
        ['SUB TOTAL/TOTAL PARTIEL', '$45,639.00'],
        'MAXIMUM DEALER FEE /',
        ['FRAIS MAXIMUM DU CONCESS.', '699.00'],
        ['PRIX TOTAL PRICE*', '$46,338.00'],
      ]),
      [870, 683, "FINAL ASSEMBLY/USINE D'ORIGINE:", 6],
      [870, 690, 'LANSING, MI', 6],
      [918, 690, 'U.S.A.', 6],
    ),
    { make: 'CHEVROLET' },
  );
  assert.ok(label && proof);
  assert.deepEqual(
    [label.market, label.language, label.exterior?.color, label.interior],
    ['CA', 'fr', 'BLEU RIVAGE METALLISE', 'NOIR JAIS'],
  );
  assert.deepEqual(names(label.prices.options), [
    ["GROUPE D'EQUIP. 1LT", null],
    ['GROUPE RS', 214_500],
    ['FREINS RENFORCES', 109_500],
  ]);
  assert.deepEqual(names(label.prices.taxes), [['AIR CONDITIONING CHARGE/ FRAIS DE CLIMATISATION', 10_000]]);
  assert.deepEqual(names(label.prices.fees), [['MAXIMUM DEALER FEE / FRAIS MAXIMUM DU CONCESS.', 69_900]]);
  assert.equal(label.assembly, 'LANSING, MI U.S.A.');
  assert.equal(proof.closes, true);
  assert.equal(proof.options?.closes, true);
});

test('a charge that is printed without its French name has no slash at its end', () => {
  const { label, proof } = readWords('Chevrolet', [
    'EXTERIOR / EXTERIEUR: BLEU RIVAGE',
    'INTERIOR / INTERIEUR: NOIR JAIS',
    'MOTEUR 3,6L V6',
    'OPTIONS & PRICING / OPTIONS ET PRIX',
    'STANDARD VEHICLE PRICE / PRIX DE BASE $40,299.00',
    'AIR CONDITIONING CHARGE/ 100.00',
    'DESTINATION CHARGE/ 2,000.00',
    'MAXIMUM DEALER FEE / 699.00',
    'PRIX TOTAL PRICE* $43,098.00',
  ]);
  assert.deepEqual(names(label?.prices.taxes), [['AIR CONDITIONING CHARGE', 10_000]]);
  assert.deepEqual(names(label?.prices.fees), [['MAXIMUM DEALER FEE', 69_900]]);
  assert.equal(proof?.closes, true);
});

test('a fleet form has a color and a VIN, no prices, and is still readable', () => {
  const { label, paint, proof, readable } = readText(
    pageOf(
      [692, 57, 'EXTERIOR: RED MIST METALLIC', 12],
      [692, 71, 'TINTCOAT', 12],
      [870, 703, 'VIN 1G1FB3DS0L0000000', 9],
    ),
    { makeOf: (vin) => (vin === '1G1FB3DS0L0000000' ? 'CHEVROLET' : null) },
  );
  assert.equal(readable, true);
  assert.deepEqual(paint, { color: 'RED MIST METALLIC TINTCOAT', code: null });
  assert.equal(label?.make, 'Chevrolet');
  assert.deepEqual(proof, { closes: false, reason: 'no-total', sum: null, total: null, difference: null });
});

test('a custom-built car lists its selections with prices, and the sums under them', () => {
  const { label, paint, proof } = readText(
    pageOf(
      [214, 50, '2025 CADILLAC', 8],
      [214, 75, 'CELESTIQ', 25],
      [320, 76, 'INVITATIONAL', 7],
      ...columnOf(680, 50, ['EXTERIOR: DEEP BLUE', 'INTERIOR: SEE PERSONAL SELECTIONS'], 8),
      ...columnOf(34, 425, [
        'PERSONAL SELECTIONS',
        ['ROOF IN BODY COLOR', '20,000.00'],
        'WITH SMART GLASS',
        ['BESPOKE INTERIOR', '4,000.00'],
        '- CUSTOM BLUE',
        'SEATING SURFACES',
      ]),
      ...columnOf(250, 437, [
        ['CAR COVER', '1,000.00'],
        ['CABIN UPPER, BLUE', 'INCLUDED'],
      ]),
      [725, 440, 'GOVERNMENT 5-STAR SAFETY RATINGS', 14],
      [1022, 455, 'FINAL ASSEMBLY POINT:', 9],
      ...columnOf(
        44,
        721,
        [
          ['STANDARD VEHICLE MSRP', '$340,000.00'],
          ['PERSONAL SELECTIONS MSRP', '$25,000.00'],
          ['DESTINATION CHARGE', '$3,995.00'],
        ],
        10,
        220,
      ),
      [363, 721, "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE"],
      [440, 747, '$368,995.00', 20],
    ),
    { make: 'Cadillac' },
  );
  assert.equal(label?.model, 'CADILLAC CELESTIQ INVITATIONAL');
  assert.equal(paint?.color, 'DEEP BLUE');
  assert.deepEqual(names(label?.prices.options), [
    ['ROOF IN BODY COLOR WITH SMART GLASS', 2_000_000],
    ['BESPOKE INTERIOR', 400_000],
    ['CAR COVER', 100_000],
    ['CABIN UPPER, BLUE', null],
  ]);
  assert.deepEqual(label?.prices.options[1]?.children, ['CUSTOM BLUE SEATING SURFACES']);
  assert.deepEqual([label?.prices.base, label?.prices.destination], [34_000_000, 399_500]);
  assert.deepEqual([proof?.closes, proof?.options?.printed], [true, 2_500_000]);
});
