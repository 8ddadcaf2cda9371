/** Hyundai and Genesis: facts with a colon, the price list under ADDED FEATURES, priced paint with its code in brackets. */
import { bars, economyBox, partsBox, safetyBox } from '../boxes.ts';
import { dollars, total, type Build, type Car, type Drawing } from '../car.ts';
import type { Page } from '../pdf.ts';
import { optionRows, priceRows, totalBox, TOTALS, type PriceRow } from '../rows.ts';
import { badge } from '../strokes.ts';

export const hyundaiBuild: Build = {
  model: 'TUCSON LIMITED AWD',
  series: 'TCXXXXXXXXXX',
  exterior: 'LAGOON BLUE',
  interior: 'SLATE/SLATE',
  engine: '2.5L 4-Cylinder Engine',
  transmission: '8-Speed Automatic Transmission',
  assembly: 'MONTGOMERY, ALABAMA, U.S.A.',
  base: 4067500,
  options: [
    { name: 'Cross Rails (Dealer Install)', price: 37500 },
    { name: 'Fitted Liners', price: 26000 },
    { name: 'Rear Bumper Appliqué', price: 8500 },
    { name: 'Cargo Net', price: 6000 },
  ],
  destination: 160000,
  standard: {
    WARRANTY: [
      '5-year/60,000-mile New Vehicle Warranty',
      '10-year/100,000-mile Powertrain Warranty',
      '5-year/Unlimited-mile Roadside Assistance',
    ],
    'ADVANCED SAFETY TECHNOLOGIES': [
      'Front, Side and Side-Curtain Airbags',
      'Forward Collision-Avoidance Assist',
      'Lane Keeping Assist, Lane Following Assist',
      'Blind-Spot Collision-Avoidance Assist',
      'Rear Cross-Traffic Collision-Avoidance Assist',
      'Parking Distance Warning-Forward and Reverse',
      'Rear Occupant Alert',
      'Rear View Monitor',
    ],
    'POWERTRAIN TECHNOLOGY': ['2.5L 4-Cylinder Engine', '8-Speed Automatic Transmission', 'All-Wheel Drive'],
    EXTERIOR: [
      '19" Alloy Wheels',
      'LED Headlights, Tail Lights and Daytime Running Lights',
      'Hands-Free Smart Liftgate',
      'Panoramic Sunroof',
      'Roof Side Rails',
      'Temporary Spare Tire',
    ],
    'INTERIOR AND COMFORT': [
      'Proximity Key w/ Push Button Start',
      'Smart Cruise Control',
      'Surround View Monitor',
      'Leather-Trimmed Seating Surfaces',
      'Heated and Ventilated Front Seats',
      'Heated Rear Seats',
      'Heated Steering Wheel',
      'Dual Automatic Temperature Control',
      '12.3" Digital Instrument Cluster',
    ],
    'MULTIMEDIA AND CONNECTIVITY': [
      '12.3" Touchscreen Navigation',
      'Premium Audio System',
      'Wireless Phone Charger',
      'Digital Key',
      'Full Tank of Fuel',
    ],
  },
  city: 24,
  highway: 30,
  parts: { usCanadian: 45, foreign: 'KOREA 35%', engine: 'UNITED STATES', transmission: 'UNITED STATES' },
};

/** Where the two columns under the facts begin, and where they end. */
const COLUMNS = { left: 36, middle: 340, right: 684, top: 352, bottom: 700 };

function drawHyundai(page: Page, car: Car): void {
  const { left, middle, top, bottom } = COLUMNS;
  page.text(40, 26, 8, `VIN: ${car.vin}`, { font: 'bold' });
  page.text(middle, 26, 8, 'Affix FULL Label to driver side Left-Rear.');
  badge(page, 40, 66, 26, car.make);
  page.text(middle, 66, 20, `${car.year} ${car.model}`, { font: 'bold', narrow: 0.9 });
  const facts = [
    ['VIN:', car.vin],
    ['MODEL:', car.series],
    ['PORT OF ENTRY:', 'XX'],
    ['EXTERIOR COLOR:', car.exterior],
    ['INTERIOR/SEAT COLOR:', car.interior],
    ['TRANSPORT:', 'TRUCK'],
    ['ACCESSORY WEIGHT:', '22 lbs./ 10 kgs.'],
  ] as const;
  facts.forEach(([word, fact], index) => {
    page.text(left, 120 + index * 15, 9, word, { font: 'bold' });
    page.text(left + 116, 120 + index * 15, 9, fact);
  });
  safetyBox(page, middle, 92, 352);
  page.box(28, 92, 304, 230, 1.5);
  page.box(28, 332, 664, 424, 1.5);
  page.rule(middle - 8, 332, middle - 8, 756, 1.5);
  page.text(left, top, 8, 'STANDARD FEATURES:', { font: 'bold' });
  drawFeatures(page, car, top + 11, bottom);
  drawColumn(page, car);
  economyBox(page, 724, 28, 464, car);
  partsBox(page, 724, 330, 464, car);
  bars(page, 724, 590, 32, car.vin);
  page.text(724, 640, 8, 'The car, its equipment, its prices and its ratings are invented.');
}

/** Small type in a dense list, as on real labels; the last section is at the top of the next column. */
function drawFeatures(page: Page, { standard }: Car, top: number, bottom: number): void {
  let [x, y] = [COLUMNS.left, top];
  for (const [section, items] of Object.entries(standard)) {
    if (x === COLUMNS.left && y + 8.6 * (items.length + 1) > bottom) [x, y] = [COLUMNS.middle, COLUMNS.top];
    page.text(x, y, 7.5, section, { font: 'bold' });
    y = page.lines(x, y + 8.6, 7, 8.6, items) + 2;
  }
}

const listed = (car: Car, star: string): PriceRow[] => [
  { name: "Manufacturer's Suggested Retail Price:", money: dollars(car.base), font: 'bold' },
  { name: '' },
  { name: 'ADDED FEATURES:', font: 'bold' },
  ...optionRows(car, star),
];

function drawColumn(page: Page, car: Car): void {
  const { middle, right } = COLUMNS;
  priceRows(page, middle, right, 480, listed(car, '*'));
  page.rule(middle, 706, right, 706, 0.75);
  page.text(middle, 720, 9, 'Inland Freight & Handling :');
  page.right(right, 720, 9, dollars(car.destination));
  page.text(middle, 742, 13, 'Total Price :', { font: 'bold' });
  page.right(right, 742, 13, dollars(total(car)), { font: 'bold' });
}

export function drawPrices(page: Page, car: Car, star: string, totalWords: string): void {
  const [x, right] = [404, 700];
  priceRows(page, x, right, 178, listed(car, star));
  priceRows(page, x, right, TOTALS, [
    { name: 'Inland Freight & Handling :', money: dollars(car.destination), ruled: true },
  ]);
  totalBox(page, 156, totalWords, dollars(total(car)));
  page.text(x, TOTALS + 72, 7, 'Taxes, title, registration and dealer fees are not included.');
}

export const drawing: Drawing = { build: hyundaiBuild, draw: drawHyundai };
