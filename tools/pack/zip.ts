import { zipSync } from 'fflate';

/** A ZIP archive of small files. Not compressed by default, because the result would depend on the version of the library. */
export function zipOf(
  files: readonly { name: string; bytes: Buffer }[],
  { isCompressed = false } = {},
): Buffer {
  const contents = Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]));
  // A fixed date, so that the same files give the same bytes. In local time, which is what it is written as.
  return Buffer.from(zipSync(contents, { level: isCompressed ? 6 : 0, mtime: new Date(1980, 0, 1) }));
}
