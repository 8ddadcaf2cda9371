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
import type { Drawing } from '../../../tools/specimens/drawing.ts';

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

/** The price Hyundai and Genesis ask for a paint that has a code on the label. */
const PAINT_PRICE = 150000;

/** The car with its paint as a priced option, where it has a code: the sum must know it too. */
export function withPaint(car: Car): Car {
  if (car.paintCode === null) return car;
  const paint = { name: `${car.exterior}(${car.paintCode}) Paint`, price: PAINT_PRICE };
  return { ...car, options: [paint, ...car.options] };
}

function drawHyundai(page: Page, ordered: Car): void {
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

export function drawPrices(page: Page, car: Car, star: string, totalWords: string): void {
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

export const drawing: Drawing = { build: hyundaiBuild, draw: drawHyundai };
