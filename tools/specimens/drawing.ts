import type { Build, Car } from './car.ts';
import type { Page, Quirks } from './pdf.ts';

/** How a maker's labels are drawn, in its `drawing.ts`. */
export interface Drawing {
  /** The default car. */
  build: Build;
  quirks?: Quirks;
  draw(page: Page, car: Car): void;
  /** Draws what is hidden under the visible label, if anything. */
  drawHidden?(page: Page, car: Car): void;
}
