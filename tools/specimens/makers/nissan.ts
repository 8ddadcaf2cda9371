/** Nissan and Infiniti: the label is one picture, and the only text is the notice that it is a copy. */
import { amount, combined, total, type Build, type Car, type Drawing } from '../car.ts';
import type { Page } from '../pdf.ts';
import { Raster } from '../raster.ts';

const nissanBuild: Build = {
  model: 'KICKS SR FWD',
  series: '',
  exterior: 'COASTAL GRAY PEARL',
  interior: 'CHARCOAL CLOTH',
  engine: '2.0L 4-CYLINDER',
  transmission: 'CVT',
  assembly: 'AGUASCALIENTES, MEXICO',
  base: 2448000,
  options: [
    { name: 'FLOOR MATS AND CARGO MAT', price: 29500 },
    { name: 'PREMIUM PAINT', price: 42500 },
    { name: 'ROOF RAIL CROSSBARS', price: 36000 },
  ],
  destination: 139000,
  standard: {
    MECHANICAL: ['2.0L 4-CYLINDER ENGINE', 'CONTINUOUSLY VARIABLE', 'HILL START ASSIST'],
    SAFETY: ['TEN AIRBAGS', 'REAR VIEW MONITOR', 'LANE DEPARTURE WARNING'],
    COMFORT: ['PUSH BUTTON IGNITION', '12.3" TOUCH SCREEN', 'REMOTE START'],
  },
  city: 28,
  highway: 35,
  parts: { usCanadian: 15, foreign: 'MEXICO 55%', engine: 'JAPAN', transmission: 'MEXICO' },
};

export const COPY_NOTICE =
  '**Not actual Monroney Label. Provided for informational purposes only. Unofficial Copy**';

function drawNissan(page: Page, car: Car): void {
  page.picture(0, 0, page.width, page.height, rasterOf(car).picture());
  page.center(page.width / 2, page.height - 18, 9, COPY_NOTICE);
}

/** Sharp enough to read on a screen, and just above the size at which a source's picture counts as a label. */
function rasterOf(car: Car): Raster {
  const sheet = new Raster(1224, 792);
  sheet.text(44, 78, 30, car.make, 5);
  sheet.text(330, 74, 17, `${car.year} ${car.model}`, 2.6);
  sheet.fill(40, 92, 1144, 3);
  sheet.text(44, 120, 11, `VIN ${car.vin}`);
  sheet.text(44, 140, 10, `EXTERIOR ${car.exterior}`);
  sheet.text(44, 160, 10, `INTERIOR ${car.interior}`);
  let y = 200;
  for (const [section, items] of Object.entries(car.standard)) {
    sheet.text(44, y, 11, section, 2.2);
    for (const item of items) sheet.text(54, (y += 19), 9, item);
    y += 32;
  }
  drawPrices(sheet, car);
  sheet.box(780, 110, 404, 250, 3);
  sheet.fill(780, 150, 404, 2);
  sheet.text(800, 138, 14, 'FUEL ECONOMY', 2.4);
  sheet.text(810, 260, 84, String(combined(car)), 11);
  sheet.text(812, 288, 9, 'COMBINED CITY/HWY');
  sheet.text(1000, 230, 24, String(car.city), 3.6);
  sheet.text(1000, 250, 9, 'CITY');
  sheet.text(1080, 230, 24, String(car.highway), 3.6);
  sheet.text(1080, 250, 9, 'HIGHWAY');
  sheet.text(1000, 190, 16, 'MPG', 2.6);
  sheet.box(780, 380, 404, 130, 3);
  sheet.text(800, 408, 12, 'PARTS CONTENT', 2.2);
  sheet.text(800, 434, 9, `U.S./CANADIAN ${car.parts.usCanadian} PERCENT`);
  sheet.text(800, 456, 9, 'FINAL ASSEMBLY POINT');
  sheet.text(800, 476, 9, car.assembly);
  return sheet;
}

function drawPrices(sheet: Raster, car: Car): void {
  sheet.box(372, 110, 388, 400, 3);
  let y = 142;
  const row = (name: string, cents: number, weight?: number): void => {
    sheet.text(388, y, 10, name, weight);
    sheet.right(744, y, 10, `$${amount(cents)}`, weight);
    y += 26;
  };
  row('BASE PRICE', car.base, 2);
  for (const option of car.options) row(option.name, option.price ?? 0);
  row('DESTINATION CHARGES', car.destination);
  sheet.box(372, 450, 388, 60, 4);
  sheet.text(388, 488, 16, 'TOTAL', 2.8);
  sheet.right(744, 490, 20, `$${amount(total(car))}`, 3.4);
}

export const drawing: Drawing = { build: nissanBuild, draw: drawNissan };
