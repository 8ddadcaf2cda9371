import { columnOf, pageOf, type Run } from './label-page.ts';
import type { Reading } from '@monroney/label/reading/types';
import { readText } from '@monroney/label/read-text';

/** The positioned text of a made-up label of General Motors. */

export const header: Run[] = [
  [447, 63, '2024 MADEUP LUXURY', 20],
  ...columnOf(
    692,
    57,
    ['EXTERIOR: SPECIAL EDITION EXTERIOR', 'FINISH', 'INTERIOR: JET BLACK W/ JET BLACK', 'ACCENTS'],
    12,
  ),
  ...columnOf(890, 57, ['ENGINE, 2.0L TURBO', 'TRANSMISSION, 8-SPD AUTOMATIC'], 12),
  [808, 116, 'Visit us at www.cadillac.com', 12],
];

export const standard = (x: number, type = 10): Run[] => [
  [x, 136, 'STANDARD EQUIPMENT', 13],
  [x, 150, 'ITEMS FEATURED BELOW ARE INCLUDED AT NO EXTRA CHARGE IN', 7],
  [x, 177, 'PERFORMANCE', 11],
  ...columnOf(x, 190, ['• TIRES, ALL-SEASON,', 'SELF-SEALING', '•WHEELS, 17"'], type),
];

export const base = (x: number): Run[] => [
  [x + 60, 351, "MANUFACTURER'S SUGGESTED RETAIL PRICE", 7],
  [x, 369, 'STANDARD VEHICLE PRICE'],
  [x + 125, 369, '$34,595.00', 11],
];

export const heading = (x: number): Run[] => [
  [x, 385, 'OPTIONS & PRICING', 13],
  [x, 400, 'OPTIONS INSTALLED BY THE MANUFACTURER (MAY REPLACE', 7],
  [x, 407, 'STANDARD EQUIPMENT SHOWN)', 7],
];

export const list: (string | [string, string])[] = [
  ['CLIMATE PACKAGE:', '1,200.00'],
  '• SEATS, DRIVER &',
  'PASSENGER HEATED',
  '• STEERING WHEEL, HEATED',
  ['WHEELS, 18" DIAMOND CUT ALLOY', '600.00'],
  '(REPLACES STD/PKG WHEELS)',
  ['GAS GUZZLER TAX', '1,000.00'],
  ['REAR SEAT DELETE', '-50.00'],
  ['STEERING WHEEL', 'INC.'],
];

export const end: (string | [string, string])[] = [
  ['TOTAL OPTIONS', '$2,750.00'],
  ['TOTAL VEHICLE & OPTIONS', '$37,345.00'],
  ['DESTINATION CHARGE', '1,395.00'],
  ['TOTAL BEFORE SAVINGS', '$38,740.00'],
  ['SUN AND SOUND PREFERRED', '-250.00'],
  'PACKAGE SAVINGS',
  ['TOTAL VEHICLE PRICE*', '$38,490.00'],
];

export const foot: Run[] = [
  [879, 577, 'FINAL ASSEMBLY POINT:', 12],
  [879, 591, 'LANSING, MI', 12],
  [962, 591, 'U.S.A.', 12],
  [870, 703, 'VIN 1G6DA5RK9R0000000', 9],
  [870, 716, 'DEALER TO WHOM DELIVERED', 6],
  [870, 727, 'A DEALER', 9],
  [870, 746, 'WARREN, MI 48092-2709', 9],
  [19, 6, '{"maker":"CADILLAC", "vin":"1G6DA5RK9R0000000", "Options":["GAZ"]}', 3],
];

export const usualBlocks: Run[] = [
  ...standard(39),
  ...base(426),
  ...heading(426),
  ...columnOf(620, 140, list),
  ...columnOf(814, 140, end),
];

export function read(...block: Run[]): Reading {
  return readText(pageOf(...header, ...block, ...foot), {});
}

export const names = (lines: { name: string; price: number | null }[] | undefined): unknown =>
  lines?.map(({ name, price }) => [name, price]);
