/** For the pages of a service, which carves the parts out of its own data and sends them as gzip. */
import { fetchFrom, type LoadFile } from './fetch-files.ts';
import type { OpenVpic } from './open.ts';
import { openParts } from './open-parts.ts';
import type { PartIndex } from './packed-parts.ts';
import { readPart, type Part } from './parts.ts';

export * from './core.ts';

export async function openVpic(from: { base: string | URL } | { load: LoadFile }): Promise<OpenVpic> {
  const load = 'load' in from ? from.load : fetchFrom(from.base);
  const index = JSON.parse(new TextDecoder().decode(await load('index.json'))) as PartIndex;
  return openParts(index, async ({ name }) => unpack(await load(`${name}.bin`)));
}

async function unpack(packed: Uint8Array | ArrayBuffer): Promise<Part> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  return readPart(new Uint8Array(await new Response(stream).arrayBuffer()));
}
