import type { Build, Car } from './car.ts';
import type { Page, Quirks } from './pdf.ts';

/** How a maker's labels are drawn, in its `drawing.ts`. */
export interface Drawing {
  /** The car it draws unless told otherwise. */
  build: Build;
  quirks?: Quirks;
  draw(page: Page, car: Car): void;
  /** What lies under the visible label, where there is something. */
  drawHidden?(page: Page, car: Car): void;
}
