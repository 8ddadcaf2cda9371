/** Toyota and Lexus: the paint's name and its code side by side. */
import { bars, boxesAtRight } from '../../../tools/specimens/boxes.ts';
import { dollars, total, type Build, type Car } from '../../../tools/specimens/car.ts';
import type { Ink, Page } from '../../../tools/specimens/pdf.ts';
import { optionRows, priceRows } from '../../../tools/specimens/rows.ts';
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
      items: [
        'Part-Time 4WD with Active Traction Control',
        'Electronically Controlled Transfer Case',
        'Locking Rear Differential',
        'Multi-Terrain Select',
        'Hill Start Assist Control',
        'Trailer Sway Control',
        'Double-Wishbone Front Suspension',
        'Ventilated Disc Brakes, Front and Rear',
      ],
    },
    {
      section: 'SAFETY & CONVENIENCE',
      items: [
        'Pre-Collision System with Pedestrian Detection',
        'Full-Speed Range Dynamic Radar Cruise Control',
        'Lane Departure Alert with Steering Assist',
        'Blind Spot Monitor with Rear Cross-Traffic Alert',
        'Automatic High Beams',
        'Road Sign Assist',
        'Eight Airbags',
        'LATCH, Rear Outboard Seats',
        'Tire Pressure Monitor System',
      ],
    },
    {
      section: 'EXTERIOR FEATURES',
      items: [
        '18-In. Alloy Wheels, All-Terrain Tires',
        'LED Headlamps and Fog Lamps',
        'Power Rear Window with Defogger',
        'Roof Rails',
        'Heated Power Outside Mirrors',
        'Skid Plates, Engine and Transfer Case',
        'Full-Size Spare Tire',
      ],
    },
    {
      section: 'INTERIOR FEATURES',
      items: [
        'Heated Front Seats, Power Driver Seat',
        '14-In. Touchscreen, Eight Speakers',
        '12.3-In. Gauge Cluster',
        'Smart Key System with Push Button Start',
        'Dual-Zone Automatic Climate Control',
        '40/20/40 Split Fold-Flat Rear Seat',
        'Leather-Trimmed Steering Wheel',
        'Cargo Area Tie-Downs and Power Outlet',
      ],
    },
  ],
  city: 20,
  highway: 24,
  parts: { usCanadian: 5, foreign: 'JAPAN 85%', engine: 'JAPAN', transmission: 'JAPAN' },
};

const RED: Ink = [0.8, 0.08, 0.15];
/** No real label was at hand: the dense columns are those of other makes, the words Toyota's own. */
const X = { left: 36, features: [36, 204], prices: 382, amounts: 694 } as const;
const TOP = 204;
const FOOT = 690;

function drawToyota(page: Page, car: Car): void {
  page.box(19, 19, 1186, 746, 6, RED);
  badge(page, 40, 74, 24, car.make);
  page.text(240, 74, 22, `${car.year} ${car.model}`, { font: 'bold', narrow: 0.9 });
  drawFacts(page, car);
  page.rule(22, TOP - 18, 706, TOP - 18, 1.5);
  page.rule(372, TOP - 18, 372, FOOT, 0.75);
  page.rule(706, 22, 706, 762, 1.5);
  page.text(X.left, TOP, 10, 'STANDARD EQUIPMENT', { font: 'bold' });
  drawFeatures(page, car);
  drawPrices(page, car);
  page.rule(22, FOOT, 706, FOOT, 1.5);
  bars(page, X.left, FOOT + 14, 34, car.vin);
  page.text(X.prices, FOOT + 24, 7, '* Does not include taxes, license, title or dealer-installed items.');
  boxesAtRight(page, car);
}

function drawFacts(page: Page, car: Car): void {
  const facts = [
    ['VIN:', car.vin],
    ['EXTERIOR:', `${car.exterior} (${car.paintCode})`],
    ['INTERIOR:', car.interior],
    ['ENGINE:', car.engine],
    ['TRANSMISSION:', car.transmission],
  ] as const;
  facts.forEach(([name, fact], index) => {
    page.text(X.left, 100 + index * 15, 10, name, { font: 'bold' });
    page.text(146, 100 + index * 15, 10, fact);
  });
}

/** Two columns of small type. */
function drawFeatures(page: Page, { standard }: Car): void {
  const half = Math.ceil(standard.length / 2);
  for (const [index, x] of X.features.entries()) {
    let y = TOP + 20;
    for (const { section, items } of standard.slice(index * half, (index + 1) * half)) {
      page.text(x, y, 8, section, { font: 'bold' });
      y = page.lines(x, y + 10, 7.5, 9.5, items, { narrow: 0.85 }) + 6;
    }
  }
}

function drawPrices(page: Page, car: Car): void {
  priceRows(page, X.prices, X.amounts, TOP, [
    { name: "Manufacturer's Suggested Retail Price", money: dollars(car.base), font: 'bold' },
    { name: '' },
    { name: 'OPTIONAL EQUIPMENT', font: 'bold' },
    ...optionRows(car, dollars(0)),
  ]);
  priceRows(page, X.prices, X.amounts, FOOT - 46, [
    { name: 'Delivery, Processing and Handling Fee', money: dollars(car.destination), ruled: true },
  ]);
  page.fill(373, FOOT - 34, 332, 33, RED);
  page.text(X.prices, FOOT - 12, 15, 'Total MSRP*', { font: 'bold', gray: 1 });
  page.right(X.amounts, FOOT - 12, 18, dollars(total(car)), { font: 'bold', gray: 1 });
}

export const drawing: Drawing = { build: toyotaBuild, draw: drawToyota };
