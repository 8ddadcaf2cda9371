import { DataFileError } from './data-file.ts';

/** Unpacks gzip with what browsers and workers have. */
export async function gunzip(packed: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (cause) {
    throw new DataFileError("The vPIC data is damaged: it can't be unpacked.", { cause });
  }
}
