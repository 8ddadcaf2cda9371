import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LabelSpoilt } from '../store.ts';

/**
 * A whole label on its way out, too large to be looked at first: its last piece is held back until the digest of all
 * is right. Whoever is sent a spoilt one sees it end early, not a file that looks complete.
 */
export function ifWhole(stream: Readable, sha256: string): Readable {
  return Readable.from(checked(stream, sha256), { objectMode: false });
}

async function* checked(stream: Readable, sha256: string): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let last: Buffer | null = null;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    digest.update(piece);
    if (last) yield last;
    last = piece;
  }
  if (digest.digest('hex') !== sha256) throw new LabelSpoilt(`The bytes of label ${sha256} are spoilt.`);
  if (last) yield last;
}
