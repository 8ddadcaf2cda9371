/** Draws a label of any maker for any VIN, for the specimens, the simulator and the tests. */
import { makesOf, sources } from '../../src/makers/index.ts';
import { loadFromMakers } from '../makers.ts';
import type { Car, Drawing } from './car.ts';
import { Page } from './pdf.ts';
import { watermark } from './watermark.ts';

export type LabelOptions = Pick<Car, 'vin' | 'make'> &
  Partial<Omit<Car, 'vin' | 'make'>> & {
    /** Marks the page SPECIMEN from corner to corner, and hides what the maker's files hide. */
    specimen?: boolean;
    damagedXref?: boolean;
  };

/** By source id. */
export const drawings = await loadFromMakers<Drawing>('drawing', 'specimens');

const drawingOfMake = new Map<string, Drawing>();
for (const source of sources) {
  const drawing = drawings.get(source.id);
  if (drawing) for (const make of makesOf([source])) drawingOfMake.set(make, drawing);
}

/** Makes that can be drawn, with normal capitals. */
export const drawnMakes: readonly string[] = [...drawingOfMake.keys()];

/** The car that `drawLabel` draws: the maker's invented one, with what the options override. */
export function drawnCar(order: LabelOptions): Car {
  return {
    year: 2026,
    market: 'US',
    language: 'en',
    paintCode: null,
    discounts: [],
    taxes: [],
    fees: [],
    ...drawingOf(order.make).build,
    ...order,
    make: drawnMake(order.make)!,
  };
}

const drawnMake = (make: string): string | undefined =>
  drawnMakes.find((name) => name.toUpperCase() === make.toUpperCase());

function drawingOf(make: string): Drawing {
  const drawing = drawingOfMake.get(drawnMake(make) ?? '');
  if (!drawing) throw new Error(`No drawing of a ${make} label`);
  return drawing;
}

/** The label as a PDF. */
export function drawLabel(order: LabelOptions): Buffer {
  const { specimen = false, damagedXref = false } = order;
  const drawing = drawingOf(order.make);
  const car = drawnCar(order);
  const page = new Page(1224, 792, { ...drawing.quirks, damagedXref });
  if (specimen) {
    drawing.drawHidden?.(page, car);
    watermark(page);
  }
  drawing.draw(page, car);
  if (specimen)
    page.center(612, 785, 8, "SPECIMEN drawn by Monroney. Not a manufacturer's label.", { font: 'bold' });
  return page.toPdf();
}
