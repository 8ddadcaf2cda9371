/** Ford, Lincoln: a description block in two columns, prices in one column, the total far from its words. */
import { bars, boxesAtRight, heading } from '../../../tools/specimens/boxes.ts';
import {
  amount,
  discountsTotal,
  dollars,
  optionsTotal,
  total,
  type Build,
  type Car,
} from '../../../tools/specimens/car.ts';
import type { Page } from '../../../tools/specimens/pdf.ts';
import { badge } from '../../../tools/specimens/strokes.ts';
import type { Drawing } from '../../../tools/specimens/drawing.ts';

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
      children: ['ACTIVE SERIES', '18" MACHINED ALUMINUM WHEELS', 'HEATED FRONT SEATS'],
    },
    { name: '3.58 NON-LIMITED SLIP AXLE', price: 57000 },
    { name: '255/65R18 A/S BSW TIRES', price: null },
    { name: 'TRAILER TOW PACKAGE', price: 124500 },
    { name: 'FRONT LICENSE PLATE BRACKET', price: 0 },
    { name: 'CARGO AREA PROTECTOR', price: 59500 },
  ],
  discounts: [{ name: 'ACTIVE MID DISCOUNT', price: -100000 }],
  destination: 169500,
  standard: [
    {
      section: 'EXTERIOR',
      items: ['DAYTIME RUNNING LAMPS', 'EASY FUEL CAPLESS FILLER', 'LED FOG LAMPS', 'POWER LIFTGATE'],
    },
    {
      section: 'INTERIOR',
      items: ['CRUISE CONTROL', 'DUAL ZONE AIR CONDITIONING', 'TILT/TELESCOPE STEERING COLUMN'],
    },
    { section: 'FUNCTIONAL', items: ['FOUR WHEEL DISC BRAKES', 'HILL START ASSIST', 'REAR VIEW CAMERA'] },
    {
      section: 'SAFETY/SECURITY',
      items: ['AIRBAGS, FRONT AND SIDE', 'PERIMETER ALARM', 'TIRE PRESSURE MONITOR'],
    },
    { section: 'WARRANTY', items: ['3YR/36,000 BUMPER / BUMPER', '5YR/60,000 POWERTRAIN'] },
  ],
  city: 20,
  highway: 27,
  parts: { usCanadian: 45, foreign: 'MEXICO 25%', engine: 'UNITED STATES', transmission: 'UNITED STATES' },
};

function drawFord(page: Page, car: Car): void {
  badge(page, 46, 76, 26, car.make);
  page.text(240, 46, 7, car.vin);
  bars(page, 240, 52, 26, car.vin);
  drawDescription(page, car);
  drawStandard(page, car);
  drawTransport(page, car);
  drawPrices(page, car);
  boxesAtRight(page, car);
}

/** What the car is on the left, its colours on the right; the serial's last characters stand apart as Ford prints them. */
function drawDescription(page: Page, car: Car): void {
  page.box(40, 100, 400, 108, 1.5);
  page.text(50, 118, 12, 'VEHICLE DESCRIPTION', { font: 'bold' });
  page.text(50, 136, 11, car.model.split(' ')[0] ?? car.model, { font: 'bold' });
  page.text(330, 136, 11, `${car.vin.slice(9, 11)} ${car.vin.slice(11)}`);
  const rows = [
    [`${car.year} ${car.model}`, 'EXTERIOR'],
    [car.series, car.exterior],
    [car.engine, 'INTERIOR'],
    [car.transmission, car.interior],
  ] as const;
  rows.forEach(([left, right], index) => {
    const y = 154 + index * 14;
    page.text(50, y, 10, left);
    page.text(250, y, 10, right, { font: index % 2 ? 'regular' : 'bold' });
  });
}

function drawStandard(page: Page, car: Car): void {
  page.text(40, 230, 10, 'STANDARD EQUIPMENT INCLUDED AT NO EXTRA CHARGE', { font: 'bold' });
  page.rule(40, 236, 440, 236, 1.5);
  car.standard.forEach(({ section, items }, index) => {
    const [x, y] = [44 + (index % 2) * 200, 254 + Math.floor(index / 2) * 78];
    page.text(x, y, 9, section, { font: 'bold' });
    page.lines(
      x,
      y + 12,
      8.5,
      11,
      items.map((item) => `· ${item}`),
    );
  });
}

function drawTransport(page: Page, car: Car): void {
  page.rule(40, 500, 440, 500, 1.5);
  page.text(50, 520, 7, 'SOLD TO');
  page.text(50, 548, 7, 'SHIP TO (IF OTHER THAN SOLD TO)');
  page.text(250, 520, 7, 'FINAL ASSEMBLY PLANT');
  page.text(250, 532, 10, car.assembly, { font: 'bold' });
  page.text(250, 548, 7, 'METHOD OF TRANSP.');
  page.text(250, 560, 10, 'RAIL', { font: 'bold' });
  page.box(40, 620, 400, 60, 2.5);
  page.text(60, 658, 20, 'TOTAL MSRP', { font: 'bold' });
  page.right(424, 660, 26, dollars(total(car)), { font: 'bold' });
  page.text(40, 700, 7, 'STATE AND/OR LOCAL TAXES ARE NOT INCLUDED.');
}

const words = (price: number | null): string | null =>
  price === null ? null : price === 0 ? 'NO CHARGE' : amount(price);

function drawPrices(page: Page, car: Car): void {
  page.box(452, 100, 260, 580, 1.5);
  heading(page, 452, 100, 260, 'INCLUDED ON THIS VEHICLE', 10);
  const [group, ...others] = car.options;
  let y = 138;
  const line = (
    name: string,
    money: string | null,
    font: 'regular' | 'bold' = 'regular',
    indent = 0,
  ): void => {
    page.text(462 + indent, y, 9.5, name, { font });
    if (money) page.right(702, y, 9.5, money, { font });
    y += 14;
  };
  if (group) {
    line(group.name, words(group.price), 'bold');
    for (const child of group.children ?? []) line(`.${child}`, null, 'regular', 8);
  }
  y += 10;
  line('OPTIONAL EQUIPMENT/OTHER', null, 'bold');
  for (const option of others) {
    line(option.name, words(option.price));
    for (const child of option.children ?? []) line(`.${child}`, null, 'regular', 8);
  }
  y = Math.max(y + 14, 470);
  page.rule(452, y - 14, 712, y - 14, 1.5);
  line('PRICE INFORMATION', null, 'bold');
  line('BASE PRICE', dollars(car.base));
  line('TOTAL OPTIONS/OTHER', amount(optionsTotal(car)));
  page.rule(630, y - 9, 702, y - 9);
  y += 4;
  line('TOTAL VEHICLE & OPTIONS/OTHER', amount(car.base + optionsTotal(car)));
  line('DESTINATION & DELIVERY', amount(car.destination));
  if (car.discounts.length === 0) return;
  page.rule(630, y - 9, 702, y - 9);
  y += 4;
  line('TOTAL BEFORE DISCOUNTS', amount(total(car) - discountsTotal(car)));
  for (const discount of car.discounts) line(discount.name, `- ${amount(-discount.price)}`);
  line('TOTAL SAVINGS', `- ${amount(-discountsTotal(car))}`);
}

export const drawing: Drawing = { build: fordBuild, draw: drawFord };
