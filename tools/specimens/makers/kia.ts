/** Kia: facts with a colon, dollars apart from their amounts, paint priced but never with a code. */
import { bars, economyBox, partsBox, safetyBox } from '../boxes.ts';
import { amount, dollars, optionsTotal, total, type Build, type Car, type Drawing } from '../car.ts';
import type { Ink, Page } from '../pdf.ts';
import { badge } from '../strokes.ts';

const kiaBuild: Build = {
  model: 'TELLURIDE SX X-LINE V6 AWD',
  series: 'SX AWD',
  exterior: 'DEEP FOREST GREEN',
  interior: 'SAGE',
  engine: '3.8L Gas Direct Injection V6 Engine',
  transmission: '8-Speed Automatic Transmission',
  assembly: 'WEST POINT, GEORGIA, U.S.A.',
  base: 4968500,
  options: [
    { name: 'Deep Forest Green Paint', price: 49500 },
    { name: 'Carpeted Floor Mats', price: 22500 },
    { name: 'Cargo Cover', price: 15500 },
    { name: 'Cargo Net', price: 5500 },
  ],
  destination: 136500,
  standard: {
    MECHANICAL: ['3.8L Gas Direct Injection V6 Engine', '8-Speed Automatic Transmission', 'All Wheel Drive'],
    'DRIVER-ASSIST TECHNOLOGY': [
      'Forward Collision Avoidance',
      'Blind-Spot View Monitor',
      'Rear Cross-Traffic Collision Avoidance',
      'Lane Keeping & Lane Following Assist',
      'Smart Cruise Control w/Stop & Go',
      'Parking Distance Warning - Forward & Reverse',
    ],
    SAFETY: [
      'Dual Front, Side and Side Curtain Airbags',
      'Electronic Stability Control',
      'Downhill Brake Control & Hill-Start Assist',
      'Tire Pressure Monitoring System',
      'Rear Occupant Alert',
    ],
    'INTERIOR, COMFORT & CONVENIENCE': [
      'Navigation System w/ 12.3" Touch Screen',
      'Rear View Camera with Dynamic Guidelines',
      'Smart Key w/ Push Button & Remote Start',
      'Front/Rear Automatic Climate Control',
      'Heated Front Seats',
      'Wireless Phone Charger',
      '60/40 Split-Folding 3rd Row Seats',
      'Leather-Wrapped Steering Wheel',
    ],
    EXTERIOR: [
      '20" Alloy Wheels',
      'LED Headlights',
      'Power Liftgate',
      'Rear Privacy Glass',
      'Compact Spare Tire',
    ],
    WARRANTY: [
      '10 Year/100,000 Mile Powertrain',
      '5 Year/60,000 Mile Basic',
      '5 Year/60,000 Mile Roadside Help',
    ],
  },
  city: 18,
  highway: 24,
  parts: { usCanadian: 40, foreign: 'KOREA 45%', engine: 'KOREA', transmission: 'UNITED STATES' },
};

/** What this trim adds to the one below it, at no charge. */
const ADDED = [
  'Power Sunroof',
  'Roof Rails',
  'Heated Steering Wheel',
  'Leather Seat Trim',
  '2nd Row Sunshades',
];

const spaced = (cents: number): string => `$ ${amount(cents)}`;

const RED: Ink = [0.93, 0.36, 0.36];
/** Where Kia prints what, in points, measured on real labels. */
const X = { features: 38, facts: 135, prices: 375, amountCell: 624, amounts: 692, boxes: 702 } as const;

function drawKia(page: Page, car: Car): void {
  drawFrame(page);
  page.text(35, 60, 15, `${car.year} ${car.model}`, { font: 'bold', narrow: 0.82 });
  const facts = [
    ['MODEL/OPT.CODE:', 'XXXXX / 000'],
    ['EXTERIOR COLOR:', car.exterior],
    ['INTERIOR COLOR:', car.interior],
    ['VEHICLE ID NUMBER:', car.vin],
    ['PORT OF ENTRY:', 'WEST POINT'],
  ] as const;
  facts.forEach(([name, fact], index) => {
    page.text(35, 75 + index * 14, 9, name, { font: 'bold', narrow: 0.85 });
    page.text(X.facts, 75 + index * 14, 9, fact, { narrow: 0.85 });
  });
  page.text(381, 58, 9, 'Sold To: XX000', { font: 'bold', narrow: 0.85 });
  page.lines(381, 70, 9, 12, ['EXAMPLE KIA', '1 EXAMPLE STREET', 'ANYTOWN TX 00000'], { narrow: 0.85 });
  page.text(544, 58, 9, 'Ship To: XX000', { font: 'bold', narrow: 0.85 });
  badge(page, 1080, 98, 26, car.make);
  drawFeatures(page, car);
  drawPrices(page, car);
  page.text(724, 770, 7, 'The car, its equipment, its prices and its ratings are invented.');
  page.text(381, 699, 8, 'TOTAL ADDITIONAL WEIGHT: 13.0', { narrow: 0.85 });
  bars(page, 384, 705, 38, car.vin);
  economyBox(page, X.boxes, 142, 496, car);
  safetyBox(page, X.boxes, 438, 312);
  partsBox(page, 1020, 438, 178, car);
  page.lines(X.boxes + 2, 690, 7, 8, [
    "Manufacturer's suggested retail price includes pre-delivery service. License and title fees, taxes and",
    'dealer installed options are not included.',
  ]);
}

/** A thick black frame, and rules between the three columns and above the foot. */
function drawFrame(page: Page): void {
  page.box(23.5, 35.5, 1186, 716, 9);
  page.rule(369, 40, 369, 747);
  page.rule(696, 40, 696, 747);
  page.rule(28, 134, 696, 134);
  page.rule(28, 686, 696, 686, 2.5);
  page.rule(X.amountCell, 134, X.amountCell, 686);
}

function drawFeatures(page: Page, car: Car): void {
  page.fill(28, 135, 340, 16, 0);
  page.center(198, 147, 10, 'STANDARD FEATURES', { font: 'bold', gray: 1 });
  let y = 168;
  for (const [section, items] of Object.entries(car.standard)) {
    page.text(X.features, y, 9.5, section, { font: 'bold' });
    y = page.lines(X.features, y + 11, 9.5, 11, items) + 8;
  }
}

function drawPrices(page: Page, car: Car): void {
  band(page, 135, "MANUFACTURER'S SUGGESTED RETAIL PRICE", car.base, 10);
  let y = 163;
  const line = (name: string, money: string | null = null): void => {
    if (name) page.text(X.prices, y, 9.5, name);
    if (money) page.right(X.amounts, y, 9.5, money);
    y += 12;
  };
  line(`COMPARE ${car.series} FEATURES`);
  for (const name of ADDED) line(`- ${name}`, 'Included');
  line('');
  line('ADDITIONAL INSTALLED EQUIPMENT:');
  line('(In addition to or in place of standard features)');
  for (const { name, price, children = [] } of car.options) {
    line(name, price === null ? 'Included' : dollars(price));
    for (const child of children) line(`- ${child}`);
  }
  page.text(X.prices, 620, 9.5, 'MSRP INCLUDING OPTIONS');
  page.right(X.amounts, 620, 9.5, spaced(car.base + optionsTotal(car)));
  page.text(441, 645, 7.5, 'INLAND FREIGHT AND HANDLING');
  page.right(X.amounts, 645, 9.5, spaced(car.destination));
  band(page, 661, "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE", total(car), 8.3);
}

/** White words on red, and the amount beside them. */
function band(page: Page, y: number, words: string, cents: number, size: number): void {
  page.fill(370, y, X.amountCell - 370, 16, RED);
  page.text(X.prices, y + 12, size, words, { font: 'bold', gray: 1 });
  page.right(X.amounts, y + 12, 10, spaced(cents), { font: 'bold', narrow: 0.95 });
}

export const drawing: Drawing = { build: kiaBuild, draw: drawKia };
