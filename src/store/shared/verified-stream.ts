import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LabelCorrupted } from '../store.ts';

/**
 * Checks the SHA-256 of a label that is too large to buffer. Sends the last chunk only if the digest matches, so a
 * corrupted label is cut short instead of looking complete.
 */
export function verifiedStream(stream: Readable, sha256: string): Readable {
  return Readable.from(checked(stream, sha256), { objectMode: false });
}

async function* checked(stream: Readable, sha256: string): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let last: Buffer | null = null;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    digest.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (digest.digest('hex') !== sha256)
    throw new LabelCorrupted(`The bytes of label ${sha256} are corrupted.`);
  if (last) yield last;
}
