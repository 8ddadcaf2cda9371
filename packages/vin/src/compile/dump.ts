import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { sqlInZip } from './zip.ts';

const CHUNK = 1 << 18;

/** The plain text of a dump. Its compression is detected from its first bytes, not its name. */
export async function openDump(path: string): Promise<{ name: string; stream: Readable }> {
  const file = await open(path);
  const head = Buffer.alloc(4);
  await file.read(head, 0, 4, 0);
  await file.close();
  if (head.readUInt32LE(0) === 0x04034b50) return sqlInZip(path);
  const plain = createReadStream(path, { highWaterMark: CHUNK });
  if (head.readUInt16LE(0) !== 0x8b1f) return { name: path, stream: plain };
  const unpacked = createGunzip({ chunkSize: CHUNK });
  plain.on('error', (error) => unpacked.destroy(error));
  return { name: path, stream: plain.pipe(unpacked) };
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** `vPICList_lite_2026_10.…` → `2026-10`. */
export function releaseMonth(name: string): string | null {
  const match = /(20\d\d)[_-](0[1-9]|1[0-2])(?!\d)/.exec(name.replace(/^.*[\\/]/, ''));
  return match ? `${match[1]}-${match[2]}` : null;
}
