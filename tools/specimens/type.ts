/** The widths and encoding of the standard fonts, for right-aligned lines and columns. */

export type Font = 'regular' | 'bold' | 'mono' | 'mono-bold';

export const fontNames: Record<Font, string> = {
  regular: 'Helvetica',
  bold: 'Helvetica-Bold',
  mono: 'Courier',
  'mono-bold': 'Courier-Bold',
};

const row = (text: string): number[] => text.split(' ').map(Number);

/** Thousandths of the size for the characters from space to tilde. */
const regular = row(
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 ' +
    '1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 ' +
    '333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
);
const bold = row(
  '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 ' +
    '975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 ' +
    '333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584',
);

/** WinAnsi's characters from 0x80 to 0x9f; from 0xa0 on it's Latin-1. */
const winAnsi = new Map([
  ['€', 0x80],
  ['…', 0x85],
  ['†', 0x86],
  ['‘', 0x91],
  ['’', 0x92],
  ['“', 0x93],
  ['”', 0x94],
  ['•', 0x95],
  ['–', 0x96],
  ['—', 0x97],
  ['™', 0x99],
]);
const wide: Record<string, number> = {
  '–': 556,
  '—': 1000,
  '•': 350,
  '™': 1000,
  '®': 737,
  '©': 737,
  '’': 222,
  '·': 278,
};

export function byteOf(character: string): number {
  const byte = winAnsi.get(character) ?? character.charCodeAt(0);
  if (byte > 0xff) throw new Error(`No WinAnsi byte for ${character}`);
  return byte;
}

/** The width of a text in points. */
export function widthOf(text: string, size: number, font: Font): number {
  if (font === 'mono' || font === 'mono-bold') return text.length * 0.6 * size;
  const table = font === 'bold' ? bold : regular;
  let sum = 0;
  for (const character of text) {
    // An accented letter is as wide as its base letter.
    const plain = character.normalize('NFD').charCodeAt(0) - 32;
    sum += wide[character] ?? table[plain] ?? 556;
  }
  return (sum * size) / 1000;
}

/** Breaks a text at spaces so that no line is wider than `limit` points. */
export function wrap(text: string, limit: number, size: number, font: Font = 'regular'): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && widthOf(longer, size, font) > limit) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
