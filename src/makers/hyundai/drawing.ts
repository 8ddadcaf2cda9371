/** Hyundai and Genesis: facts with a colon, the price list under ADDED FEATURES, priced paint with its code in brackets. */
import { bars, boxesAtRight } from '../../../tools/specimens/boxes.ts';
import { dollars, total, type Build, type Car } from '../../../tools/specimens/car.ts';
import type { Page } from '../../../tools/specimens/pdf.ts';
import {
  optionRows,
  priceRows,
  sections,
  totalBox,
  TOTALS,
  type PriceRow,
} from '../../../tools/specimens/rows.ts';
import { badge } from '../../../tools/specimens/strokes.ts';

export const hyundaiBuild: Build = {
  model: 'TUCSON LIMITED AWD',
  series: 'TCXXXXXXXXXX',
  exterior: 'LAGOON BLUE',
  interior: 'SLATE/SLATE',
  engine: '',
  transmission: '',
  assembly: 'MONTGOMERY, ALABAMA, U.S.A.',
  base: 4067500,
  options: [
    { name: 'Cross Rails (Dealer Install)', price: 37500 },
    { name: 'Fitted Liners', price: 26000 },
    { name: 'Rear Bumper Appliqué', price: 8500 },
    { name: 'Cargo Net', price: 6000 },
  ],
  destination: 160000,
  standard: [
    {
      section: 'ADVANCED SAFETY TECHNOLOGIES',
      items: ['Forward Collision-Avoidance Assist', 'Lane Keeping Assist', 'Rear View Monitor'],
    },
    {
      section: 'POWERTRAIN TECHNOLOGY',
      items: ['2.5L 4-Cylinder Engine', '8-Speed Automatic Transmission', 'All-Wheel Drive'],
    },
    {
      section: 'EXTERIOR',
      items: ['19" Alloy Wheels', 'LED Headlights', 'Hands-Free Smart Liftgate', 'Full Tank of Fuel'],
    },
    {
      section: 'INTERIOR AND COMFORT',
      items: ['Heated and Ventilated Front Seats', 'Dual Automatic Temperature Control', '12.3" Touchscreen'],
    },
  ],
  city: 24,
  highway: 30,
  parts: { usCanadian: 45, foreign: 'KOREA 35%', engine: 'UNITED STATES', transmission: 'UNITED STATES' },
};

export const genesisBuild: Build = {
  ...hyundaiBuild,
  model: 'G80 AWD 2.5T',
  series: 'SPORT PRESTIGE',
  exterior: 'SAVANNA GOLD',
  paintCode: 'SG7',
  assembly: 'ULSAN, KOREA',
  parts: { usCanadian: 3, foreign: 'KOREA 88%', engine: 'KOREA', transmission: 'KOREA' },
  interior: 'DUNE BEIGE W/ BLACK',
  base: 5795000,
  options: [
    {
      name: 'Advanced Package:',
      price: 420000,
      children: ['20-inch Alloy Wheels', 'Ventilated Front Seats', 'Power Trunk', 'Panoramic Sunroof'],
    },
    { name: 'Cargo Cover', price: 17500 },
    { name: 'Bumper Appliqué', price: 8500 },
  ],
  destination: 145000,
  city: 22,
  highway: 29,
};

/** The price Hyundai and Genesis ask for a paint that has a code on the label. */
const PAINT_PRICE = 150000;

/** The car with its paint as a priced option, where it has a code: the sum must know it too. */
export function withPaint(car: Car): Car {
  if (car.paintCode === null) return car;
  const paint = { name: `${car.exterior}(${car.paintCode}) Paint`, price: PAINT_PRICE };
  return { ...car, options: [paint, ...car.options] };
}

export function drawHyundai(page: Page, ordered: Car): void {
  const car = withPaint(ordered);
  page.text(40, 44, 8, 'Affix FULL Label to driver side Left-Rear.');
  badge(page, 44, 80, 24, car.make);
  page.text(250, 80, 19, `${car.year} ${car.model}`, { font: 'bold' });
  page.rule(40, 94, 708, 94, 2);
  page.text(40, 110, 9, `VIN: ${car.vin}`);
  page.text(250, 110, 9, `MODEL: ${car.series}`);
  page.text(470, 110, 9, 'PORT OF ENTRY: XX');
  // Two facts in one row: extractors run them together.
  const after = page.text(40, 124, 9, `EXTERIOR COLOR: ${car.exterior}`, { font: 'bold' });
  const next = page.text(after + 14, 124, 9, `INTERIOR/SEAT COLOR: ${car.interior}`, { font: 'bold' });
  page.text(next + 14, 124, 9, 'TRANSPORT: TRUCK');
  page.text(40, 138, 9, 'ACCESSORY WEIGHT: 22 lbs./ 10 kgs.');
  page.rule(40, 146, 708, 146, 2);
  page.text(40, 166, 11, 'STANDARD FEATURES:', { font: 'bold' });
  sections(page, [40, 210], 184, 420, car.standard);
  drawPrices(page, car, '*', 'Total Price :');
  bars(page, 40, 712, 32, car.vin);
  boxesAtRight(page, car);
}

export function drawGenesis(page: Page, ordered: Car): void {
  const car = withPaint(ordered);
  badge(page, 44, 80, 24, car.make, 2);
  page.text(300, 64, 18, `${car.year} ${car.model}`, { font: 'bold' });
  page.text(300, 84, 18, car.series, { font: 'bold' });
  page.rule(40, 98, 708, 98, 1);
  page.text(40, 118, 11, 'STANDARD FEATURES:', { font: 'bold' });
  sections(page, [40, 210], 136, 420, car.standard, '· ');
  drawPrices(page, car, '· *', 'TOTAL PRICE:');
  const facts = [
    ['VIN:', car.vin],
    ['EXTERIOR COLOR:', car.exterior],
    ['INTERIOR/SEAT COLOR:', car.interior],
    ['MODEL:', 'SXXXXXXX'],
    ['PORT OF ENTRY:', 'XX'],
    ['TRANSPORT:', 'TRUCK'],
  ] as const;
  page.rule(40, 560, 380, 560, 1);
  facts.forEach(([word, fact], index) => {
    const [x, y] = [40 + (index % 2) * 170, 580 + Math.floor(index / 2) * 36];
    page.text(x, y, 7.5, word, { font: 'bold' });
    page.text(x, y + 12, 9.5, fact);
  });
  bars(page, 40, 700, 32, car.vin);
  boxesAtRight(page, car);
}

function drawPrices(page: Page, car: Car, star: string, totalWords: string): void {
  const [x, right] = [404, 700];
  const rows: PriceRow[] = [
    { name: "Manufacturer's Suggested Retail Price:", money: dollars(car.base), font: 'bold' },
    { name: '' },
    { name: 'ADDED FEATURES:', font: 'bold' },
    ...optionRows(car, null, star),
  ];
  priceRows(page, x, right, 178, rows);
  priceRows(page, x, right, TOTALS, [
    { name: 'Inland Freight & Handling :', money: dollars(car.destination), ruled: true },
  ]);
  totalBox(page, 156, totalWords, dollars(total(car)));
  page.text(x, TOTALS + 72, 7, 'Taxes, title, registration and dealer fees are not included.');
}
