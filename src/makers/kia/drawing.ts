/** Kia: facts with a colon, dollars apart from their amounts, paint priced but never with a code. */
import { bars, boxesAtRight } from '../../../tools/specimens/boxes.ts';
import { amount, optionsTotal, total, type Build, type Car } from '../../../tools/specimens/car.ts';
import type { Page } from '../../../tools/specimens/pdf.ts';
import {
  factsBox,
  optionRows,
  priceRows,
  sections,
  totalBox,
  TOTALS,
  type PriceRow,
} from '../../../tools/specimens/rows.ts';
import { badge } from '../../../tools/specimens/strokes.ts';
import type { Drawing } from '../../../tools/specimens/drawing.ts';

const kiaBuild: Build = {
  model: 'TELLURIDE SX X-LINE V6 AWD',
  series: 'SX AWD',
  exterior: 'DEEP FOREST GREEN',
  interior: 'SAGE',
  engine: '',
  transmission: '',
  assembly: 'WEST POINT, GEORGIA, U.S.A.',
  base: 4968500,
  options: [
    { name: 'Deep Forest Green Paint', price: 49500 },
    { name: 'Carpeted Floor Mats', price: 22500 },
    { name: 'Cargo Cover', price: 15500 },
    { name: 'Cargo Net', price: 5500 },
  ],
  destination: 136500,
  standard: [
    {
      section: 'MECHANICAL',
      items: ['3.8L Gas Direct Injection V6 Engine', '8-Speed Automatic Transmission', 'All Wheel Drive'],
    },
    { section: 'SAFETY', items: ['Dual Front Airbags', 'Blind-Spot View', 'Rear Occupant Alert'] },
    { section: 'EXTERIOR', items: ['20" Alloy Wheels', 'LED Headlights', 'Power Liftgate'] },
    { section: 'INTERIOR', items: ['Heated Front Seats', '12.3" Touch Screen', 'Wireless Charger'] },
  ],
  city: 18,
  highway: 24,
  parts: { usCanadian: 40, foreign: 'KOREA 45%', engine: 'KOREA', transmission: 'UNITED STATES' },
};

const spaced = (cents: number): string => `$ ${amount(cents)}`;

function drawKia(page: Page, car: Car): void {
  badge(page, 44, 80, 26, car.make);
  page.text(170, 80, 19, `${car.year} ${car.model}`, { font: 'bold' });
  factsBox(page, 176, [
    ['MODEL/OPT.CODE:', 'XXXXX / 000'],
    ['EXTERIOR COLOR:', car.exterior],
    ['INTERIOR COLOR:', car.interior],
    ['VEHICLE ID NUMBER:', car.vin],
    ['PORT OF ENTRY:', 'WEST POINT'],
  ]);
  page.text(40, 220, 11, 'STANDARD FEATURES', { font: 'bold' });
  page.rule(40, 226, 380, 226, 1.5);
  sections(page, [40, 215], 246, 420, car.standard);
  bars(page, 40, 700, 34, car.vin);

  const rows: PriceRow[] = [
    { name: "MANUFACTURER'S SUGGESTED RETAIL PRICE", money: spaced(car.base), font: 'bold' },
    { name: '' },
    { name: 'ADDITIONAL INSTALLED EQUIPMENT:', font: 'bold' },
    { name: '(In addition to or in place of standard features)' },
    ...optionRows(car, 'Included'),
  ];
  priceRows(page, 404, 700, 122, rows);
  priceRows(page, 404, 700, TOTALS - 14, [
    { name: 'MSRP INCLUDING OPTIONS', money: spaced(car.base + optionsTotal(car)), ruled: true },
    { name: 'INLAND FREIGHT AND HANDLING', money: spaced(car.destination) },
  ]);
  totalBox(page, 100, "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE", spaced(total(car)), 9);
  boxesAtRight(page, car);
}

export const drawing: Drawing = { build: kiaBuild, draw: drawKia };
