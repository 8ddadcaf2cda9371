/** The PDFs that sources send when they have no label: a sentence on a page, without a VIN. */
import { Page } from './pdf.ts';

/** Ford's, for a label that isn't released yet or is gone. */
export function drawFordPlaceholder(): Buffer {
  const page = new Page(612, 792);
  page.center(306, 200, 14, 'The window sticker for this vehicle has not yet been released.', {
    font: 'bold',
  });
  page.center(306, 224, 12, 'Please check back later');
  return page.toPdf();
}

/** Stellantis', in either of its wordings; about 1.1 KB. */
export function drawStellantisPlaceholder(older = false): Buffer {
  const page = new Page(612, 792);
  const sentence = older
    ? 'Sorry, a Window Sticker is unavailable for this VIN'
    : 'We are unable to retrieve a window sticker for this VIN at this time.';
  page.text(72, 120, 12, sentence);
  return page.toPdf();
}

/** Subaru's: 16 KB, most of it rules. */
export function drawSubaruPlaceholder(): Buffer {
  const page = new Page(612, 792);
  for (let y = 300; y < 760; y += 1.06) page.rule(72, y, 540, y, 0.5, 0.9);
  page.text(72, 120, 20, 'SUBARU', { font: 'bold' });
  page.lines(72, 160, 11, 16, [
    'We are sorry, the window sticker for the vehicle you selected is not available at this time.',
    'Please contact your retailer for more information. (c:01)',
  ]);
  return page.toPdf();
}
