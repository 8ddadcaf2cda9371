import type { Source } from '../../src/makers/maker.ts';
import { loadFromMakers } from '../makers.ts';
import { json, page, pdf, type Replies } from './reply.ts';

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
