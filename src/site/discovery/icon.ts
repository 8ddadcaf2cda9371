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

export function webManifest(): unknown {
  return {
    name: 'Monroney window stickers',
    short_name: 'Monroney',
    description: "Paste a VIN, see the car's original window sticker.",
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'browser',
    lang: 'en',
    background_color: '#FBFAF7',
    theme_color: '#FBFAF7',
    icons: [{ src: '/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' }],
  };
}
