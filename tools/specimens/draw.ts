/** Draws a label of any family for any VIN: for the specimens, the simulator and the tests. */
import type { Build, Car } from './car.ts';
import { drawFord, fordBuild } from '../../src/makers/ford/drawing.ts';
import { gmBuild } from '../../src/makers/gm/drawing-build.ts';
import { drawGm, drawHiddenGm } from '../../src/makers/gm/drawing.ts';
import { drawGenesis, drawHyundai, genesisBuild, hyundaiBuild } from '../../src/makers/hyundai/drawing.ts';
import { drawKia, kiaBuild } from '../../src/makers/kia/drawing.ts';
import { drawNissan, nissanBuild } from '../../src/makers/nissan/drawing.ts';
import { Page, type Quirks } from './pdf.ts';
import { stellantisBuild } from '../../src/makers/stellantis/drawing-build.ts';
import { drawStellantis } from '../../src/makers/stellantis/drawing.ts';
import { drawSubaru, subaruBuild } from '../../src/makers/subaru/drawing.ts';
import { drawToyota, toyotaBuild } from '../../src/makers/toyota/drawing.ts';
import { watermark } from './watermark.ts';

export type Order = Pick<Car, 'vin' | 'make'> &
  Partial<Omit<Car, 'vin' | 'make'>> & {
    /** Marks the page SPECIMEN from corner to corner. */
    specimen?: boolean;
    /** GM only: the equipment drawn once more, differently, under a white sheet. */
    hiddenPass?: boolean;
    damagedXref?: boolean;
  };

interface Family {
  build: Build;
  quirks?: Quirks;
  draw(page: Page, car: Car): void;
  drawHidden?(page: Page, car: Car): void;
}

const ford: Family = { build: fordBuild, draw: drawFord };
const gm: Family = { build: gmBuild, draw: drawGm, drawHidden: drawHiddenGm };
const stellantis: Family = { build: stellantisBuild, quirks: { dashByte: 0x85 }, draw: drawStellantis };
const toyota: Family = { build: toyotaBuild, draw: drawToyota };
const nissan: Family = { build: nissanBuild, draw: drawNissan };

const families: Record<string, Family> = {
  Ford: ford,
  Lincoln: ford,
  Chevrolet: gm,
  GMC: gm,
  Buick: gm,
  Cadillac: gm,
  Jeep: stellantis,
  Ram: stellantis,
  Dodge: stellantis,
  Chrysler: stellantis,
  Fiat: stellantis,
  'Alfa Romeo': stellantis,
  Subaru: { build: subaruBuild, draw: drawSubaru },
  Kia: { build: kiaBuild, draw: drawKia },
  Hyundai: { build: hyundaiBuild, draw: drawHyundai },
  Genesis: { build: genesisBuild, draw: drawGenesis },
  Toyota: toyota,
  Lexus: toyota,
  Nissan: nissan,
  Infiniti: nissan,
};

/** Makes that can be drawn, as a person writes them. */
export const drawnMakes: readonly string[] = Object.keys(families);

/** A whole PDF. The car is the family's own invention but for what the order says. */
export function drawLabel(order: Order): Buffer {
  const { specimen = false, hiddenPass = false, damagedXref = false, ...said } = order;
  const make = drawnMakes.find((name) => name.toUpperCase() === order.make.toUpperCase());
  const family = make ? families[make] : undefined;
  if (!make || !family) throw new Error(`No drawing of a ${order.make} label`);
  const page = new Page(1224, 792, { ...family.quirks, damagedXref });
  const car: Car = {
    year: 2026,
    market: 'US',
    language: 'en',
    paintCode: null,
    discounts: [],
    taxes: [],
    fees: [],
    ...family.build,
    ...said,
    make,
  };
  if (hiddenPass) family.drawHidden?.(page, car);
  if (specimen) watermark(page);
  family.draw(page, car);
  if (specimen)
    page.centre(612, 785, 8, "SPECIMEN drawn by Monroney. Not a manufacturer's label.", { font: 'bold' });
  return page.toPdf();
}
