import { crc32, deflateSync } from 'node:zlib';

/** The sheet in the window, drawn once as shapes: for browsers, for old browsers, for home screens. */

const INK = '#0B3D91';
const PAPER = '#FFFFFF';
const SIZE = 32;

/** Filled boxes in units of a 32 by 32 square: x, y, width, height. */
const SHEET = { paper: [1, 5, 30, 22], ink: inkBoxes() } as const;

function inkBoxes(): readonly (readonly number[])[] {
  return [
    [1, 5, 30, 3],
    [1, 24, 30, 3],
    [1, 5, 3, 22],
    [28, 5, 3, 22],
    [16, 5, 3, 22],
    [19, 15, 10, 3],
    [7, 11, 6, 3],
  ];
}

export function iconSvg(): string {
  const box = ([x, y, width, height]: readonly number[], fill: string) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
  const boxes = [box(SHEET.paper, PAPER), ...SHEET.ink.map((each) => box(each, INK))].join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="Monroney">${boxes}</svg>\n`;
}

/** An ICO file with one 32-bit bitmap: bottom row first, blue before red, and a mask nobody reads any more. */
export function iconIco(): Buffer {
  const pixels = Buffer.alloc(SIZE * SIZE * 4);
  const fill = ([left, top, width, height]: readonly number[], colour: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    for (let y = top!; y < top! + height!; y++) {
      for (let x = left!; x < left! + width!; x++) {
        pixels.set([blue!, green!, red!, 255], ((SIZE - 1 - y) * SIZE + x) * 4);
      }
    }
  };
  fill(SHEET.paper, PAPER);
  for (const each of SHEET.ink) fill(each, INK);
  const mask = Buffer.alloc((SIZE * SIZE) / 8);

  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(SIZE, 4);
  header.writeInt32LE(SIZE * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  header.writeUInt32LE(pixels.length + mask.length, 20);
  const bitmap = Buffer.concat([header, pixels, mask]);

  const directory = Buffer.alloc(22);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(1, 4);
  directory.writeUInt8(SIZE, 6);
  directory.writeUInt8(SIZE, 7);
  directory.writeUInt16LE(1, 10);
  directory.writeUInt16LE(32, 12);
  directory.writeUInt32LE(bitmap.length, 14);
  directory.writeUInt32LE(directory.length, 18);
  return Buffer.concat([directory, bitmap]);
}

/** A square PNG on paper, with room around the sheet: launchers cut the corners off. */
export function iconPng(size: number): Buffer {
  const unit = size / (SIZE + 8);
  const palette = Buffer.from([0xfb, 0xfa, 0xf7, 0xff, 0xff, 0xff, 0x0b, 0x3d, 0x91]);
  // One byte before each row says that it is not filtered.
  const rows = Buffer.alloc(size * (size + 1));
  const fill = ([left, top, width, height]: readonly number[], colour: number) => {
    const edge = (value: number) => Math.round((value + 4) * unit);
    for (let y = edge(top!); y < edge(top! + height!); y++) {
      rows.fill(colour, y * (size + 1) + 1 + edge(left!), y * (size + 1) + 1 + edge(left! + width!));
    }
  };
  fill(SHEET.paper, 1);
  for (const each of SHEET.ink) fill(each, 2);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

export function webManifest(): unknown {
  return {
    name: 'Monroney window stickers',
    short_name: 'Monroney',
    description: "Paste a VIN, see the car's original window sticker.",
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    lang: 'en',
    background_color: '#FBFAF7',
    theme_color: '#FBFAF7',
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any maskable' },
    ],
  };
}
