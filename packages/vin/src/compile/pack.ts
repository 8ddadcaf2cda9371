import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { MAGIC, type DataHeader } from '../data-file.ts';
import { arrayOf, sections, texts, type SectionName } from '../layout.ts';
import type { Compiled } from './compile.ts';

function numberBytes(name: SectionName, values: ArrayLike<number>): Buffer {
  const { wide, delta } = sections[name];
  const limit = wide === 4 ? 2 ** 32 : 2 ** (wide * 8);
  const numbers = new (arrayOf(wide))(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value >= limit || !Number.isInteger(value) || (wide < 4 && value < 0))
      throw new Error(`the section ${name} cannot hold ${value}`);
    numbers[i] = delta && i > 0 ? value - values[i - 1]! : value;
  }
  return Buffer.from(numbers.buffer);
}

const padded = (bytes: Buffer): Buffer =>
  bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))]);

/** The data file as bytes. The same input gives the same bytes. */
export function dataFile(
  compiled: Compiled,
  metadata: Pick<DataHeader, 'month' | 'input' | 'counts'>,
  quality = 11,
): Buffer {
  const lengths: Record<string, number> = {};
  const chunks: Buffer[] = [];
  for (const name of Object.keys(sections) as SectionName[]) {
    lengths[name] = compiled.numbers[name].length;
    chunks.push(padded(numberBytes(name, compiled.numbers[name])));
  }
  for (const name of texts) {
    const bytes = Buffer.from(compiled.texts[name].join('\n'));
    lengths[name] = bytes.length;
    chunks.push(padded(bytes));
  }
  const payload = Buffer.concat(chunks);
  const counts = Object.fromEntries(Object.entries(metadata.counts).sort(([a], [b]) => (a < b ? -1 : 1)));
  const header = Buffer.from(
    JSON.stringify({ ...metadata, counts, size: payload.length, sections: lengths }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  // Brotli, because Node 20 has no zstd. The best quality takes a minute per release and saves a tenth of every download.
  const packed = brotliCompressSync(payload, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: payload.length,
    },
  });
  const rest = Buffer.concat([length, header, packed]);
  return Buffer.concat([Buffer.from(MAGIC), createHash('sha256').update(rest).digest(), rest]);
}
