/** Toyota and Lexus: the paint's name and its code side by side. */
import { bars, boxesAtRight } from '../../../tools/specimens/boxes.ts';
import { dollars, total, type Build, type Car } from '../../../tools/specimens/car.ts';
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

const toyotaBuild: Build = {
  model: '4RUNNER 4WD',
  series: 'XXXX',
  exterior: 'GLACIER MIST',
  paintCode: '01M4',
  interior: 'BLACK FABRIC (FB00)',
  engine: '2.4L 4-CYL TURBO ENGINE',
  transmission: '8-SPEED AUTOMATIC',
  assembly: 'TAHARA, AICHI, JAPAN',
  base: 5599000,
  options: [
    { name: '50 State Emissions', price: 0 },
    { name: 'Tow Hitch Receiver', price: 69900, children: ['Seven-Pin Connector', 'Wiring Harness'] },
    { name: 'All-Weather Floor Liners', price: 19900 },
    { name: 'Paint Protection Film', price: 42900 },
  ],
  destination: 145000,
  standard: [
    {
      section: 'MECHANICAL & PERFORMANCE',
      items: ['Part-Time 4WD', 'Hill Start Assist', 'Locking Rear Differential'],
    },
    {
      section: 'SAFETY & CONVENIENCE',
      items: ['Pre-Collision System', 'Blind Spot Monitor', 'Eight Airbags'],
    },
    { section: 'EXTERIOR FEATURES', items: ['18-In. Alloy Wheels', 'LED Headlamps', 'Power Rear Window'] },
    { section: 'INTERIOR FEATURES', items: ['Heated Front Seats', '14-In. Touchscreen', 'Smart Key System'] },
  ],
  city: 20,
  highway: 24,
  parts: { usCanadian: 5, foreign: 'JAPAN 85%', engine: 'JAPAN', transmission: 'JAPAN' },
};

function drawToyota(page: Page, car: Car): void {
  badge(page, 44, 80, 24, car.make);
  page.text(250, 80, 19, `${car.year} ${car.model}`, { font: 'bold' });
  factsBox(page, 150, [
    ['VIN:', car.vin],
    ['EXTERIOR:', `${car.exterior} (${car.paintCode})`],
    ['INTERIOR:', car.interior],
    ['ENGINE:', car.engine],
    ['TRANSMISSION:', car.transmission],
  ]);
  page.text(40, 220, 11, 'STANDARD EQUIPMENT', { font: 'bold' });
  page.rule(40, 226, 380, 226, 1.5);
  sections(page, [40, 215], 246, 380, car.standard);
  bars(page, 40, 700, 34, car.vin);

  const rows: PriceRow[] = [
    { name: "Manufacturer's Suggested Retail Price", money: dollars(car.base), font: 'bold' },
    { name: '' },
    { name: 'OPTIONAL EQUIPMENT', font: 'bold' },
    ...optionRows(car, dollars(0)),
  ];
  priceRows(page, 404, 700, 122, rows);
  priceRows(page, 404, 700, TOTALS, [
    { name: 'Delivery, Processing and Handling Fee', money: dollars(car.destination), ruled: true },
  ]);
  totalBox(page, 100, 'Total MSRP*', dollars(total(car)), 15);
  page.text(404, TOTALS + 72, 7, '* Does not include taxes, license, title or dealer-installed items.');
  boxesAtRight(page, car);
}

export const drawing: Drawing = { build: toyotaBuild, draw: drawToyota };
