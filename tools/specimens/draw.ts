/** Draws a label of any maker for any VIN, for the specimens, the simulator and the tests. */
import { makesOf, sources } from '../../src/makers/index.ts';
import { drawings } from '../makers.ts';
import type { Car } from './car.ts';
import type { Drawing } from './drawing.ts';
import { Page } from './pdf.ts';
import { watermark } from './watermark.ts';

export type LabelOptions = Pick<Car, 'vin' | 'make'> &
  Partial<Omit<Car, 'vin' | 'make'>> & {
    /** Marks the page SPECIMEN from corner to corner. */
    specimen?: boolean;
    /** GM only: different equipment drawn under a white rectangle. */
    hiddenPass?: boolean;
    damagedXref?: boolean;
  };

const families = new Map<string, Drawing>();
for (const source of sources) {
  const drawing = drawings.get(source.id);
  if (drawing) for (const make of makesOf([source])) families.set(make, drawing);
}

/** Makes that can be drawn, with normal capitals. */
export const drawnMakes: readonly string[] = [...families.keys()];

/** The label as a PDF. The options override the maker's invented car. */
export function drawLabel(order: LabelOptions): Buffer {
  const { specimen = false, hiddenPass = false, damagedXref = false, ...said } = order;
  const make = drawnMakes.find((name) => name.toUpperCase() === order.make.toUpperCase());
  const family = make ? families.get(make) : undefined;
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
