import type { Source } from '../../src/makers/maker.ts';
import { loadFromMakers } from '../makers.ts';
import { drawings, drawLabel } from '../specimens/draw.ts';
import { COPY_NOTICE } from '../specimens/makers/nissan.ts';
import { Page } from '../specimens/pdf.ts';
import { json, page, pdf, plainLabel, type Replies } from './reply.ts';

const replies = await loadFromMakers<Replies>('replies', 'simulator');

export function repliesOf(source: Source): Replies {
  return replies.get(source.id) ?? { none: noneOf(source) };
}

/** A "none" response as the source's description defines it. */
function noneOf({ empty, notFound }: Source): Replies['none'] {
  if (empty === 'none') return () => pdf(Buffer.alloc(0));
  if (notFound === 'none') return () => page('404', 'Nothing here.', 404);
  return ({ vin }) => json({ message: `No label of ${vin}` });
}

/** A label for any VIN as the source at `host` prints it, or a plain one if there is no drawing for it. */
export function labelOf(source: Source, host: string, vin: string): Buffer {
  const make = repliesOf(source).makeOfHost?.[host] ?? source.makes[0]!;
  if (drawings.has(source.id)) return drawLabel({ vin, make });
  return source.picture ? pictureOf(400) : plainLabel([`${make} window sticker`, `VIN ${vin}`]);
}

/** A picture of `side` by `side` bytes, eight pixels each, with the stamp of Nissan's platform. */
export function pictureOf(side: number): Buffer {
  const sheet = new Page(792, 612);
  const data = Buffer.from(Uint8Array.from({ length: side * side }, (_, index) => (index * 7) % 251));
  sheet.picture(36, 36, 720, 500, { width: 8 * side, height: side, data });
  sheet.text(36, 580, 9, COPY_NOTICE);
  return sheet.toPdf();
}
