import { crc32, deflateRawSync } from 'node:zlib';

/** 1980-01-01: a fixed date, so that the same files give the same bytes. */
const DOS_DATE = 0x21;

/** A ZIP archive of small files. Not compressed by default, because the result would depend on Node's version. */
export function zipOf(
  files: readonly { name: string; bytes: Buffer }[],
  { isCompressed = false } = {},
): Buffer {
  const entries: Buffer[] = [];
  const directoryEntries: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = Buffer.from(name);
    const packed = isCompressed ? deflateRawSync(bytes) : bytes;
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    // Names are UTF-8.
    header.writeUInt16LE(0x0800, 2);
    header.writeUInt16LE(isCompressed ? 8 : 0, 4);
    header.writeUInt16LE(DOS_DATE, 8);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(bytes.length, 18);
    header.writeUInt16LE(path.length, 22);
    entries.push(Buffer.from('PK\x03\x04'), header, path, packed);

    const location = Buffer.alloc(14);
    location.writeUInt32LE(offset, 10);
    directoryEntries.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), header, location, path);
    offset += 30 + path.length + packed.length;
  }
  const directory = Buffer.concat(directoryEntries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...entries, directory, end]);
}
