import { compile } from './compile.ts';
import { openDump, releaseMonth, sha256 } from './dump.ts';
import { dataFile } from './pack.ts';
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
