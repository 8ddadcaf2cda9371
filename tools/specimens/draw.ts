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

const drawingOfMake = new Map<string, Drawing>();
for (const source of sources) {
  const drawing = drawings.get(source.id);
  if (drawing) for (const make of makesOf([source])) drawingOfMake.set(make, drawing);
}

/** Makes that can be drawn, with normal capitals. */
export const drawnMakes: readonly string[] = [...drawingOfMake.keys()];

/** The label as a PDF. The options override the maker's invented car. */
export function drawLabel(order: LabelOptions): Buffer {
  const { specimen = false, hiddenPass = false, damagedXref = false, ...overrides } = order;
  const make = drawnMakes.find((name) => name.toUpperCase() === order.make.toUpperCase());
  const drawing = make ? drawingOfMake.get(make) : undefined;
  if (!make || !drawing) throw new Error(`No drawing of a ${order.make} label`);
  const page = new Page(1224, 792, { ...drawing.quirks, damagedXref });
  const car: Car = {
    year: 2026,
    market: 'US',
    language: 'en',
    paintCode: null,
    discounts: [],
    taxes: [],
    fees: [],
    ...drawing.build,
    ...overrides,
    make,
  };
  if (hiddenPass) drawing.drawHidden?.(page, car);
  if (specimen) watermark(page);
  drawing.draw(page, car);
  if (specimen)
    page.center(612, 785, 8, "SPECIMEN drawn by Monroney. Not a manufacturer's label.", { font: 'bold' });
  return page.toPdf();
}
