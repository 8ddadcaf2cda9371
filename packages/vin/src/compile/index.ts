import { createHash } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { MAGIC, type DataHeader } from '../data-file.ts';
import { arrayOf, sections, texts, type SectionName } from '../layout.ts';
import { compile, type Compiled } from './compile.ts';
import { openDump, releaseMonth, sha256 } from './dump.ts';
import { readRelease } from './tables.ts';

/** Compiles NHTSA's monthly release into a data file for `loadVpic`. For Node: it takes half a minute and 300 MB of memory. */

export interface CompileOptions {
  /** `2026-10`. By default from the name of the file, or of the one in it. */
  month?: string | undefined;
  /** False only for handmade dumps, which are smaller than any real one. */
  checkCounts?: boolean;
  /** Of brotli. By default 11, which takes a minute; 5 gives a file that is a third larger. */
  quality?: number;
  progress?: (line: string) => void;
}

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** `path`: the zip file as NHTSA publishes it, or what is in it, plain or gzipped. Throws an error that says what is wrong with it. */
export async function compileRelease(
  path: string,
  { month, checkCounts = true, quality, progress = () => {} }: CompileOptions = {},
): Promise<{ bytes: Uint8Array; month: string }> {
  if (month !== undefined && !MONTH.test(month)) throw new Error('--month takes a month like 2026-10');
  const input = await sha256(path);
  const { name, stream } = await openDump(path);
  const release = await readRelease(stream as AsyncIterable<Buffer>, { checkCounts, progress });
  const releasedIn = month ?? releaseMonth(path) ?? releaseMonth(name);
  if (!releasedIn)
    throw new Error("the file name doesn't contain the release month: set it with --month YYYY-MM");
  const compiled = compile(release, progress);
  progress('packing');
  const metadata = { month: releasedIn, input, counts: release.counts };
  return { bytes: dataFile(compiled, metadata, quality), month: releasedIn };
}

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
function dataFile(
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
