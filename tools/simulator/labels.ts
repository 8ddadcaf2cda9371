import { drawLabel } from '../specimens/draw.ts';
import { Page } from '../specimens/pdf.ts';
import type { Source } from '../../src/makers/maker.ts';

/** The make whose site a host is, so that its labels look like that make's. */
const makesOfHosts: Record<string, string> = {
  'www.chrysler.com': 'Chrysler',
  'www.jeep.com': 'Jeep',
  'www.ramtrucks.com': 'Ram',
  'www.dodge.com': 'Dodge',
};

/** A label for any VIN, as the source behind `host` prints them. */
export function labelOf(source: Source, host: string, vin: string): Buffer {
  return drawLabel({ vin, make: makesOfHosts[host] ?? source.makes[0]! });
}

/** A page with nothing but these lines: the placeholders sources send instead of a label. */
export function sheetOf(lines: readonly string[]): Buffer {
  const page = new Page(612, 792);
  lines.forEach((line, index) => page.text(72, 100 + index * 20, 12, line));
  return page.toPdf();
}

/** A picture of `side` by `side` bytes, eight pixels each, with the stamp that Nissan's platform puts on its labels. */
export function pictureOf(side: number): Buffer {
  const page = new Page(792, 612);
  const data = Buffer.from(Uint8Array.from({ length: side * side }, (_, at) => (at * 7) % 251));
  page.picture(36, 36, 720, 500, { width: 8 * side, height: side, data });
  page.text(
    36,
    580,
    9,
    '**Not actual Monroney Label. Provided for informational purposes only. Unofficial Copy**',
  );
  return page.toPdf();
}
