/** For the pages of a service, which carves the parts out of its own data and sends them as gzip. */
import { fetchFrom, type LoadFile, gunzip, type OpenVpic, openParts } from './open.ts';
import { type PartIndex, readPart } from './parts.ts';

export * from './core.ts';

export async function openVpic(from: { base: string | URL } | { load: LoadFile }): Promise<OpenVpic> {
  const load = 'load' in from ? from.load : fetchFrom(from.base);
  const index = JSON.parse(new TextDecoder().decode(await load('index.json'))) as PartIndex;
  return openParts(index, async ({ name }) => readPart(await gunzip(await load(`${name}.bin`))));
}
