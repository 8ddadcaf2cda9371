/** Genesis prints on Hyundai's forms, in larger type. */
import { bars, boxesAtRight } from '../boxes.ts';
import type { Build, Car, Drawing } from '../car.ts';
import type { Page } from '../pdf.ts';
import { sections } from '../rows.ts';
import { badge } from '../strokes.ts';
import { drawPrices, hyundaiBuild } from './hyundai.ts';

const genesisBuild: Build = {
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
    { name: 'SAVANNA GOLD(SG7) Paint', price: 150000 },
    {
      name: 'Advanced Package:',
      price: 420000,
      children: ['20-inch Alloy Wheels', 'Ventilated Front Seats', 'Power Trunk', 'Panoramic Sunroof'],
    },
    { name: 'Cargo Cover', price: 17500 },
    { name: 'Bumper Appliqué', price: 8500 },
  ],
  destination: 145000,
  standard: {
    'ADVANCED SAFETY TECHNOLOGIES': [
      'Forward Collision-Avoidance Assist',
      'Lane Keeping Assist',
      'Rear View Monitor',
    ],
    'POWERTRAIN TECHNOLOGY': ['2.5L 4-Cylinder Engine', '8-Speed Automatic Transmission', 'All-Wheel Drive'],
    EXTERIOR: ['19" Alloy Wheels', 'LED Headlights', 'Hands-Free Smart Trunk', 'Full Tank of Fuel'],
    'INTERIOR AND COMFORT': [
      'Heated and Ventilated Front Seats',
      'Dual Automatic Temperature Control',
      '12.3" Touchscreen',
    ],
  },
  city: 22,
  highway: 29,
};

function drawGenesis(page: Page, car: Car): void {
  badge(page, 44, 80, 24, car.make, 2);
  page.text(300, 64, 18, `${car.year} ${car.model}`, { font: 'bold' });
  page.text(300, 84, 18, car.series, { font: 'bold' });
  page.rule(40, 98, 708, 98, 1);
  const facts = [
    ['VIN:', car.vin],
    ['EXTERIOR COLOR:', car.exterior],
    ['INTERIOR/SEAT COLOR:', car.interior],
    ['TRANSPORT:', 'TRUCK'],
  ] as const;
  facts.forEach(([word, fact], index) => {
    page.text(40, 120 + index * 15, 9, word, { font: 'bold' });
    page.text(160, 120 + index * 15, 9, fact);
  });
  page.rule(40, 184, 380, 184, 1);
  page.text(40, 206, 11, 'STANDARD FEATURES:', { font: 'bold' });
  sections(page, [40], 224, 690, car.standard, '· ');
  drawPrices(page, car, '· *', 'TOTAL PRICE:');
  bars(page, 40, 700, 32, car.vin);
  boxesAtRight(page, car);
}

export const drawing: Drawing = { build: genesisBuild, draw: drawGenesis };
