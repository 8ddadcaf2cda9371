/** Subaru: the color is in the price column, between the base price and the options. */
import { bars, boxesAtRight, heading } from '../boxes.ts';
import { dollars, total, type Build, type Car, type Drawing } from '../car.ts';
import type { Page } from '../pdf.ts';
import { optionRows, priceRows, sections, totalBox, TOTALS, type PriceRow } from '../rows.ts';
import { badge } from '../strokes.ts';

const subaruBuild: Build = {
  model: 'FORESTER SPORT',
  series: 'XXX',
  exterior: 'Alpine Lake Pearl',
  interior: 'Gray Cloth',
  engine: '',
  transmission: '',
  assembly: 'OTA, GUNMA, JAPAN',
  base: 3199500,
  options: [
    { name: 'Full Tank of Gas', price: null },
    {
      name: 'Option Package: 99',
      price: 164500,
      children: ['Reverse Automatic Braking System', '8.0" Audio System', 'Power Rear Gate'],
    },
    { name: 'LED Upgrade', price: 7800 },
    { name: 'Sunshade - Windshield', price: 7600 },
  ],
  destination: 129500,
  standard: {
    'PERFORMANCE & EXTERIOR': [
      '2.5L BOXER Engine',
      'CVT w/ Manual Shift Mode',
      'Roof Rails',
      '18" Alloy Wheels',
    ],
    INTERIOR: ['Water-Repellent Seats', 'Dual-Zone Climate Control', 'Heated Front Seats'],
    SAFETY: ['Pre-Collision Braking', 'Lane Keep Assist', 'Rear Vision Camera'],
  },
  city: 26,
  highway: 33,
  parts: { usCanadian: 2, foreign: 'JAPAN 92%', engine: 'JAPAN', transmission: 'JAPAN' },
};

function drawSubaru(page: Page, car: Car): void {
  badge(page, 44, 78, 24, car.make);
  const facts = [
    ['VIN', car.vin],
    ['Model/Code', `${car.year} SUBARU ${car.model}/${car.series}`],
    ['Port/Assembly', 'XXXXXXXX'],
    ['Deliver by/Carrier', 'TRUCK'],
  ] as const;
  page.box(40, 96, 340, 76, 1.5);
  facts.forEach(([word, fact], index) => {
    page.text(52, 115 + index * 15, 9.5, word);
    page.text(150, 115 + index * 15, 9.5, fact, { font: 'bold' });
  });
  page.text(40, 200, 11, 'STANDARD EQUIPMENT', { font: 'bold' });
  page.rule(40, 206, 380, 206, 1.5);
  sections(page, [40, 215], 226, 380, car.standard);
  bars(page, 40, 700, 34, car.vin);

  heading(page, 394, 96, 314, 'OPTIONAL EQUIPMENT AND OTHER ITEMS', 10);
  const rows: PriceRow[] = [
    { name: "Manufacturer's Suggested Retail Price", money: dollars(car.base), font: 'bold' },
    { name: `Exterior Color: ${car.exterior}` },
    ...optionRows(car, '', 'INCLD'),
  ];
  priceRows(page, 404, 700, 136, rows);
  priceRows(page, 404, 700, TOTALS, [
    { name: 'Destination and Delivery', money: dollars(car.destination), ruled: true },
  ]);
  totalBox(page, 96, 'Total Suggested Retail Price', dollars(total(car)), 12);
  boxesAtRight(page, car);
}

export const drawing: Drawing = { build: subaruBuild, draw: drawSubaru };
