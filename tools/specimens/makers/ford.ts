/** Ford, Lincoln: a description block in two columns, options in one or two, prices beside them, the total in the foot. */
import { bars, boxesAtRight } from '../boxes.ts';
import {
  amount,
  discountsTotal,
  dollars,
  optionsTotal,
  total,
  type Build,
  type Car,
  type Drawing,
} from '../car.ts';
import type { Ink, Page } from '../pdf.ts';
import { badge } from '../strokes.ts';

const fordBuild: Build = {
  model: 'EXPLORER ACTIVE 4WD',
  series: '119" WHEELBASE',
  exterior: 'HARBOR BLUE METALLIC',
  interior: 'SLATE CLOTH TRIM SEATS',
  engine: '2.3L ECOBOOST I-4 ENGINE',
  transmission: '10-SPEED AUTO TRANSMISSION',
  assembly: 'CHICAGO',
  base: 4412500,
  options: [
    {
      name: 'EQUIPMENT GROUP 301X',
      price: 318000,
      children: [
        'ACTIVE SERIES',
        '18" MACHINED ALUMINUM WHEELS',
        'HEATED FRONT SEATS',
        'HEATED STEERING WHEEL',
        'REMOTE START SYSTEM',
        'POWER LIFTGATE, HANDS-FREE',
        'WIRELESS CHARGING PAD',
      ],
    },
    { name: '3.58 NON-LIMITED SLIP AXLE', price: 57000 },
    { name: '255/65R18 A/S BSW TIRES', price: null },
    {
      name: 'TRAILER TOW PACKAGE',
      price: 124500,
      children: ['CLASS III RECEIVER HITCH', 'ENGINE OIL COOLER', '4-PIN AND 7-PIN CONNECTOR'],
    },
    { name: '10-SPEED AUTO TRANSMISSION', price: 0 },
    { name: '6,050# GVWR PACKAGE', price: null },
    { name: 'FRONT LICENSE PLATE BRACKET', price: 0 },
    { name: '50 STATE EMISSIONS', price: 0 },
    { name: 'FLOOR LINERS, ALL ROWS', price: null },
    { name: 'KEYLESS ENTRY KEYPAD', price: null },
    { name: 'SECOND ROW BENCH SEAT', price: 0 },
    // Below what is no package, a dot marks an option of its own.
    { name: '.FOLD-FLAT HEAD RESTRAINTS', price: null },
    { name: '.CENTER ARMREST', price: null },
    { name: '.EASY-ENTRY TILT', price: null },
    { name: 'ROOF RAIL CROSSBARS', price: null },
    { name: 'MINI SPARE TIRE', price: null },
    { name: 'CARGO AREA PROTECTOR', price: 59500 },
    { name: '.CARGO NET', price: null },
    { name: '.FOLDING CARGO ORGANIZER', price: null },
  ],
  discounts: [{ name: 'ACTIVE MID DISCOUNT', price: -100000 }],
  destination: 169500,
  standard: {
    EXTERIOR: [
      'DAYTIME RUNNING LAMPS',
      'EASY FUEL CAPLESS FILLER',
      'HEADLAMPS - AUTOLAMP',
      'LED FOG LAMPS',
      'LED TAILLAMPS',
      'MIRRORS - HEATED, POWER',
      'POWER LIFTGATE',
      'REAR SPOILER',
      'ROOF-RACK SIDE RAILS',
      'WIPERS - RAIN SENSING',
    ],
    INTERIOR: [
      'CRUISE CONTROL',
      'DOOR LOCKS - POWER',
      'DUAL ZONE AIR CONDITIONING',
      'ILLUMINATED ENTRY',
      'POWERPOINTS - 12V',
      'SEATS - 60/40 SECOND ROW',
      'SEATS - THIRD ROW',
      'TILT/TELESCOPE STR COLUMN',
      'USB PORTS',
    ],
    FUNCTIONAL: [
      'BLIND SPOT MONITOR',
      'ELECTRIC PARKING BRAKE',
      'FOUR WHEEL DISC BRAKES',
      'HILL START ASSIST',
      'LANE-KEEPING SYSTEM',
      'POST-COLLISION BRAKING',
      'REAR VIEW CAMERA',
      'REVERSE SENSING SYSTEM',
      'SELECTABLE DRIVE MODES',
      'TRAILER SWAY CONTROL',
    ],
    'SAFETY/SECURITY': [
      'AIRBAGS, FRONT AND SIDE',
      'CTR HIGH MOUNT STOP LAMP',
      'LATCH CHILD SAFETY SYSTEM',
      'PERIMETER ALARM',
      'TIRE PRESSURE MONITOR',
    ],
    WARRANTY: ['3YR/36,000 BUMPER / BUMPER', '5YR/60,000 POWERTRAIN', '5YR/60,000 ROADSIDE ASSIST'],
  },
  city: 20,
  highway: 27,
  parts: { usCanadian: 45, foreign: 'MEXICO 25%', engine: 'UNITED STATES', transmission: 'UNITED STATES' },
};

/** Where Ford prints what, in points, measured on real labels. */
const AT = {
  description: 215,
  colors: 433,
  sections: [36, 203, 369, 527],
  columns: [36, 248],
  columnWidth: 209,
  prices: 461,
  amounts: 670,
  foot: 620,
} as const;
const BLUE: Ink = [0.07, 0.33, 0.58];
/** The distance between lines of 8-point type. */
const STEP = 9.15;

function drawFord(page: Page, car: Car): void {
  badge(page, 46, 76, 26, car.make);
  page.text(973, 18, 10, car.vin.slice(0, 9));
  page.text(1034, 24, 19, car.vin.slice(9));
  drawDescription(page, car);
  drawStandard(page, car);
  drawOptions(page, car);
  drawPrices(page, car);
  drawFoot(page, car);
  boxesAtRight(page, car);
}

/** What the car is on the left, its colors on the right; Ford sets the last six characters of the VIN apart. */
function drawDescription(page: Page, car: Car): void {
  page.box(25, 31, 656, 739, 14, BLUE);
  page.fill(160, 38, 516, 89, BLUE);
  const white = { font: 'bold', gray: 1 } as const;
  page.text(165, 47, 8, 'VEHICLE DESCRIPTION', white);
  page.text(180, 72, 28, car.model.split(' ')[0] ?? car.model, white);
  page.text(525, 58, 14, car.vin.slice(9, 11), white);
  page.text(552, 65, 28, car.vin.slice(11), white);
  [`${car.year} ${car.model}`, car.series, car.engine, car.transmission].forEach((line, index) =>
    page.text(AT.description, 88 + index * 9, 9, line, white),
  );
  const { colors } = AT;
  page.text(colors, 88, 9, 'EXTERIOR', white);
  page.text(colors + 14.2, 97, 9, car.exterior, white);
  page.text(colors, 106, 9, 'INTERIOR', white);
  page.text(colors + 14.2, 115, 9, car.interior, white);
}

/** Four columns, with the warranty below the last. */
function drawStandard(page: Page, car: Car): void {
  page.rule(28, 127, 678, 127, 1.5, BLUE);
  page.text(36, 139, 8, 'STANDARD EQUIPMENT INCLUDED AT NO EXTRA CHARGE', { font: 'bold' });
  let y = 160;
  Object.entries(car.standard).forEach(([section, items], index) => {
    const x = AT.sections[Math.min(index, 3)]!;
    y = index < 4 ? 160 : y + STEP;
    page.text(x, y, 8, section, { font: 'bold' });
    page.lines(x + 5.5, y + STEP, 8, STEP, [...items]);
    y += (items.length + 1) * STEP;
  });
}

const words = (price: number | null): string | null =>
  price === null ? null : price === 0 ? 'NO CHARGE' : amount(price);

/** Options fill the first column and continue in the second. */
function drawOptions(page: Page, car: Car): void {
  page.rule(28, 314, 678, 314, 1.5, BLUE);
  page.text(36, 324, 8, 'INCLUDED ON THIS VEHICLE', { font: 'bold' });
  page.text(216, 324, 8, '(MSRP)', { font: 'bold' });
  let column = 0;
  let y = 338;
  const line = (name: string, money: string | null = null, indent = 0): void => {
    if (y > AT.foot - 14) [column, y] = [1, 338];
    const x = AT.columns[column]!;
    page.text(x + indent, y, 8, name);
    if (money) page.right(x + AT.columnWidth, y, 8, money);
    y += STEP;
  };
  const [group, ...others] = car.options;
  if (group) {
    line(group.name, words(group.price));
    for (const child of group.children ?? []) line(child, null, 3);
    y += STEP;
  }
  line('OPTIONAL EQUIPMENT/OTHER');
  line(`${car.year} MODEL YEAR`);
  for (const option of others) {
    line(option.name, words(option.price));
    for (const child of option.children ?? []) line(`.${child}`);
  }
}

function drawPrices(page: Page, car: Car): void {
  page.text(641, 324, 8, '(MSRP)', { font: 'bold' });
  let y = 338;
  const line = (name: string, money: string | null = null): void => {
    page.text(AT.prices, y, 8, name);
    if (money) page.right(AT.amounts, y, 8, money);
    y += STEP;
  };
  const rule = (): void => {
    page.rule(598, y - 5, AT.amounts, y - 5);
    y += STEP / 2;
  };
  line('PRICE INFORMATION');
  line('BASE PRICE', dollars(car.base));
  line('TOTAL OPTIONS/OTHER', amount(optionsTotal(car)));
  rule();
  line('TOTAL VEHICLE & OPTIONS/OTHER', amount(car.base + optionsTotal(car)));
  line('DESTINATION & DELIVERY', amount(car.destination));
  if (car.discounts.length === 0) return;
  rule();
  line('TOTAL BEFORE DISCOUNTS', amount(total(car) - discountsTotal(car)));
  for (const discount of car.discounts) line(discount.name, `- ${amount(-discount.price)}`);
  line('TOTAL SAVINGS', `- ${amount(-discountsTotal(car))}`);
}

/** The total in white on a dark band, beside where the car was built and how it travelled. */
function drawFoot(page: Page, car: Car): void {
  page.rule(28, AT.foot, 678, AT.foot, 1.5, BLUE);
  page.text(36, 630, 6, 'SOLD TO');
  page.text(36, 672, 6, 'SHIP TO (IF OTHER THAN SOLD TO)');
  page.text(36, 716, 6, 'SHIP THROUGH');
  page.text(253, 630, 6, 'RAMP ONE');
  page.text(331, 630, 6, 'FINAL ASSEMBLY PLANT');
  page.text(350, 642, 9, car.assembly, { font: 'bold' });
  page.text(331, 655, 6, 'METHOD OF TRANSP.');
  page.text(373, 671, 11, 'RAIL', { font: 'bold' });
  page.fill(450, AT.foot, 226, 74, BLUE);
  page.text(462, 643, 14, 'TOTAL MSRP', { font: 'bold', gray: 1 });
  page.right(670, 643, 14, dollars(total(car)), { font: 'bold', gray: 1 });
  page.text(40, 757, 7, 'STATE AND/OR LOCAL TAXES ARE NOT INCLUDED.');
  bars(page, 797, 734, 26, car.vin);
  page.text(797, 730, 9, car.vin);
}

export const drawing: Drawing = { build: fordBuild, draw: drawFord };
