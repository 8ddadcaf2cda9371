import { crc32, deflateRawSync } from 'node:zlib';

/** A zip with one file, with sizes only in the data descriptor and the central directory, like a streaming writer's. */
export function zipOf(name: string, bytes: Buffer): Buffer {
  const packed = deflateRawSync(bytes);
  const title = Buffer.from(name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 6);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(title.length, 26);
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc32(bytes), 4);
  descriptor.writeUInt32LE(packed.length, 8);
  descriptor.writeUInt32LE(bytes.length, 12);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 8);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(crc32(bytes), 16);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(bytes.length, 24);
  entry.writeUInt16LE(title.length, 28);
  const start = local.length + title.length + packed.length + descriptor.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + title.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, title, packed, descriptor, entry, title, end]);
}
