import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip, createInflateRaw } from 'node:zlib';

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

const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;

interface Entry {
  name: string;
  method: number;
  size: number;
  offset: number;
}

async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset);
  if (bytesRead !== length) throw new Error('the zip file is truncated');
  return bytes;
}

/** Finds the central directory. It has the sizes, which local headers may leave to a data descriptor. */
async function directory(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const tailLength = Math.min(size, END_SIZE + MAX_COMMENT);
  const tail = await bytesAt(file, size - tailLength, tailLength);
  let position = tail.length - END_SIZE;
  while (position >= 0 && tail.readUInt32LE(position) !== END) position--;
  if (position < 0) throw new Error('not a zip file, or truncated');
  let length = tail.readUInt32LE(position + 12);
  let offset = tail.readUInt32LE(position + 16);
  if (position >= 20 && tail.readUInt32LE(position - 20) === LOCATOR64) {
    const end = await bytesAt(file, Number(tail.readBigUInt64LE(position - 12)), 56);
    if (end.readUInt32LE(0) !== END64) throw new Error('the zip file is damaged');
    length = Number(end.readBigUInt64LE(40));
    offset = Number(end.readBigUInt64LE(48));
  }
  if (offset + length > size) throw new Error('the zip file is truncated');
  return bytesAt(file, offset, length);
}

/** Values that don't fit in 32 bits are in the extra field, in this order. */
function readZip64Fields(extra: Buffer, entry: { full: number; size: number; offset: number }): void {
  for (let position = 0; position + 4 <= extra.length; position += 4 + extra.readUInt16LE(position + 2)) {
    if (extra.readUInt16LE(position) !== 1) continue;
    let field = position + 4;
    const next = () => Number(extra.readBigUInt64LE((field += 8) - 8));
    if (entry.full === 0xffffffff) entry.full = next();
    if (entry.size === 0xffffffff) entry.size = next();
    if (entry.offset === 0xffffffff) entry.offset = next();
  }
}

function entries(bytes: Buffer): Entry[] {
  const result: Entry[] = [];
  for (let position = 0; position + 46 <= bytes.length && bytes.readUInt32LE(position) === ENTRY;) {
    const nameEnd = position + 46 + bytes.readUInt16LE(position + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(position + 30);
    const sizes = {
      size: bytes.readUInt32LE(position + 20),
      full: bytes.readUInt32LE(position + 24),
      offset: bytes.readUInt32LE(position + 42),
    };
    readZip64Fields(bytes.subarray(nameEnd, extraEnd), sizes);
    result.push({
      name: bytes.toString('utf8', position + 46, nameEnd),
      method: bytes.readUInt16LE(position + 10),
      size: sizes.size,
      offset: sizes.offset,
    });
    position = extraEnd + bytes.readUInt16LE(position + 32);
  }
  return result;
}

/** The largest `.sql` file in a zip, as a stream. */
async function sqlInZip(path: string): Promise<{ name: string; stream: Readable }> {
  const file = await open(path);
  try {
    const sql = entries(await directory(file))
      .filter((entry) => entry.name.toLowerCase().endsWith('.sql'))
      .sort((a, b) => b.size - a.size)[0];
    if (!sql) throw new Error('no .sql file in the zip file');
    if (sql.method !== 0 && sql.method !== 8)
      throw new Error(`${sql.name} has an unsupported compression method`);
    const local = await bytesAt(file, sql.offset, 30);
    if (local.readUInt32LE(0) !== LOCAL) throw new Error('the zip file is damaged');
    const start = sql.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    const packed = file.createReadStream({
      start,
      end: start + Math.max(sql.size, 1) - 1,
      highWaterMark: 1 << 18,
    });
    if (sql.method === 0) return { name: sql.name, stream: packed };
    const inflated = createInflateRaw({ chunkSize: 1 << 18 });
    packed.on('error', (error) => inflated.destroy(error));
    return { name: sql.name, stream: packed.pipe(inflated) };
  } catch (error) {
    await file.close();
    throw error;
  }
}
