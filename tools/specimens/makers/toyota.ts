/** Toyota and Lexus: facts, ratings and fuel economy at the left, equipment and prices in a column each. */
import { bars } from '../boxes.ts';
import { amount, combined, dollars, total, type Build, type Car, type Drawing } from '../car.ts';
import type { Page } from '../pdf.ts';
import { Raster } from '../raster.ts';
import { badge } from '../strokes.ts';
import { wrap } from '../type.ts';

const toyotaBuild: Build = {
  model: '4RUNNER SR5',
  series: '4X4 5-DOOR SUV',
  exterior: 'GLACIER MIST',
  paintCode: '01M4',
  interior: 'FB20',
  engine: 'i-FORCE 2.4L 4cyl Turbocharged Engine',
  transmission: '8-Spd Automatic Transmission',
  assembly: 'TAHARA, AICHI, JAPAN',
  base: 4629000,
  options: [
    { code: 'FE', name: '50 State Emissions', price: null },
    {
      code: 'TH',
      name: 'Towing Package:',
      price: 69900,
      children: ['Receiver Hitch', 'Seven-Pin Connector'],
    },
    { code: '2T.', name: 'All-Weather Floor Liners', price: 19900 },
    { code: 'DK.', name: "Owner's Portfolio", price: null },
    {
      code: 'P7.',
      name: 'Paint Protection Film for Hood, Fenders, Mirror Backs and Door Cups',
      price: 42900,
    },
    { code: 'X9.', name: 'Roof Rail Delete', price: -7500 },
  ],
  destination: 145000,
  standard: {
    'MECHANICAL & PERFORMANCE': [
      'i-FORCE 2.4L 4cyl Turbocharged Engine',
      '8-Spd Automatic Transmission',
      'Part-Time 4WD w/2-Speed Electronically Controlled Transfer Case',
      'Active Traction Control',
      'Trailer Sway Control',
    ],
    'SAFETY & CONVENIENCE': [
      'Pre-Collision System w/Pedestrian Detection',
      'Full-Speed Range Dynamic Radar Cruise Control',
      'Blind Spot Monitor w/Rear Cross-Traffic Alert',
      'Tire Pressure Monitor System',
    ],
    EXTERIOR: ['17-in Alloy Wheels', 'LED Headlights and Fog Lights', 'Power Rear Window w/Defogger'],
    INTERIOR: [
      'Fabric-Trimmed Seats w/Driver Lumbar Support',
      '8-in Touchscreen w/8 Speakers and Wireless Phone Connection',
      'Smart Key System w/Push Button Start',
    ],
  },
  city: 20,
  highway: 26,
  parts: { usCanadian: 5, foreign: 'JAPAN 85%', engine: 'JAPAN', transmission: 'JAPAN' },
};

/** Helvetica is wider than the font of the real label. */
const NARROW = 0.92;
const X = { facts: 54, values: 97, body: 237, standard: 370, codes: 575, names: 600, amounts: 858 } as const;

function drawToyota(page: Page, car: Car): void {
  page.box(32, 39, 1162, 715, 2);
  page.fill(61, 46, 51, 51, 0);
  badge(page, 124, 84, 25, car.make);
  drawFacts(page, car);
  page.picture(36, 172, 326, 252, ratings());
  page.picture(36, 427, 506, 324, economy(car));
  drawStandard(page, car);
  drawPrices(page, car);
  drawDelivery(page, car);
  page.text(350, 350, 25, 'Created on 2025-01-01 00:00:00 (UTC)', { gray: 0.6, narrow: 0.9 });
}

function drawFacts(page: Page, car: Car): void {
  const facts = [
    [112.5, 'DESC.:'],
    [129.5, 'VIN:'],
    [141.5, 'YR/MDL:'],
    [154.5, 'CLR:'],
    [167.5, 'FINAL ASSEMBLY POINT:'],
  ] as const;
  for (const [y, name] of facts) page.text(X.facts, y, 8.2, name, { narrow: NARROW });
  page.text(X.values, 114, 12, car.model, { font: 'bold', narrow: NARROW });
  page.text(X.body, 113.7, 10, car.series, { font: 'bold', narrow: NARROW });
  page.text(X.values, 130.3, 14, car.vin, { font: 'bold', narrow: NARROW });
  page.text(X.values, 141.5, 8.2, `${car.year}/8642A`, { narrow: NARROW });
  page.text(X.values, 154.5, 8.2, `${car.exterior}/${car.interior}`, { narrow: NARROW });
  page.text(264, 154.5, 8.2, `(${car.paintCode}/${car.interior.slice(-2)})`, { narrow: NARROW });
  page.text(175, 167.5, 8.2, car.assembly, { narrow: NARROW });
}

function drawStandard(page: Page, { make, standard }: Car): void {
  page.center(456, 54.7, 10, 'STANDARD EQUIPMENT', { font: 'bold' });
  page.center(456, 66, 6, 'UNLESS REPLACED BY OPTIONAL EQUIPMENT', { narrow: NARROW });
  let y = 80;
  for (const [section, items] of Object.entries(standard)) {
    page.text(X.standard, y, 8.5, section, { font: 'bold', narrow: NARROW });
    y += 8;
    for (const item of items)
      for (const [index, line] of wrap(`- ${item}`, 176 / NARROW, 8.5).entries()) {
        page.text(X.standard + (index > 0 ? 4.15 : 0), y, 8.5, line, { narrow: NARROW });
        y += 8;
      }
    y += 8;
  }
  for (const line of ['For Full Product Details:', `Please Visit ${make}.com`])
    page.text(X.standard, (y += 8) - 8, 8.5, line, { font: 'bold', narrow: NARROW });
  page.text(X.standard + 4.15, y, 8.5, '***Full Tank of Gas***', { narrow: NARROW });
}

function drawPrices(page: Page, car: Car): void {
  const sum = (y: number, name: string, cents: number, nameSize: number, size: number): void => {
    page.text(X.codes, y, nameSize, name, { font: 'bold', narrow: NARROW });
    page.right(X.amounts, y, size, dollars(cents), { font: 'bold', narrow: NARROW });
  };
  sum(54, "BASE MANUFACTURER'S SUGGESTED RETAIL PRICE", car.base, 8.5, 11);
  page.center(706, 64, 8.5, 'OPTIONAL EQUIPMENT', { font: 'bold', narrow: NARROW });
  let y = 75;
  const row = (x: number, text: string): void => {
    page.text(x, y, 8.5, text, { narrow: NARROW });
    y += 9;
  };
  for (const { code, name, price, children = [] } of car.options) {
    if (code) page.text(X.codes, y, 8.5, code, { narrow: NARROW });
    if (price !== null) page.right(X.amounts, y, 8.5, amount(price), { narrow: NARROW });
    for (const line of wrap(name, 190 / NARROW, 8.5)) row(X.names, line);
    for (const child of children) row(X.names + 4.15, `- ${child}`);
  }
  for (const { name, price } of [...car.taxes, ...car.fees, ...car.discounts]) {
    page.right(X.amounts, y, 8.5, amount(price), { narrow: NARROW });
    row(X.names, name);
  }
  sum(602, "MANUFACTURER'S SUGGESTED RETAIL PRICE", total(car) - car.destination, 8.5, 8.5);
  page.text(761, 596, 5.2, '†');
  page.text(X.codes, 623, 8.5, 'DELIVERY, PROCESSING AND HANDLING FEE', { narrow: NARROW });
  page.right(X.amounts, 623, 8.5, amount(car.destination), { narrow: NARROW });
  sum(681, 'TOTAL SUGGESTED RETAIL PRICE', total(car), 11, 11);
  page.rule(548, 685, X.amounts, 685, 1);
  page.text(549, 714, 5.2, '†');
  page.lines(552, 716, 5.2, 6.6, [
    'Manufacturer’s suggested retail price excludes delivery processing and handling fees, license and title fees,',
    'applicable federal, state and local taxes, and dealer and distributor options and accessories.',
  ]);
}

function drawDelivery(page: Page, car: Car): void {
  page.rule(873, 685, 1194, 685, 1);
  page.text(878, 697, 6, 'Delivered by Truck to:', { font: 'bold', narrow: NARROW });
  page.text(979, 698, 8, '00000', { narrow: NARROW });
  page.lines(889, 705.3, 8, 8, [`EXAMPLE ${car.make.toUpperCase()}`, '1 EXAMPLE STREET', 'ANYTOWN'], {
    narrow: NARROW,
  });
  page.text(949, 721.3, 8, 'TX00000', { narrow: NARROW });
  bars(page, 880, 730, 18, car.vin);
}

/** The federal boxes are pictures, so there is no text in them to read. */
function ratings() {
  const sheet = new Raster(326, 252);
  sheet.box(0, 0, 326, 252, 3);
  sheet.text(20, 18, 9, 'GOVERNMENT 5-STAR SAFETY RATINGS', 1.6);
  sheet.fill(0, 26, 326, 2);
  const rows = ['OVERALL VEHICLE SCORE', 'FRONTAL CRASH', 'SIDE CRASH', 'ROLLOVER'];
  for (const [index, row] of rows.entries()) {
    sheet.text(16, 52 + index * 46, 8, row, 1.5);
    sheet.text(220, 52 + index * 46, 8, 'NOT RATED');
    sheet.fill(14, 68 + index * 46, 298, 2);
  }
  sheet.text(16, 236, 7, 'WWW.SAFERCAR.GOV');
  return sheet.picture();
}

function economy(car: Car) {
  const sheet = new Raster(506, 324);
  sheet.box(0, 0, 506, 324, 3);
  sheet.text(16, 24, 12, 'EPA DOT FUEL ECONOMY AND ENVIRONMENT', 2.2);
  sheet.fill(0, 34, 506, 2);
  sheet.text(40, 118, 56, String(combined(car)), 8);
  sheet.text(40, 136, 7, 'COMBINED CITY/HWY');
  sheet.text(180, 78, 14, 'MPG', 2.4);
  sheet.text(190, 118, 16, String(car.city), 2.6);
  sheet.text(190, 136, 7, 'CITY');
  sheet.text(260, 118, 16, String(car.highway), 2.6);
  sheet.text(260, 136, 7, 'HIGHWAY');
  sheet.text(40, 164, 12, (100 / combined(car)).toFixed(1), 2);
  sheet.text(90, 164, 7, 'GALLONS PER 100 MILES');
  sheet.fill(0, 184, 506, 2);
  sheet.text(16, 304, 12, 'FUELECONOMY.GOV', 2.2);
  return sheet.picture();
}

export const drawing: Drawing = { build: toyotaBuild, quirks: { rotated: true }, draw: drawToyota };
