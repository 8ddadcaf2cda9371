/** For the pages of a service, which carves the parts out of its own data and sends them as gzip. */
import { fetchFrom, type LoadFile } from './fetch-files.ts';
import { gunzip } from './gunzip.ts';
import type { OpenVpic } from './open.ts';
import { openParts } from './open-parts.ts';
import type { PartIndex } from './packed-parts.ts';
import { readPart } from './parts.ts';

export * from './core.ts';

export async function openVpic(from: { base: string | URL } | { load: LoadFile }): Promise<OpenVpic> {
  const load = 'load' in from ? from.load : fetchFrom(from.base);
  const index = JSON.parse(new TextDecoder().decode(await load('index.json'))) as PartIndex;
  return openParts(index, async ({ name }) => readPart(await gunzip(await load(`${name}.bin`))));
}
